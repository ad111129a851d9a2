import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBursarError } from '../../src/domain/errors/bursar-error.ts';
import { csvLine } from '../../src/domain/files/csv.ts';
import { COLUMNS } from '../../src/domain/rows/row.ts';
import { anyText } from '../support/any-text.ts';
import { createRandom, tronAddress } from '../support/payout-files.ts';
import { HEADER, type Ingested, ingestText, TRON } from './support/ingest.ts';

type Outcome = Ingested | Readonly<{ code: string; facts: unknown }>;

/** Returns the result of the import, or the refusal. Any other error fails the test. */
async function outcomeOf(content: string | Uint8Array, readBytes: number): Promise<Outcome> {
  try {
    return await ingestText(content, { readBytes, chunkRows: 3 });
  } catch (error) {
    if (!isBursarError(error)) throw error;
    return { code: error.code, facts: error.facts };
  }
}

/** Text with the usual damage of files. */
const damaged = fc
  .array(
    fc.oneof(
      fc.constantFrom(TRON, '1', '1.5', 'TRX', ',', ',', ',', '"', '""', '\n', '\n', '\r\n'),
      fc.constantFrom('\r', ';', '\t', ' ', '\u00fc', '\u200b', '\u{1F600}', '\0', '=1'),
      anyText({ maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => HEADER + pieces.join(''));

describe('any bytes', () => {
  it('are imported or refused with a code', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map((tail) => Buffer.concat([Buffer.from(HEADER), tail])),
      fc.uint8Array({ maxLength: 300 }).map((content) => gzipSync(content)),
      fc
        .uint8Array({ maxLength: 60 })
        .map((tail) => Buffer.concat([gzipSync(HEADER).subarray(0, 30), tail])),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        expect(await outcomeOf(content, 65_536)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it('give the same result or refusal for any cut into blocks', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.integer({ min: 1, max: 40 }), async (text, readBytes) => {
        expect(await outcomeOf(text, readBytes)).toEqual(await outcomeOf(text, 65_536));
      }),
      { numRuns: 300 },
    );
  });

  it('account for every line that is not blank, once', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, async (text) => {
        const outcome = await outcomeOf(text, 65_536);
        if ('code' in outcome) return;
        const { summary, rows, refused } = outcome;
        const lines = [...rows, ...refused].map(({ row }) => row);
        expect(new Set(lines).size).toBe(summary.rows);
        expect(rows.length + summary.refusedRows).toBe(summary.rows);
      }),
      { numRuns: 300 },
    );
  });
});

describe('written rows', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcXYZ019,;"\'= \u00fc\u20ac\u{1F680}'),
    maxLength: 20,
  });
  const trimmed = word.map((text) => `.${text}.`);
  const comment = fc.oneof(
    fc.constant(''),
    trimmed,
    fc.tuple(trimmed, fc.constantFrom('first', 'second')).map(([a, b]) => `${a}\n${b}`),
  );
  const row = fc.record({
    address: fc.integer().map((seed) => tronAddress(createRandom(seed))),
    amount: fc
      .tuple(fc.integer({ min: 1 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`.replace(/\.?0+$/, '')),
    currency: fc.constantFrom('USDT_TRC20', 'TRX', 'FOO_TRC20'),
    comment,
    reference: fc.constant(''),
    name: fc.oneof(fc.constant(''), trimmed),
  });
  const table = fc
    .array(row, { minLength: 1, maxLength: 8 })
    .map((rows) => rows.map((cells, i) => ({ ...cells, reference: `R ${i}, "${i}"` })));

  it('are read back equal for any cut of the file into blocks', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 64 }), async (rows, readBytes) => {
        const lines = rows.map((cells) => csvLine(COLUMNS.map((column) => cells[column])));
        const text = [csvLine(COLUMNS), ...lines, ''].join('\n');
        const read = await ingestText(text, { readBytes });
        expect(read.refused).toEqual([]);
        const byLine = [...read.rows].sort((a, b) => a.row - b.row);
        expect(byLine).toEqual(rows.map((cells, i) => ({ ...cells, row: byLine[i]?.row })));
      }),
      { numRuns: 200 },
    );
  });

  it('are read back equal in blocks of one byte, packed or not', async () => {
    const text = [
      'address;amount;currency;comment',
      `${TRON};1.5;TRX;"\u00fc; ""\u{1F680}""\r\nline two"`,
      `${TRON};2;TRX;\u20ac`,
      '',
    ].join('\r\n');
    const whole = await ingestText(text);
    const bytewise = await ingestText(text, { readBytes: 1 });
    const packed = await ingestText(gzipSync(text), { readBytes: 1 });
    expect(whole.rows.map((read) => [read.row, read.comment])).toEqual([
      [2, '\u00fc; "\u{1F680}"\nline two'],
      [4, '\u20ac'],
    ]);
    expect(bytewise).toEqual(whole);
    expect(packed.chunks).toEqual(whole.chunks);
  });
});
