/**
 * Brackets inside brackets in one text. The parser recurses: without a bound a stranger could
 * exhaust the stack.
 */
export const JSON_DEPTH_MAX = 64;

/**
 * What the parser would let through: text nested too deep, or an object that gives one name twice.
 */
export type JsonFlaw = 'too-deep' | 'duplicate-key';

type Level = Set<string> | undefined;

const NAME_FOLLOWS = /[ \t\n\r]*:/y;

/**
 * Looks for flaws that the parser does not see: it keeps a repeated name whose two values are
 * equal. Says nothing about text that is not JSON; the parser refuses that.
 */
export function findJsonFlaw(text: string): JsonFlaw | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (repeatsName(levels.at(-1), text, { start: at, end })) return 'duplicate-key';
      at = end;
    } else if (character === '{' || character === '[') {
      levels.push(character === '{' ? new Set() : undefined);
      if (levels.length > JSON_DEPTH_MAX) return 'too-deep';
    } else if (character === '}' || character === ']') {
      levels.pop();
    }
  }
  return undefined;
}

/** Index of the closing quote, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function repeatsName(names: Level, text: string, span: { start: number; end: number }): boolean {
  NAME_FOLLOWS.lastIndex = span.end + 1;
  if (names === undefined || !NAME_FOLLOWS.test(text)) return false;
  const name = unescapeName(text.slice(span.start, span.end + 1));
  if (names.has(name)) return true;
  names.add(name);
  return false;
}

function unescapeName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // A bad escape: the parser refuses the whole text, whatever name is noted here.
    return quoted;
  }
}
