import { createJsonScanner } from './json-scanner.ts';

/** Nesting that no documented request comes near to; the bound keeps hostile bodies from the stack. */
const DEPTH_MAX = 64;

/**
 * Reads a JSON document strictly: a field given twice is an error, even with the same value, and so is
 * nesting beyond 64. Numbers are handed to `readNumber` as they are written. Throws SyntaxError.
 */
export function parseJson(text: string, readNumber: (text: string) => unknown): unknown {
  const scanner = createJsonScanner(text);
  const document = readValue(0);
  return scanner.peek() === undefined ? document : scanner.fail();

  function readValue(depth: number): unknown {
    scanner.skipSpace();
    const value = readBareValue(depth);
    scanner.skipSpace();
    return value;
  }

  function readBareValue(depth: number): unknown {
    switch (scanner.peek()) {
      case '{':
        return readObject(depth + 1);
      case '[':
        return readList(depth + 1);
      case '"':
        return scanner.readString();
      case 't':
      case 'f':
      case 'n':
        return scanner.readWord();
      default:
        return readNumber(scanner.readNumber());
    }
  }

  function readObject(depth: number): object {
    const fields = {};
    if (isEmpty('{', '}', depth)) return fields;
    do {
      scanner.skipSpace();
      const name = scanner.peek() === '"' ? scanner.readString() : scanner.fail();
      if (Object.hasOwn(fields, name)) scanner.fail();
      scanner.skipSpace();
      if (!scanner.takes(':')) scanner.fail();
      put(fields, name, readValue(depth));
    } while (scanner.takes(','));
    return scanner.takes('}') ? fields : scanner.fail();
  }

  function readList(depth: number): unknown[] {
    const items: unknown[] = [];
    if (isEmpty('[', ']', depth)) return items;
    do items.push(readValue(depth));
    while (scanner.takes(','));
    return scanner.takes(']') ? items : scanner.fail();
  }

  /** Opens an object or a list, and closes it at once when there is nothing in it. */
  function isEmpty(opening: string, closing: string, depth: number): boolean {
    if (depth > DEPTH_MAX || !scanner.takes(opening)) scanner.fail();
    scanner.skipSpace();
    return scanner.takes(closing);
  }
}

/** `__proto__` is a field like any other. */
function put(fields: object, name: string, value: unknown): void {
  if (name !== '__proto__') (fields as Record<string, unknown>)[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true });
}
