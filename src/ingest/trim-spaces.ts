const SPACE = 0x20;

/**
 * Returns the text without spaces (U+0020) at its ends. Other white space stays, and is refused
 * later.
 */
export function trimSpaces(text: string): string {
  let end = text.length;
  if (text.charCodeAt(0) !== SPACE && text.charCodeAt(end - 1) !== SPACE) return text;
  let start = 0;
  while (text.charCodeAt(start) === SPACE) start += 1;
  while (end > start && text.charCodeAt(end - 1) === SPACE) end -= 1;
  return text.slice(start, end);
}
