/** A string with neither escapes nor control characters, as nearly all are. */
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * A place in a JSON text that moves on with everything that is read: the smallest parts of JSON (RFC
 * 8259). Throws SyntaxError at everything else. A class, because one is made for every request.
 */
export class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(): never {
    throw new SyntaxError(`The text is not JSON at character ${this.#at + 1}.`);
  }

  /** The next character; undefined at the end. */
  peek(): string | undefined {
    return this.#text[this.#at];
  }

  /** Moves past this character, if it is the next one. */
  takes(character: string): boolean {
    if (this.peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  skipSpace(): void {
    while (isSpace(this.peek())) this.#at += 1;
  }

  readString(): string {
    const start = this.#at;
    return this.#skips(PLAIN_STRING)
      ? this.#text.slice(start + 1, this.#at - 1)
      : this.#readEscapedString();
  }

  /** The digits of a number as they are written. */
  readNumber(): string {
    const start = this.#at;
    return this.#skips(NUMBER) ? this.#text.slice(start, this.#at) : this.fail();
  }

  /** `true`, `false` or `null`. */
  readWord(): unknown {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.fail();
  }

  /** Moves past what the pattern finds here, if it finds anything. */
  #skips(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isFound = pattern.test(this.#text);
    if (isFound) this.#at = pattern.lastIndex;
    return isFound;
  }

  /** Finds the end; the engine's own reader checks and resolves what is inside. */
  #readEscapedString(): string {
    const start = this.#at;
    do {
      this.#at += this.peek() === '\\' ? 2 : 1;
      if (this.#at >= this.#text.length) this.fail();
    } while (this.peek() !== '"');
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';
