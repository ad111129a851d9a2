import { printableLines } from '../../domain/text/printable.ts';

declare const brand: unique symbol;

/** Markup that is safe to show: text reaches it only through the escape below. */
export type Html = Readonly<{ markup: string; [brand]: true }>;

type Part = Html | readonly Html[] | string | number;

/**
 * A template literal that escapes every text put into it; markup made by another one stays as it
 * is.
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  trusted(texts.map((text, i) => text + markupOf(parts[i] ?? '')).join(''));

/** Markup that is a constant of this program. Never for anything that came from outside. */
export const trusted = (markup: string): Html => ({ markup }) as Html;

/** Nothing to show. */
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
