const CHARS_MAX = 200;

/** Latin letters without their wide forms, digits, and the printable characters of ASCII. */
const LATIN = /^(?:(?![\uFF00-\uFFEF])[\p{Script=Latin}\p{N} -~])*$/u;
/** Letters and digits, and the printable characters of ASCII without its letters. */
const NO_ASCII_LETTER = /^[\p{L}\p{M}\p{N} -@[-`{-~]*$/u;
const LATIN_LETTER = /\p{Script=Latin}/u;

/**
 * Returns a name of the file for a message: short, with codes instead of characters beyond ASCII. Letters of one
 * alphabet stay. Letters of two may look alike, as a Cyrillic and a Latin A.
 */
export function shownName(text: string): string {
  const short = text.slice(0, CHARS_MAX);
  if (LATIN.test(short) || (NO_ASCII_LETTER.test(short) && !LATIN_LETTER.test(short))) return short;
  return short.replace(/[^ -~]/gu, (character) => `<U+${hex(character.codePointAt(0) ?? 0)}>`);
}

const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');
