import type { PayeeKey } from '../../domain/payees/payee.ts';
import { payeeHash } from '../../domain/payees/payee-address.ts';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import { createPairTable, type PairTable } from '../../ingest/history/pair-table.ts';
import type { Store } from '../../store/index.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';

/** A payment to a payee. `at`: when its batch paid, ISO 8601 in UTC. */
export type PayeePayment = Readonly<{ batchId: string; row: number; at: string }>;

/** The payments to a payee. Rows that were surely not paid do not count. */
export type PayeePayments = Readonly<{
  payments: number;
  firstPaid: PayeePayment | null;
  lastPaid: PayeePayment | null;
}>;

const NEVER: PayeePayments = { payments: 0, firstPaid: null, lastPaid: null };

/** The payees of which payments are looked for. */
type Sought = Readonly<{ account: string; payees: readonly PayeeKey[] }>;

/**
 * The payments to each payee, found in the fingerprints of all batches of the account: about a second for each million
 * rows, for any number of payees.
 */
export async function paymentsTo(
  store: Store,
  { account, payees }: Sought,
): Promise<readonly PayeePayments[]> {
  const found = payees.map(() => NEVER);
  const table = createPairTable(payees.length);
  for (const [at, payee] of payees.entries()) {
    const { low, high } = payeeHash(payee);
    table.putIfAbsent(low, high, at + 1);
  }
  // No batch has an empty id, so none is left out.
  const batches = await store.history.others({ account, batchId: '', parentBatchId: null });
  for (const batch of batches.toSorted((a, b) => a.payAtMs - b.payAtMs)) {
    for (const [at, rows] of await rowsIn(batch, table)) {
      found[at] = withRows(found[at] ?? NEVER, batch, rows);
    }
  }
  return found;
}

/** How many rows of a batch were sent to a payee, and the numbers of the first and the last of them. */
type SentRows = Readonly<{ count: number; first: number; last: number }>;

async function rowsIn(batch: PastBatch, table: PairTable): Promise<Map<number, SentRows>> {
  const sentTo = new Map<number, SentRows>();
  for await (const { sent, prints } of batch.segments()) {
    if (!sent) continue;
    for (let start = 0; start < prints.length; start += PRINT_WORDS) {
      const address = start + PART.address;
      const at = table.get(prints[address] ?? 0, prints[address + 1] ?? 0) - 1;
      if (at < 0) continue;
      const row = prints[start + PART.number] ?? 0;
      const { count, first, last } = sentTo.get(at) ?? { count: 0, first: row, last: row };
      sentTo.set(at, {
        count: count + 1,
        first: Math.min(first, row),
        last: Math.max(last, row),
      });
    }
  }
  return sentTo;
}

function withRows(
  { payments, firstPaid }: PayeePayments,
  { batchId, payAtMs }: PastBatch,
  { count, first, last }: SentRows,
): PayeePayments {
  const at = new Date(payAtMs).toISOString();
  return {
    payments: payments + count,
    firstPaid: firstPaid ?? { batchId, row: first, at },
    lastPaid: { batchId, row: last, at },
  };
}
