import type { NewBatch } from '../../src/store/batches/types.ts';
import { identitiesOf } from '../../src/domain/payees/identity.ts';
import { printRows, printSpaceOf } from '../../src/domain/plan/row-print.ts';
import { packRows } from '../../src/domain/rows/row.ts';
import type { StagedChunk } from '../../src/domain/rows/staging.ts';
import type { Store } from '../../src/store/index.ts';
import { contentOf, newBatch, planChunks, planNamed, summaryOf } from './store-fixtures.ts';

/** TRON addresses with sound checksums. */
export const PEOPLE = [
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9',
  'TFzjz1hb7PywVq19L9QZuJbrYuZyXt8V9W',
  'TPVygvxTm3fmyogLWjAwhDA9od5jjStFpm',
] as const;

/** A chunk that pays these people one TRX each. */
export function chunkOf(chunk: number, people: readonly number[], firstRow = 2): StagedChunk {
  const rows = people.map((person, i) => ({
    row: firstRow + i,
    address: PEOPLE[person] ?? '',
    amount: '1',
    comment: '',
    reference: '',
    name: '',
  }));
  return {
    chunk,
    currency: 'TRX',
    rowCount: rows.length,
    total: String(rows.length),
    firstRow,
    lastRow: firstRow + rows.length - 1,
    rows: packRows(rows),
    rowsSha256: `${chunk}`,
    prints: printRows('TRX', rows),
  };
}

/** A batch whose file was read, in chunks of these people; rows count on from 2. */
export async function readBatch(
  store: Store,
  batchId: string,
  people: readonly (readonly number[])[],
  more: Partial<NewBatch> = {},
): Promise<string> {
  await store.batches.register(newBatch(batchId, more));
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  let firstRow = 2;
  const chunks = people.map((ofChunk, chunk) => {
    const staged = chunkOf(chunk, ofChunk, firstRow);
    firstRow += ofChunk.length;
    return staged;
  });
  for (const chunk of chunks) await sink.putChunk(chunk);
  await flush();
  return store.staging.publish(batchId, ingestId, summaryOf(chunks));
}

/** The same, with a plan. */
export async function plannedBatch(
  store: Store,
  batchId: string,
  people: readonly (readonly number[])[],
  more: Partial<NewBatch> = {},
): Promise<void> {
  const ingestId = await readBatch(store, batchId, people, more);
  await store.batches.planOnce(contentOf(batchId), () => planNamed(batchId));
  const heads = await store.staging.heads(ingestId);
  await store.chunks.plan(
    batchId,
    heads.map((head) => ({
      ...head,
      idempotencyKey: `${batchId}/${head.chunk}`,
      externalId: `${batchId}/${head.chunk}`,
    })),
  );
}

type Ends = Readonly<{
  /** What became of the rows that have no outcome of their own. */
  rest: 'PAID' | 'FAILED' | 'UNKNOWN' | 'IN_FLIGHT';
  rows?: Readonly<Record<number, 'PAID' | 'FAILED' | 'UNKNOWN' | 'NOT_SENT'>>;
  final?: boolean;
}>;

/** Creates the mass payout of a chunk, and says how it ended. */
export async function createdChunk(
  store: Store,
  at: Readonly<{ batchId: string; chunk: number }>,
  { rest, rows = {}, final = true }: Ends,
): Promise<void> {
  const { idempotencyKey } = await store.chunks.get(at.batchId, at.chunk);
  const payout = { id: `mp-${idempotencyKey}`, state: 'CONFIRMED', fee: null, differences: [] };
  await store.sends.setPayout({ ...at, idempotencyKey }, payout);
  await store.settlements.save(at, {
    ...{ massPayoutState: 'PARTIAL', final, fee: null, unclearSinceMs: null, keepsLookups: false },
    ...{ payoutFingerprint: null, reopened: 0, defaultOutcome: { outcome: rest, reason: '' } },
    rows: Object.entries(rows).map(([row, outcome]) => ({
      ...{ row: Number(row), outcome, reason: '', chunk: at.chunk, amount: '1' },
    })),
  });
}

/** A payment of another batch. */
type Earlier = Readonly<{
  address: string;
  currency: string;
  amount?: string;
  reference?: string;
  name?: string;
  row?: number;
  isFailed?: boolean;
}>;

/** Pays these rows of one currency in a batch of their own. */
export async function payEarlier(
  store: Store,
  batchId: string,
  payments: readonly [Earlier, ...Earlier[]],
): Promise<void> {
  const [{ currency }] = payments;
  const rows = payments.map(({ address, amount = '7', reference = '', name = '', row }, i) => ({
    ...{ row: row ?? 2 + i, address, amount, comment: '', reference, name },
  }));
  const chunk: StagedChunk = {
    chunk: 0,
    currency,
    rowCount: rows.length,
    total: '7',
    firstRow: rows[0]?.row ?? 0,
    lastRow: rows.at(-1)?.row ?? 0,
    rows: packRows(rows),
    rowsSha256: batchId,
    prints: printRows(currency, rows),
    identities: identitiesOf(printSpaceOf(currency), rows),
  };
  await planChunks(store, batchId, [chunk]);
  const failed = rows.filter((_, i) => payments[i]?.isFailed === true);
  await createdChunk(
    store,
    { batchId, chunk: 0 },
    { rest: 'PAID', rows: Object.fromEntries(failed.map(({ row }) => [row, 'FAILED' as const])) },
  );
}
