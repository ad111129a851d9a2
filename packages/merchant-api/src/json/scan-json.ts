/**
 * Largest depth of brackets in one text. The parser recurses, so a hostile text without this limit
 * could exhaust the stack.
 */
export const JSON_DEPTH_MAX = 64;

/** A flaw that the parser accepts: text nested too deep, or an object with one name twice. */
export type JsonFlaw = 'too-deep' | 'duplicate-key';

type Level = Set<string> | undefined;

const NAME_FOLLOWS = /[ \t\n\r]*:/y;

/**
 * Returns the first flaw that the parser accepts, or undefined without one. For example, the parser
 * accepts a repeated name with two equal values. Text that is not JSON is left to the parser.
 */
export const findJsonFlaw = (text: string): JsonFlaw | undefined => scan(text, repeatsName);

/** Whether a text is nested deeper than `JSON_DEPTH_MAX`. */
export const isTooDeep = (text: string): boolean => scan(text, () => false) === 'too-deep';

function scan(text: string, isFlaw: typeof repeatsName): JsonFlaw | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (isFlaw(levels.at(-1), text, { start: at, end })) return 'duplicate-key';
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
    // A bad escape: the parser refuses the whole text, so the name does not matter.
    return quoted;
  }
}
