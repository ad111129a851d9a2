import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Texts } from '../texts/en.ts';
import { type Language, LANGUAGES, languageOf } from '../texts/languages.ts';
import type { ReaderPlace } from '../words/times.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The texts, the language and the look that the reader chose. */
export type Reader = Readonly<{
  texts: Texts;
  language: Language;
  place: ReaderPlace;
  theme: Theme;
  choose(choice: Readonly<{ language?: Language; theme?: Theme }>): void;
}>;

const ReaderContext = createContext<Reader | null>(null);

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === null) throw new Error('The page has no reader.');
  return reader;
}

export const useTexts = (): Texts => useReader().texts;

export function ReaderProvider({ children }: { children: ComponentChildren }) {
  const [language, setLanguage] = useState(() =>
    languageOf([stored('language') ?? '', ...navigator.languages]),
  );
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find((one) => one === stored('theme')) ?? 'auto',
  );
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset['theme'] = theme;
  }, [language, theme]);
  const reader = useMemo<Reader>(
    () => ({
      texts: LANGUAGES[language],
      language,
      theme,
      place: { language: regionOf(language), timeZone: undefined },
      choose(choice) {
        if (choice.language !== undefined) setLanguage(keep('language', choice.language));
        if (choice.theme !== undefined) setTheme(keep('theme', choice.theme));
      },
    }),
    [language, theme],
  );
  return <ReaderContext.Provider value={reader}>{children}</ReaderContext.Provider>;
}

/** Times as the reader's region writes them, such as those of `en-GB`. */
const regionOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;

/** A browser may forbid its storage. The choice then lasts as long as the page. */
function stored(name: string): string | null {
  try {
    return localStorage.getItem(`bursar.${name}`);
  } catch {
    return null;
  }
}

function keep<Value extends string>(name: string, value: Value): Value {
  try {
    localStorage.setItem(`bursar.${name}`, value);
  } catch {
    // The choice lasts as long as the page.
  }
  return value;
}
