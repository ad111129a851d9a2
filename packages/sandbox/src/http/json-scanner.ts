/** A string with neither escapes nor control characters. Nearly all strings are such. */
const PLAIN_STRING = /"[^"\\\p{Cc}]*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * A position in a JSON text, which advances over the smallest parts of JSON (RFC 8259). Throws
 * SyntaxError for other text.
 * It is a class because every request creates one.
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

  /** Returns the next character, or undefined at the end. */
  peek(): string | undefined {
    return this.#text[this.#at];
  }

  /** Advances over this character and returns true, if it is the next one. */
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

  /** Returns the text of a number. */
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

  /** Advances over a match of the pattern and returns true, if there is one here. */
  #skips(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isFound = pattern.test(this.#text);
    if (isFound) this.#at = pattern.lastIndex;
    return isFound;
  }

  /** Finds the end of the string. JSON.parse then checks and decodes it. */
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
