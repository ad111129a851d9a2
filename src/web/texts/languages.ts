import { DE } from './de.ts';
import { EN, type Texts } from './en.ts';

/** The languages of the web app, by the first part of their tags. */
export const LANGUAGES = { en: EN, de: DE } as const satisfies Record<string, Texts>;
export type Language = keyof typeof LANGUAGES;

/** The first of these tags that there are texts for; else English. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted
    .map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '')
    .find((one): one is Language => Object.hasOwn(LANGUAGES, one)) ?? 'en';
