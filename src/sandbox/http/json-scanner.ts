/** A string with neither escapes nor control characters, as nearly all are. */
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A place in a JSON text that moves on with everything that is read. */
export type JsonScanner = Readonly<{
  /** The next character; undefined at the end. */
  peek(): string | undefined;
  /** Moves past this character, if it is the next one. */
  takes(character: string): boolean;
  skipSpace(): void;
  readString(): string;
  /** The digits of a number as they are written. */
  readNumber(): string;
  /** `true`, `false` or `null`. */
  readWord(): unknown;
  fail(): never;
}>;

/** Reads the smallest parts of JSON (RFC 8259); throws SyntaxError at everything else. */
export function createJsonScanner(text: string): JsonScanner {
  let at = 0;

  function fail(): never {
    throw new SyntaxError(`The text is not JSON at character ${at + 1}.`);
  }

  /** Finds the end; the engine's own reader checks and resolves what is inside. */
  function readEscapedString(): string {
    const start = at;
    do {
      at += text[at] === '\\' ? 2 : 1;
      if (at >= text.length) fail();
    } while (text[at] !== '"');
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  }

  return {
    fail,
    peek: () => text[at],
    takes(character) {
      if (text[at] !== character) return false;
      at += 1;
      return true;
    },
    skipSpace() {
      while (isSpace(text[at])) at += 1;
    },
    readString() {
      PLAIN_STRING.lastIndex = at;
      const [plain] = PLAIN_STRING.exec(text) ?? [];
      if (plain === undefined) return readEscapedString();
      at += plain.length;
      return plain.slice(1, -1);
    },
    readNumber() {
      NUMBER.lastIndex = at;
      const [found] = NUMBER.exec(text) ?? fail();
      at += found.length;
      return found;
    },
    readWord() {
      for (const [word, value] of WORDS) {
        if (!text.startsWith(word, at)) continue;
        at += word.length;
        return value;
      }
      return fail();
    },
  };
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';
