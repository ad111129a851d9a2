import { useState } from 'preact/hooks';
import { useTexts } from '../shell/reader.tsx';

/** Characters of a search, as the server takes them. */
const WORD_MAX = 200;

type SearchFormProps = Readonly<{
  label: string;
  /** What was searched for before. */
  word: string;
  /** Receives the text without spaces around it. */
  onSearch(word: string): void;
}>;

/** A field for a word, and a button that searches for it. */
export function SearchForm({ label, word, onSearch }: SearchFormProps) {
  const t = useTexts();
  const [text, setText] = useState(word);
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={WORD_MAX}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{t.find.button}</button>
    </form>
  );
}
