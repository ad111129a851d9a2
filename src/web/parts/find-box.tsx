import { useState } from 'preact/hooks';
import { linkTo, openLink } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';

/** Characters of a word, as the server takes them. */
const WORD_MAX = 200;

/** Finds a payment by its reference, the name of its payee, an address or an id. */
export function FindBox({ word = '' }: { word?: string }) {
  const t = useTexts();
  const [text, setText] = useState(word);
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') openLink(linkTo(['find'], { word: text.trim() }));
      }}
    >
      <input
        type="search"
        aria-label={t.find.label}
        placeholder={t.find.label}
        maxLength={WORD_MAX}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{t.find.button}</button>
    </form>
  );
}
