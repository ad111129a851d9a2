import { printableLines } from '../../domain/text/printable.ts';

declare const brand: unique symbol;

/** Safe markup. Text gets into it only through the escape below. */
export type Html = Readonly<{ markup: string; [brand]: true }>;

type Part = Html | readonly Html[] | string | number;

/**
 * A template literal that escapes every text in it. Markup of another `html` literal stays as it
 * is.
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  trusted(texts.map((text, i) => text + markupOf(parts[i] ?? '')).join(''));

/** Marks a constant of this program as safe markup. Never pass data from outside. */
export const trusted = (markup: string): Html => ({ markup }) as Html;

/** Empty markup. */
export const NOTHING = trusted('');

function markupOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  printableLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
