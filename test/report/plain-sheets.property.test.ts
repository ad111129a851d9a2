import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, spreadsheetSafe } from '../../src/domain/files/csv.ts';
import type { ReportRow } from '../../src/domain/report/report.ts';
import { OUTCOMES } from '../../src/domain/settling/outcome.ts';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { nodeDisk } from '../../src/report/disk.ts';
import { startDrafts } from '../../src/report/drafts.ts';
import { createLineWriter, createTwoPartLineWriter } from '../../src/report/sheet.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { anyText } from '../support/any-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { plainSheets } from './support/plain-sheets.ts';
import { refusedRow, reasonFor, reportOf, row } from './support/reports.ts';

/** Fixed, so that every run tests the same files. */
const seed = 1;

const anyCell = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom('', 'a', 'a b', 'Löhne', '=1', ' a', 'a;=1', 'a\nb', '"', 'a,b', '\u{1F680}'),
);
/** Few values, so that rows often follow each other with the same cells. */
const oneOfFew = fc.constantFrom('', 'a', '=1', 'a,"b"', 'two\nlines');

const anyRows = fc
  .array(
    fc.record({
      address: anyCell,
      amount: fc.constantFrom('1', '1.5', '0.000001'),
      currency: fc.constantFrom('USDT_TRC20', 'BTC'),
      comment: anyCell,
      reference: anyCell,
      name: anyCell,
      outcome: fc.constantFrom(...OUTCOMES),
      reason: oneOfFew,
      chunk: fc.constantFrom(null, 0, 1, 2),
      massPayoutId: oneOfFew,
      idempotencyKey: fc.constantFrom('key-1', 'key-2'),
      withdrawalId: oneOfFew,
      transactionHash: oneOfFew,
      fee: fc.constantFrom('', '0.1'),
      feeCurrency: fc.constantFrom('', 'TRX'),
      seen: fc.constantFrom({}, {}, { seenPaid: true as const }),
      resent: fc.constantFrom({}, {}, { resentAs: 'again' }),
      isRefused: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ isRefused, seen, resent, ...own }, i): ReportRow => {
      const number = 2 + i;
      if (isRefused) return refusedRow(number, { reason: own.reason });
      return row(number, { ...own, ...seen, ...resent });
    }),
  );

describe('the files of a report', () => {
  it('have the bytes of a writer that tests every cell of every line', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const report = reportOf(rows);
        const disk = createMemoryDisk();
        const refused = rows.filter((each) => each.refused).map((each) => reasonFor(each.row));
        await writeReport({ dir: '/b', report, pages: [rows], refused }, disk);
        const others = ['nack.csv', 'summary.html', 'report.json'];
        const sheets = [...disk.files].filter(([name]) => !others.includes(name));
        expect(new Map(sheets)).toEqual(plainSheets(rows, report));
      }),
      { numRuns: 200, seed },
    );
  });
});

describe('a line in two parts', () => {
  const lineOf = fc.record({
    group: fc.constantFrom('a', 'b'),
    first: fc.tuple(anyCell, anyCell),
    last: fc.tuple(oneOfFew, oneOfFew, oneOfFew),
  });

  it('has the bytes of a line that is tested as a whole, after any lines', () => {
    fc.assert(
      fc.property(fc.array(lineOf, { maxLength: 20 }), (lines) => {
        const inTwoParts = createTwoPartLineWriter({ first: 2, last: 3 });
        const asWhole = createLineWriter(5);
        for (const line of lines) {
          const cells = [...line.first, ...line.last];
          const written = inTwoParts(line);
          expect(written).toBe(asWhole(cells));
          expect(written).toBe(`${csvLine(cells.map(spreadsheetSafe))}\n`);
        }
      }),
      { numRuns: 500, seed },
    );
  });
});

it('a draft has the bytes and the hash of its texts, of any length and in any blocks', async () => {
  const texts = fc.array(
    fc
      .tuple(anyCell, fc.constantFrom(1, 10, 3_000), fc.boolean())
      .map(([text, times, isFlushed]) => ({ text: `${text}|`.repeat(times), isFlushed })),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const folder = temporaryFolder();
      const drafts = await startDrafts(nodeDisk, folder);
      const draft = drafts.draft('a.csv', 'header\n');
      for (const { text, isFlushed } of given) {
        draft.add(text);
        if (isFlushed) await drafts.flush();
      }
      const expected = `header\n${given.map(({ text }) => text).join('')}`;
      const hashes = await drafts.hashes();
      await drafts.publish(['a.csv']);
      const written = readFileSync(join(folder, 'a.csv'));
      expect(written.equals(Buffer.from(expected, 'utf8'))).toBe(true);
      expect(hashes).toEqual([{ name: 'a.csv', sha256: sha256Hex(expected) }]);
    }),
    { numRuns: 40, seed },
  );
});
