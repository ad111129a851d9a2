import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJson } from '../src/json/read-json.ts';
import { readMassPayoutRecord } from '../src/records/mass-payout.ts';
import { readPayoutRecord } from '../src/records/payout.ts';
import type { UnreadableParts } from '../src/records/unreadable-parts.ts';
import { Unreadable } from '../src/response/unreadable.ts';

const MASS_PAYOUT = {
  id: 'mp-1',
  state: 'PARTIAL',
  idempotencyKey: 'k',
  companyId: 'c',
  account: 'a',
  comment: 'c',
  name: 'n',
  currency: 'USDT_TRC20',
  totalWithdrawalAmount: '1000.5',
  totalFee: '9.9',
  totalFeePercentage: '1',
  executionDate: '2026-11-20T10:00:00Z',
  externalId: 'b/1/0',
};
const PAYOUT = {
  id: 'w-1',
  state: 'FAILED',
  account: 'a',
  depositAddress: 'T1',
  amount: '12.5',
  currency: 'USDT_TRC20',
  fee: '0.1',
  feePercentage: '1',
  feeCurrency: 'USDT_TRC20',
  blockchainFee: '0.1',
  blockchainFeeCurrency: 'TRX',
  createdDate: '2026-11-20T10:00:00Z',
  transactionHash: '0xab',
  comment: 'c',
  idempotencyKey: 'k',
};

type Reader = (json: unknown) => Readonly<{ unreadableParts: UnreadableParts }>;
type Kind = Readonly<{ base: Readonly<Record<string, string>>; read: Reader; extra: object }>;

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'mass payout',
    {
      base: MASS_PAYOUT,
      read: readMassPayoutRecord,
      extra: { withdrawalErrors: [], unreadableParts: [] },
    },
  ],
  ['payout', { base: PAYOUT, read: readPayoutRecord, extra: { unreadableParts: [] } }],
];
const isAmount = (name: string): boolean => /amount|fee(percentage)?$/i.test(name);

/** Reads an object as it would come over the wire. */
const readAs = (read: Reader, record: object): ReturnType<Reader> =>
  read(readJson(Buffer.from(JSON.stringify(record))));

describe.each(KINDS)('reading a %s', (_what, { base, read, extra }) => {
  it('ignores any field it does not know, wherever it stands', () => {
    const unknownName = fc.string().filter((name) => !(name in base) && name !== 'errors');
    fc.assert(
      fc.property(fc.dictionary(unknownName, fc.jsonValue()), fc.boolean(), (more, first) => {
        const record = first ? { ...more, ...base } : { ...base, ...more };
        expect(readAs(read, record)).toEqual({ ...base, ...extra });
      }),
    );
  });

  it('takes any optional field as absent when it is missing or null', () => {
    const optional = Object.keys(base).filter((name) => name !== 'id' && name !== 'state');
    fc.assert(
      fc.property(fc.subarray(optional), fc.boolean(), (names, asNull) => {
        const expected: Record<string, unknown> = { ...base, ...extra };
        const record: Record<string, unknown> = { ...base };
        for (const name of names) {
          delete expected[name];
          if (asNull) record[name] = null;
          else delete record[name];
        }
        const value = readAs(read, record);
        expect(value).toEqual(expected);
        for (const name of names) expect(value).not.toHaveProperty(name);
      }),
    );
  });

  it('keeps a state that nobody has heard of', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (state) => {
        expect(readAs(read, { ...base, state })).toMatchObject({ state });
      }),
    );
  });

  const isCertain = (name: string): boolean => ['id', 'state'].includes(name) || isAmount(name);
  const wrongFor = (name: string): fc.Arbitrary<unknown> =>
    fc.oneof(
      fc.boolean(),
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      isAmount(name) ? fc.constantFrom('', 'x', '1,5', '1e101', ' 1') : fc.constantFrom(-1, 0.5),
    );

  it.each(Object.keys(base).filter((name) => !isCertain(name)))(
    'lists a %s of another type, and reads all else',
    (name) => {
      fc.assert(
        fc.property(wrongFor(name), (value) => {
          const { [name]: _, ...rest } = base;
          const unreadableParts = [{ path: name, problem: 'is not text' }];
          expect(readAs(read, { ...base, [name]: value })).toEqual({
            ...rest,
            ...extra,
            unreadableParts,
          });
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(Object.keys(base).filter(isCertain))('refuses a %s of another type', (name) => {
    const wrong = wrongFor(name);
    fc.assert(
      fc.property(wrong, (value) => {
        expect(() => readAs(read, { ...base, [name]: value })).toThrow(Unreadable);
      }),
      { numRuns: 25 },
    );
  });

  it.each(['id', 'state'])('refuses a record without %s', (name) => {
    expect(() => readAs(read, { ...base, [name]: null })).toThrow(Unreadable);
    expect(() => readAs(read, { ...base, [name]: '' })).toThrow(Unreadable);
  });

  it('throws nothing but Unreadable, whatever the answer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        let error: unknown;
        try {
          read(readJson(Buffer.from(JSON.stringify(json))));
        } catch (caught) {
          error = caught;
        }
        if (error !== undefined) expect(error).toBeInstanceOf(Unreadable);
      }),
    );
  });

  it('unwraps {data} only when the top level has no id', () => {
    expect(readAs(read, { data: base, more: 1 })).toEqual({ ...base, ...extra });
    expect(readAs(read, { ...base, data: { id: 'other', state: 'X' } })).toMatchObject(base);
  });
});

describe('the errors of a payout', () => {
  it.each([
    ['an object', '{ "a" : [1.50, null] }', '{"a":[1.50,null]}'],
    ['a text', '"no gas"', '"no gas"'],
    ['a list', '[1E400]', '[1E400]'],
    ['hidden characters', '"a\u202eb"', '"ab"'],
    ['a long text', `"${'x'.repeat(5_000)}"`, `"${'x'.repeat(999)}`],
  ])('become text when they are %s', (_what, errors, text) => {
    const json = readJson(Buffer.from(`{"id":"1","state":"FAILED","errors":${errors}}`));
    expect(readPayoutRecord(json).errors).toBe(text);
  });
});
