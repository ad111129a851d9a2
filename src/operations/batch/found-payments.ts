import { payeeKeyOf, payeeNetworkOfRows } from '../../domain/payees/payee-address.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { ShownOutcome } from '../../domain/settling/outcome.ts';
import { reportRowPages, type ShownRow, shownRow } from '../../report/report-rows.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Sources } from './types.ts';

/** The payment of a row that was found. Amount is decimal text; a text without a value is empty. */
export type FoundPayment = Readonly<{
  address: string;
  /** The name of its payee in the file, else in the register of payees; null without one. */
  payee: string | null;
  reference: string;
  amount: string;
  currency: string;
  outcome: ShownOutcome;
  reason: string;
  /** When the outcome was first seen, ISO 8601 in UTC; null while it is open. */
  at: string | null;
  transactionHash: string;
}>;

/** Reads the payments of some rows of a batch. A row of a pruned batch has none. */
export async function readPayments(
  sources: Sources,
  batchId: string,
  numbers: readonly RowNumber[],
): Promise<ReadonlyMap<RowNumber, FoundPayment>> {
  const payments = new Map<RowNumber, FoundPayment>();
  const record = numbers.length === 0 ? undefined : await sources.store.batches.find(batchId);
  if (record === undefined || record.prunedAtMs !== null) return payments;
  const chunks = await sources.store.chunks.list(batchId);
  for (const row of await rowsAt(sources, record, { chunks, numbers })) {
    const chunk = chunks.find((one) => one.chunk === row.chunk);
    payments.set(row.row, {
      address: row.address,
      payee: await nameOf(sources, record.account, row),
      reference: row.reference,
      amount: row.amount,
      currency: row.currency,
      outcome: row.outcome,
      reason: row.reason,
      at: outcomeAt(row, record, chunk),
      transactionHash: row.transactionHash,
    });
  }
  return payments;
}

type Asked = Readonly<{ chunks: readonly ChunkRecord[]; numbers: readonly RowNumber[] }>;

/** Before its plan a batch has no chunks, and the rows of its import have no outcome yet. */
async function rowsAt(
  { store }: Sources,
  record: BatchRecord,
  { chunks, numbers }: Asked,
): Promise<ShownRow[]> {
  const wanted = new Set(numbers);
  if (chunks.length === 0) {
    const staged = await store.staging.rowsAt(record.ingestId ?? '', numbers);
    return staged.map((row) => ({ ...row, ...unplanned(record) }));
  }
  const near = chunks.filter(({ firstRow, lastRow }) =>
    numbers.some((row) => firstRow <= row && row <= lastRow),
  );
  const byNumber = new Map(near.map((chunk) => [chunk.chunk, chunk]));
  const rows: ShownRow[] = [];
  for await (const page of near.length === 0 ? [] : reportRowPages(store, record, near)) {
    for (const row of page) {
      if (wanted.has(row.row)) rows.push(shownRow(row, byNumber.get(row.chunk ?? -1)));
    }
  }
  return rows;
}

const unplanned = ({ endState }: BatchRecord) => ({
  outcome: endState === null ? ('NOT_SENT_YET' as const) : ('NOT_SENT' as const),
  reason: '',
  chunk: null,
  massPayoutId: '',
  idempotencyKey: '',
  withdrawalId: '',
  transactionHash: '',
  fee: '',
  feeCurrency: '',
  refused: false,
});

async function nameOf(
  { store }: Sources,
  account: string,
  { address, currency, name }: ShownRow,
): Promise<string | null> {
  if (name !== '') return name;
  const key = payeeKeyOf(payeeNetworkOfRows(currency), address);
  const [payee] = key === undefined ? [] : await store.payees.find(account, [key]);
  return payee === undefined || payee.name === '' ? null : payee.name;
}

const OPEN: readonly ShownOutcome[] = ['IN_FLIGHT', 'NOT_SENT_YET'];

/** When the mass payout of a row reached its state, else when the batch ended. */
export function outcomeAt(
  { outcome }: ShownRow,
  { endedAtMs }: BatchRecord,
  chunk: ChunkRecord | undefined,
): string | null {
  if (OPEN.includes(outcome)) return null;
  const atMs = chunk?.stateSinceMs ?? endedAtMs;
  return atMs === null ? null : new Date(atMs).toISOString();
}
