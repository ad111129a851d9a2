const CHARS_MAX = 200;

/**
 * Returns a text of the file for a message: short, with codes instead of characters beyond ASCII.
 */
export const visible = (text: string): string =>
  text
    .slice(0, CHARS_MAX)
    .replace(/[^ -~]/gu, (character) => `<U+${hex(character.codePointAt(0) ?? 0)}>`);

const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');
