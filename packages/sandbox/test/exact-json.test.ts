import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ExactJsonValue, NumberLiteral, readJson, writeJson } from '../src/http/exact-json.ts';

const read = (text: string): unknown => readJson(Buffer.from(text, 'utf8'));

function isAccepted(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The value with its numbers as JavaScript has them. */
function plain(value: unknown): unknown {
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}

describe('reading', () => {
  it.each(['0.1000000000000000055', '123456789012345678901234567890', '1E-8', '-0', '1e400'])(
    'keeps the number %s as it is written',
    (text) => {
      expect(read(text)).toEqual(new NumberLiteral(text));
    },
  );

  it.each([
    ['nothing', ''],
    ['a field given twice', '{"a":1,"a":2}'],
    ['a field given twice with one value', '{"a":1,"a":1}'],
    ['a field given twice in two ways', '{"a":1,"\\u0061":1}'],
    ['__proto__ given twice', '{"__proto__":1,"__proto__":1}'],
    ['65 lists in each other', '['.repeat(65) + ']'.repeat(65)],
    ['a comma too many', '[1,]'],
    ['a comma too few', '{"a":1 "b":2}'],
    ['a text that does not end', '"a'],
    ['an escape that does not end', '"\\'],
    ['an unknown escape', '"\\x"'],
    ['a line break in a text', '"a\nb"'],
    ['white space that JSON does not allow', '\u00a0{}'],
    ['a plus', '+1'],
    ['a point without digits', '1.'],
    ['half a word', 'tru'],
    ['a cut document', '{"a":1'],
    ['text after the end', '{} {}'],
    ['a comment', '{/* */}'],
    ['a leading zero', '{"a":01}'],
    ['not a number', 'NaN'],
    ['a byte order mark', '\ufeff{}'],
    ['extreme nesting', '['.repeat(200_000)],
  ])('refuses %s', (_name, text) => {
    expect(() => read(text)).toThrow();
  });

  it('takes as much nesting as anybody needs', () => {
    expect(read('['.repeat(64) + ']'.repeat(64))).toBeInstanceOf(Array);
  });

  it('agrees with JSON.parse on everything but numbers, however it is laid out', () => {
    const layouts = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), layouts, (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(plain(read(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
    );
  });

  it('refuses exactly the texts that JSON.parse refuses', () => {
    const text = fc.array(fc.constantFrom(...'{}[],:"\\ 10.-eE+tfn', 'true', 'null', '"a"'));
    fc.assert(
      fc.property(text, (parts) => {
        if (isAccepted(() => read(parts.join('')))) {
          expect(isAccepted(() => JSON.parse(parts.join('')) as unknown)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow();
  });

  it('takes __proto__ as a field like any other', () => {
    expect(Object.keys(read('{"__proto__":{"a":1}}') as object)).toEqual(['__proto__']);
  });
});

describe('writing', () => {
  it('splices numbers in as they are', () => {
    expect(writeJson({ a: new NumberLiteral('0.10'), b: [1, null, true] })).toBe(
      '{"a":0.10,"b":[1,null,true]}',
    );
  });

  it('leaves out undefined fields', () => {
    expect(writeJson({ a: undefined, b: 'x' })).toBe('{"b":"x"}');
  });

  it.each([0.5, Number.NaN, 2 ** 53])('refuses the inexact number %d', (value) => {
    expect(() => writeJson(value)).toThrow('NumberLiteral');
  });

  it('agrees with JSON.stringify on everything but numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const texts = JSON.parse(
          JSON.stringify(value, (_name, field: unknown) =>
            typeof field === 'number' ? String(field) : field,
          ),
        ) as ExactJsonValue;
        expect(writeJson(texts)).toBe(JSON.stringify(texts));
      }),
    );
  });
});
