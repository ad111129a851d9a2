/** How many bytes a text has in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character.codePointAt(0) ?? 0);
  return bytes;
}

/** The beginning of a text that has at most so many bytes in UTF-8; no character is cut in two. */
export function cutBytes(text: string, bytesMax: number): string {
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character.codePointAt(0) ?? 0);
    if (bytes > bytesMax) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
