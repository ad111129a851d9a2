import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type JsonValue,
  NumberLiteral,
  readJson,
  writeJson,
} from '../../src/sandbox/http/exact-json.ts';

const read = (text: string): unknown => readJson(Buffer.from(text, 'utf8'));

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

  it('leaves out what is undefined', () => {
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
        ) as JsonValue;
        expect(writeJson(texts)).toBe(JSON.stringify(texts));
      }),
    );
  });
});
