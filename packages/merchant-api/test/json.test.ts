import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DoubledName } from '../src/json/json-value.ts';
import { parseJson, readJson } from '../src/json/read-json.ts';
import { JSON_DEPTH_MAX } from '../src/json/scan-json.ts';
import { type JsonValue, writeJson } from '../src/json/write-json.ts';
import { Unreadable } from '../src/response/unreadable.ts';
import { anyText } from '../../../test/support/any-text.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** The writer takes what the reader gives: `unknown` by type, JSON by nature. */
const rewrite = (text: string): string => writeJson(readJson(Buffer.from(text)) as JsonValue);

function errorOf(text: string): unknown {
  try {
    readJson(Buffer.from(text));
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('parseJson, which reads what is to be sent,', () => {
  it.each([
    ['an equal duplicate', '{"a":1,"a":1}'],
    ['an unequal duplicate', '{"id":"x","id":"y"}'],
    ['a duplicate behind an escape', '{"id":1,"\\u0069d":2}'],
    ['a duplicate deep inside', '[{"b":{"a":[],"c":1,"a":{}}}]'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":1}'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseJson(text)).toThrow(Unreadable);
  });
});

describe('readJson', () => {
  it.each([
    ['too deep nesting', nested(JSON_DEPTH_MAX + 1)],
    ['nesting that would exhaust the stack', nested(100_000)],
    ['unclosed nesting that would exhaust the stack', '{"a":'.repeat(100_000)],
    ['a cut object', '{"id":"x","state":"CRE'],
    ['a cut escape', '{"id":"\\'],
    ['a bad escape in a name', '{"\\x":1}'],
    ['no text at all', ''],
    ['two values', '{} {}'],
    ['a trailing comma', '{"a":1,}'],
    ['a leading plus', '{"a":+1}'],
    ['NaN', '{"a":NaN}'],
    ['HTML', '<html></html>'],
  ])('refuses %s', (_what, text) => {
    expect(() => readJson(Buffer.from(text))).toThrow(Unreadable);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toThrow(/UTF-8/);
  });

  it.each(['{"a":-CANARY}', '{"CANARY":1,"CANARY":2', '"CANARY', '{"a":"\\CANARY"}'])(
    'shows nothing of %s in its error',
    (text) => {
      expect(errorOf(text)).toBeInstanceOf(Unreadable);
      expect(inspect(errorOf(text), { depth: null, showHidden: true })).not.toContain('CANARY');
    },
  );

  it.each([
    ['nesting up to the limit', nested(JSON_DEPTH_MAX)],
    ['one name in two objects', '[{"a":1},{"a":1}]'],
    ['one name in an object and its child', '{"a":{"a":1}}'],
    ['a value that equals a name', '{"a":"a","b":"a:"}'],
    ['brackets, quotes and colons inside text', '{"a":"{[\\"a\\":","b":1}'],
    ['digits that no JavaScript number holds', '{"a":0.1000000000000000055511151231257827}'],
    ['exponents as they were written', '[1E-8,1e400,-0]'],
  ])('reads %s and keeps every character', (_what, text) => {
    expect(rewrite(text)).toBe(text);
  });

  it.each([
    ['an unequal duplicate', '{"id":"x","id":"y"}'],
    ['one value that is null', '{"id":"x","id":null}'],
    ['a duplicate behind an escape', '{"id":1,"\\u0069d":2}'],
    ['a duplicate with blanks around it', '{"id" : 1,\n "id"\t: 2}'],
    ['three values, of which two are equal', '{"id":1,"id":2,"id":2}'],
    ['an empty object after two values', '{"id":1,"id":2,"id":{}}'],
  ])('marks %s, and chooses no value', (_what, text) => {
    expect(readJson(Buffer.from(text))).toEqual({ id: new DoubledName() });
  });

  it('reads a name that comes twice with equal values', () => {
    expect(rewrite('{"a":{"b":[1]},"a":{"b":[1]}}')).toBe('{"a":{"b":[1]}}');
  });

  it('takes no object of the text for a number', () => {
    const text = '{"isLosslessNumber":true,"value":"5"}';
    expect(rewrite(`{"a":${text}}`)).toBe(`{"a":${text}}`);
  });

  it('treats a null member as absent and keeps a null in a list', () => {
    expect(rewrite('{"a":null,"b":[null,{"c":null}]}')).toBe('{"b":[null,{}]}');
  });

  it('does not let __proto__ change an object', () => {
    const record = readJson(Buffer.from('{"__proto__":{"id":"x"}}')) as { id?: unknown };
    expect(record.id).toBeUndefined();
  });

  it('strips a byte order mark', () => {
    expect(readJson(Buffer.from('\uFEFF"x"'))).toBe('x');
  });

  it('reads what JSON.parse reads, for any value without null', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        anyText(),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('node')),
        fc.dictionary(fc.string(), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(value, (json) => {
        expect(JSON.parse(rewrite(JSON.stringify(json)))).toEqual(JSON.parse(JSON.stringify(json)));
      }),
    );
  });

  it('either reads or throws Unreadable, whatever the bytes', () => {
    const soup = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' '),
    });
    fc.assert(
      fc.property(soup, (text) => {
        const error = errorOf(text);
        if (error !== undefined) expect(error).toBeInstanceOf(Unreadable);
        else expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
