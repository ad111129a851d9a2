import { JsonScanner } from './json-scanner.ts';

/** Documented requests need far less. The limit protects the stack from hostile bodies. */
const DEPTH_MAX = 64;

type Source = Readonly<{ scanner: JsonScanner; toNumber: (text: string) => unknown }>;

/**
 * Reads a JSON document strictly. A repeated field is an error, even with the same value, and so is
 * nesting beyond 64.
 * `toNumber` gets the text of each number. Throws SyntaxError.
 */
export function parseJson(text: string, toNumber: (text: string) => unknown): unknown {
  const scanner = new JsonScanner(text);
  const document = readValue({ scanner, toNumber }, 0);
  return scanner.peek() === undefined ? document : scanner.fail();
}

function readValue(source: Source, depth: number): unknown {
  source.scanner.skipSpace();
  const value = readBareValue(source, depth);
  source.scanner.skipSpace();
  return value;
}

function readBareValue(source: Source, depth: number): unknown {
  const { scanner, toNumber } = source;
  switch (scanner.peek()) {
    case '{':
      return readObject(source, depth + 1);
    case '[':
      return readList(source, depth + 1);
    case '"':
      return scanner.readString();
    case 't':
    case 'f':
    case 'n':
      return scanner.readWord();
    default:
      return toNumber(scanner.readNumber());
  }
}

function readObject(source: Source, depth: number): object {
  const { scanner } = source;
  const fields = {};
  if (isEmpty(scanner, '{}', depth)) return fields;
  do {
    scanner.skipSpace();
    const name = scanner.peek() === '"' ? scanner.readString() : scanner.fail();
    if (Object.hasOwn(fields, name)) scanner.fail();
    scanner.skipSpace();
    if (!scanner.takes(':')) scanner.fail();
    put(fields, name, readValue(source, depth));
  } while (scanner.takes(','));
  return scanner.takes('}') ? fields : scanner.fail();
}

function readList(source: Source, depth: number): unknown[] {
  const { scanner } = source;
  const items: unknown[] = [];
  if (isEmpty(scanner, '[]', depth)) return items;
  do items.push(readValue(source, depth));
  while (scanner.takes(','));
  return scanner.takes(']') ? items : scanner.fail();
}

/** Opens an object or a list. Closes it at once and returns true when it is empty. */
function isEmpty(scanner: JsonScanner, brackets: '{}' | '[]', depth: number): boolean {
  if (depth > DEPTH_MAX || !scanner.takes(brackets.charAt(0))) scanner.fail();
  scanner.skipSpace();
  return scanner.takes(brackets.charAt(1));
}

/** `__proto__` is an ordinary field here. */
function put(fields: object, name: string, value: unknown): void {
  if (name !== '__proto__') (fields as Record<string, unknown>)[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true });
}
