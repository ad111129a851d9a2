import { type Language, LANGUAGES } from '../texts/languages.ts';
import { THEMES, type Theme, useReader } from './reader.tsx';

export const Brand = () => (
  <p class="brand">
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 11h14M9 16h14M9 21h8" />
    </svg>
    <strong>Bursar</strong>
  </p>
);

/** The language and the look of the page. */
export function ReaderChoices() {
  const { texts: t, language, theme, choose } = useReader();
  return (
    <div class="reader-choices">
      <select
        aria-label={t.shell.language}
        value={language}
        onChange={(event) => choose({ language: event.currentTarget.value as Language })}
      >
        {Object.entries(LANGUAGES).map(([one, texts]) => (
          <option key={one} value={one}>
            {texts.name}
          </option>
        ))}
      </select>
      <select
        aria-label={t.shell.theme}
        value={theme}
        onChange={(event) => choose({ theme: event.currentTarget.value as Theme })}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {t.shell.themes[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
