import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';
import { EVM, HEADER, TRON, TRON_2 } from '../../ingest/support/ingest.ts';
import { eventually } from '../../support/eventually.ts';
import { contentOf, newBatch, planNamed } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  BATCH,
  type ChunkEnd,
  earlyInTest,
  type EarlyInTest,
  endChunk,
  leaveDrafts,
  planFile,
  writeAtEnd,
} from './support/early-batch.ts';

/** Cells that a spreadsheet would run, split or cut. */
const HOSTILE = ['=1+1', '"a ""b"""', '"two\nlines"', '\u{1F680} ,;', "'=1", ' a ', ''];

const cellOf = (text: string): string =>
  text.startsWith('"') ? text : `"${text.replaceAll('"', '""')}"`;

/** Rows of three currencies in turns, one of them rare, with hostile comments and refused rows. */
const MIXED =
  HEADER +
  Array.from({ length: 40 }, (_, i) => {
    const comment = cellOf(HOSTILE[i % HOSTILE.length] ?? '');
    if (i % 13 === 5) return `${TRON},1e3,TRX,${comment},\n`;
    if (i % 17 === 3) return `${EVM},0.000000000000000001,ETH,${comment},r${i}\n`;
    return `${i % 2 === 0 ? TRON : TRON_2},${i + 1}.50,${i % 2 === 0 ? 'TRX' : 'USDT_TRC20'},${comment},\n`;
  }).join('');

const PAID: ChunkEnd = { rest: 'PAID', named: null, reason: '' };
const FAILED_FIRST: ChunkEnd = { rest: 'PAID', named: 'FAILED', reason: '=blocked' };

let folder: string;
let store: Store;
let early: EarlyInTest;

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  early = earlyInTest(store, folder);
});

afterEach(async () => {
  await early.close();
  await store.close();
});

async function chunksOf(): Promise<number[]> {
  return (await store.chunks.list(BATCH)).map(({ chunk }) => chunk);
}

/** Waits until the rows of a chunk are read for their lines. */
const untilRead = (chunk: number): Promise<true> =>
  eventually(`the rows of chunk ${chunk} are read`, () => early.read.includes(chunk) || undefined);

/** Plans a file of one currency, and writes the lines of all its chunks but the last. */
async function writeAllButTheLast(): Promise<number> {
  const rows = Array.from({ length: 30 }, (_, i) => `${TRON},${i + 1},TRX,c${i},\n`);
  await planFile(store, folder, HEADER + rows.join(''));
  const chunks = await chunksOf();
  const last = chunks.length - 1;
  early.follow(BATCH, chunks);
  for (const chunk of chunks.slice(0, -1)) await endChunk(store, chunk, FAILED_FIRST);
  early.follow(BATCH, chunks);
  await untilRead(last - 1);
  await endChunk(store, last, FAILED_FIRST);
  return last;
}

/** Ends the report early and from its first row, and expects the same bytes and hashes. */
async function expectSameBytes(): Promise<Readonly<Record<string, string>>> {
  const written = await writeAtEnd(store, folder, early);
  const plain = await writeAtEnd(store, folder);
  expect(written).toEqual(plain);
  expect(Object.keys(written.files)).toContain('report.csv');
  return written.files;
}

const anyEnd: fc.Arbitrary<ChunkEnd> = fc.record({
  rest: fc.constantFrom<Outcome>('PAID', 'FAILED', 'UNKNOWN', 'NOT_SENT'),
  named: fc.constantFrom<Outcome | null>(null, 'PAID', 'FAILED', 'UNKNOWN'),
  reason: fc.constantFrom('', '=1+1', 'a,"b"\nc'),
});

describe('a report whose lines are written as outcomes become final', () => {
  it('has the bytes of one that is written at the end, for any ends of chunks in any order', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEnd, { minLength: 1 }),
        fc.infiniteStream(fc.nat()),
        async (ends, picks) => {
          const own = temporaryFolder();
          store = await openTestStore(own);
          const reports = earlyInTest(store, own);
          await planFile(store, own, MIXED);
          const open = await chunksOf();
          while (open.length > 0) {
            const [chunk = 0] = open.splice((picks.next().value ?? 0) % open.length, 1);
            await endChunk(store, chunk, ends[chunk % ends.length] ?? PAID);
            if ((picks.next().value ?? 0) % 2 === 0) reports.follow(BATCH, [chunk]);
          }
          reports.follow(BATCH, []);
          const written = await writeAtEnd(store, own, reports);
          expect(reports.used).toEqual([true]);
          expect(written).toEqual(await writeAtEnd(store, own));
          expect(Object.keys(written.files)).toContain('nack.csv');
          compared += 1;
          await store.close();
        },
      ),
      { numRuns: 25, seed: 1 },
    );
    expect(compared).toBe(25);
    store = await openTestStore(folder);
  });

  it('reads the rows of each chunk once, and those of final chunks before the end', async () => {
    const last = await writeAllButTheLast();
    const chunks = Array.from({ length: last + 1 }, (_, chunk) => chunk);
    expect(early.read).toEqual(chunks.slice(0, -1));
    await expectSameBytes();
    expect(early.used).toEqual([true]);
    expect(early.read).toEqual(chunks);
  });

  it('waits for a chunk that is open, and has its rows when the batch ends', async () => {
    await planFile(store, folder, MIXED);
    const chunks = await chunksOf();
    for (const chunk of chunks.slice(1)) await endChunk(store, chunk, PAID);
    early.follow(BATCH, chunks);
    await endChunk(store, 0, FAILED_FIRST);
    await expectSameBytes();
    expect(early.used).toEqual([true]);
  });

  it('is used by one end only, and removed when a second one comes before it has its names', async () => {
    await writeAllButTheLast();
    const { report } = await writeAtEnd(store, temporaryFolder());
    const ending = { batchId: BATCH, chunks: await store.chunks.list(BATCH), report };
    let isUsedTwice: boolean | undefined;
    const onHashed = async (): Promise<void> => {
      isUsedTwice = await early.write({ ...ending, onHashed: () => Promise.resolve() });
    };
    await expect(early.write({ ...ending, onHashed })).rejects.toThrow('has no early report');
    expect(isUsedTwice).toBe(false);
    expect(readdirSync(join(folder, BATCH))).toEqual([]);
  });

  it('is removed when another worker has ended the batch', async () => {
    await writeAllButTheLast();
    await early.dropEnded();
    expect(early.isEmpty()).toBe(false);
    await store.batches.end(BATCH, { state: 'COMPLETED', atMs: 1, error: null });
    await early.dropEnded();
    expect(early.isEmpty()).toBe(true);
    early.follow(BATCH, []);
    await eventually('the ended batch is refused', () => early.isEmpty() || undefined);
  });
});

describe('is written from its first row, with the facts of the store,', () => {
  const CHANGES: readonly (readonly [string, (last: number) => Promise<unknown>])[] = [
    [
      'when a verdict was taken back and is another one',
      () => endChunk(store, 0, { rest: 'FAILED', named: null, reason: 'returned' }),
    ],
    [
      'when one row of a chunk has another outcome',
      (last) => endChunk(store, last - 1, { ...FAILED_FIRST, named: 'UNKNOWN' }),
    ],
    [
      'when the id of a mass payout is another one',
      () => writableDb(store).updateTable('chunk').set({ mass_payout_id: 'mp-x' }).execute(),
    ],
    [
      'when the hash of a transaction came later',
      () => writableDb(store).updateTable('row_outcome').set({ transaction_hash: 'h' }).execute(),
    ],
    [
      'when the transactions of the wallet came later',
      () =>
        store.transactions.save(
          BATCH,
          { from: 2, to: 31 },
          {
            listed: { fromMs: 0, toMs: 10 },
            found: [
              {
                row: 7,
                transactionId: 't',
                hash: 'h7',
                amount: '6',
                fee: null,
                feeCurrency: null,
                atMs: 5,
                equalRows: 1,
              },
            ],
          },
        ),
    ],
  ];

  it.each(CHANGES)('%s', async (_when, change) => {
    const last = await writeAllButTheLast();
    await change(last);
    await expectSameBytes();
    expect(early.used).toEqual([false]);
    expect(early.isEmpty()).toBe(true);
  });

  it('when a resend holds rows of it', async () => {
    await writeAllButTheLast();
    const resend = { generation: 1, parentBatchId: BATCH };
    await store.batches.register(newBatch(`${BATCH}-r1`, resend));
    const { ingestId, sink, flush } = store.staging.begin(`${BATCH}-r1`);
    const [head] = await store.staging.heads((await store.batches.find(BATCH))?.ingestId ?? '');
    const rows = await store.staging.stagedRows(
      (await store.batches.find(BATCH))?.ingestId ?? '',
      0,
    );
    await sink.putChunk({
      ...head!,
      rows: rows.text,
      rowsSha256: rows.sha256,
      prints: new Int32Array(),
    });
    await flush();
    await writableDb(store)
      .updateTable('batch')
      .set({ ingest_id: ingestId, digest: planNamed(contentOf('r').batchId).digest })
      .where('batch_id', '=', `${BATCH}-r1`)
      .execute();
    await store.chunks.plan(`${BATCH}-r1`, [{ ...head!, idempotencyKey: 'r', externalId: 'r/0' }]);
    const files = await expectSameBytes();
    expect(early.used).toEqual([false]);
    expect(files['report.csv']).toContain(`${BATCH}-r1`);
  });
});

describe('drafts in the folder of the report', () => {
  const uuid = '01234567-89ab-4cde-8f01-23456789abcd';

  it('of a killed worker, cut short or of another batch, are removed and never read', async () => {
    leaveDrafts(folder, {
      [`.report.csv.${uuid}.tmp`]: 'row,address\n2,an earlier state',
      [`.resend.csv.${uuid}.tmp`]: 'address,amount,currency,comment,refer',
      [`.report.json.${uuid}.tmp`]: '{"batchId":"another"}',
    });
    await writeAllButTheLast();
    const files = await expectSameBytes();
    expect(early.used).toEqual([true]);
    expect(Object.keys(files).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('are removed when the worker stops', async () => {
    await writeAllButTheLast();
    await early.close();
    expect(readdirSync(join(folder, BATCH))).toEqual([]);
  });

  it('are not made for a batch without a plan', async () => {
    await store.batches.register(newBatch(BATCH));
    early.follow(BATCH, []);
    await eventually('the batch is refused', () => early.isEmpty() || undefined);
    expect(existsSync(join(folder, BATCH))).toBe(false);
  });
});
