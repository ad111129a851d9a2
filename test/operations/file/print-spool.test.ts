import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PrintSpool, withPrintSpool } from '../../../src/operations/file/print-spool.ts';
import { PRINT_WORDS, type PrintSegment } from '../../../src/domain/plan/row-print.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Prints that are told apart by every word; `from` is the first of them. */
const printsFrom = (from: number, rows: number): Int32Array =>
  Int32Array.from({ length: rows * PRINT_WORDS }, (_, i) => Math.imul(from + i, 0x9e3779b1));

/** Of each currency, in turn, the words that stand one after the other. */
async function wordsOf(segments: Iterable<PrintSegment> | AsyncIterable<PrintSegment>) {
  const runs: { currency: string; words: number[] }[] = [];
  for await (const { currency, prints } of segments) {
    if (runs.at(-1)?.currency !== currency) runs.push({ currency, words: [] });
    for (const word of prints) runs.at(-1)?.words.push(word);
  }
  return runs;
}

async function addAll(spool: PrintSpool, segments: readonly PrintSegment[]): Promise<void> {
  for (const segment of segments) await spool.add(segment);
}

describe('fingerprints on the disk', () => {
  it('come back in the order of their writes, any number of times', async () => {
    const part = fc.record({
      currency: fc.constantFrom('TRX', 'USDT_TRC20', 'BTC'),
      rows: fc.constantFrom(1, 7, 2_047, 2_048, 2_049),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const segments = parts.map(({ currency, rows }, i) => ({
          currency,
          prints: printsFrom(i * 100_000, rows),
        }));
        await withPrintSpool(temporaryFolder(), async (spool) => {
          await addAll(spool, segments);
          const wanted = await wordsOf(segments);
          for (let time = 0; time < 2; time++) {
            expect(await wordsOf(spool.segments())).toEqual(wanted);
          }
        });
      }),
      { numRuns: 12 },
    );
  });

  it('can be read while they are read', async () => {
    await withPrintSpool(temporaryFolder(), async (spool) => {
      const segments = [{ currency: 'TRX', prints: printsFrom(0, 5_000) }];
      await addAll(spool, segments);
      const wanted = await wordsOf(segments);
      const outer: number[] = [];
      for await (const { prints } of spool.segments()) {
        expect(await wordsOf(spool.segments())).toEqual(wanted);
        outer.push(...prints);
      }
      expect(outer).toEqual(wanted[0]?.words);
    });
  });

  it('leave no file behind, however the command ends', async () => {
    const folder = temporaryFolder();
    await withPrintSpool(folder, async (spool) => {
      await spool.add({ currency: 'TRX', prints: printsFrom(0, 3_000) });
      // Already now: a process that is killed cleans nothing up.
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  it('are refused in one sentence where nothing can be written', async () => {
    const folder = temporaryFolder();
    rmSync(folder, { recursive: true });
    const writing = withPrintSpool(folder, () => Promise.resolve());
    await expect(writing).rejects.toMatchObject({
      code: 'TEMPORARY_UNUSABLE',
      facts: { folder, reason: expect.stringContaining('ENOENT') },
    });
  });
});
