const CHARS_MAX = 200;

/** Text of the file for a message: cut to a readable length, with the code of every character that is not plain ASCII. */
export const visible = (text: string): string =>
  text
    .slice(0, CHARS_MAX)
    .replace(/[^ -~]/gu, (character) => `<U+${hex(character.codePointAt(0) ?? 0)}>`);

const hex = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, '0');
