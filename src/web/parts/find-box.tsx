import { linkTo, openLink } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';
import { SearchForm } from './search-form.tsx';

/** Finds a payment by its reference, the name of its payee, an address or an id. */
export function FindBox({ word = '' }: { word?: string }) {
  const t = useTexts();
  const find = (text: string): void => {
    if (text !== '') openLink(linkTo(['find'], { word: text }));
  };
  return <SearchForm label={t.find.label} word={word} onSearch={find} />;
}
