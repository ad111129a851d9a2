import { buildMassPayoutPayload } from '@bursar/merchant-api';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sentRows, writeIntent } from '../../../src/activities/send/payload.ts';
import { packRows, unpackRows } from '../../../src/domain/rows/row.ts';
import { checkFreeText } from '../../../src/domain/rows/row-rules-text.ts';
import { sha256Hex } from '../../../src/domain/sending/identity.ts';
import { anyText } from '../../support/any-text.ts';

const asciiText = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 });

/** Texts that an import accepts, with the characters that JSON escapes. */
const freeText = (column: 'comment' | 'reference' | 'name') =>
  fc
    .oneof(
      asciiText,
      anyText({ maxLength: 60 }),
      fc.constantFrom('', 'a\nb', '"', '\\', '\\"', '],['),
    )
    .filter((text) => checkFreeText(column, text) === undefined);

const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }), fc.stringMatching(/^(\d{0,35}[1-9])?$/))
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

const rows = fc.array(
  fc.record({
    row: fc.integer({ min: 1, max: 30_000_000 }),
    address: asciiText,
    amount: fc.oneof(amount, fc.constantFrom('0.5', '0.000001', '10')),
    comment: freeText('comment'),
    reference: freeText('reference'),
    name: fc.oneof(fc.constant(''), freeText('name')),
  }),
  { minLength: 1, maxLength: 20 },
);

const chunk = {
  chunk: 3,
  currency: 'USDT_TRC20',
  idempotencyKey: '9b2e8a3e-7d0a-4c7e-8f2b-3d5a6c7b8a90',
  externalId: 'b-3',
};
const SUBMITTED_AT = '2026-11-20T08:00:00.000Z';
const submittedAtMs = Date.parse(SUBMITTED_AT);
const batch = { batchId: 'b', code: 'k7m2p9qa', submittedAtMs, chunk };

/** The payload as the merchant API's client writes it from objects, with all of its checks. */
const builtPayload = (
  { options, fields }: Pick<Parameters<typeof writeIntent>[0], 'options' | 'fields'>,
  packed: string,
): string => {
  const isEvery = fields === 'all';
  const executionDate = options.executionDate ?? (isEvery ? SUBMITTED_AT : undefined);
  return buildMassPayoutPayload({
    currency: chunk.currency,
    name: `b/${chunk.chunk}`,
    ...(isEvery ? { comment: `Chunk ${chunk.chunk} of batch b` } : {}),
    massAddresses: sentRows({ ...batch, options }, unpackRows(packed)).map((sent) => ({
      depositAddress: sent.address,
      amount: sent.amount,
      ...(sent.comment === '' && !isEvery ? {} : { comment: sent.comment }),
    })),
    idempotencyKey: chunk.idempotencyKey,
    externalId: chunk.externalId,
    ...(executionDate === undefined ? {} : { executionDate }),
  });
};

describe('the payload of a chunk', () => {
  it('is joined from the staged rows to the bytes that the client of the merchant API builds', () => {
    const options = fc.record({
      rowTag: fc.constantFrom('append', 'off'),
      executionDate: fc.constantFrom(null, '2026-12-01T08:00:00Z'),
    });
    const fields = fc.constantFrom('needed', 'all');
    fc.assert(
      fc.property(options, fields, rows, (chosen, createFields, sent) => {
        const packed = packRows(sent);
        const format = { options: chosen, fields: createFields };
        const { payload, payloadSha256 } = writeIntent({ ...batch, ...format }, packed);
        expect(payload).toBe(builtPayload(format, packed));
        expect(payloadSha256).toBe(sha256Hex(payload));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has no name of a payee', () => {
    const named = {
      row: 2,
      address: 'T1',
      amount: '5',
      comment: '',
      reference: '',
      name: 'Zoe "Z" Fox',
    };
    const format = { options: { rowTag: 'off', executionDate: null }, fields: 'all' } as const;
    const { payload } = writeIntent({ ...batch, ...format }, packRows([named]));
    expect(payload).toBe(
      writeIntent({ ...batch, ...format }, packRows([{ ...named, name: '' }])).payload,
    );
    expect(payload).not.toContain('Fox');
  });

  it.each([
    ['no rows', '[]'],
    ['a row cut off', '[[2,"TJR","1","a",""],[3,"TJR","1"]]'],
    ['an amount with a zero at its end', '[[2,"TJR","1.50","a",""]]'],
    ['an amount as a number', '[[2,"TJR",1.5,"a",""]]'],
    ['text after the rows', '[[2,"TJR","1.5","a",""]],'],
    ['a control character', '[[2,"TJR","1.5","a\u0000",""]]'],
  ])('is not written from %s', (_, packed) => {
    const options = { rowTag: 'off', executionDate: null } as const;
    expect(() => writeIntent({ ...batch, options, fields: 'needed' }, packed)).toThrow(
      'as an import packs them',
    );
  });
});
