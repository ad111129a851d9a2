import { type PayeeKey, payeeMatches } from '../../domain/payees/payee.ts';
import { payeeHash, payeeNetworkOfRows } from '../../domain/payees/payee-address.ts';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { Store } from '../../store/index.ts';
import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { Sources } from '../batch/types.ts';
import { payeeAccount } from './account.ts';
import { findPayee, type NamedPayee } from './find-payee.ts';
import { type PayeeView, payeeView, unlistedView } from './payee-view.ts';

/** A payment to a payee. `at`: when its batch paid, ISO 8601 in UTC. */
export type PayeePayment = Readonly<{ batchId: string; row: number; at: string }>;

/** A payee, with its payments. Rows that were surely not paid do not count. */
export type PayeeHistory = PayeeView &
  Readonly<{ payments: number; firstPaid: PayeePayment | null; lastPaid: PayeePayment | null }>;

/** `search`: only payees with that text. `limit`: the most payees; without it all. */
export type PayeeSearch = Readonly<{ search?: string; limit?: number }>;

/** The payees of the register by network and address. */
export async function* listPayees(
  sources: Sources,
  { search = '', limit = Number.POSITIVE_INFINITY }: PayeeSearch,
): AsyncGenerator<PayeeView> {
  const account = payeeAccount(sources);
  let listed = 0;
  for await (const payee of sources.store.payees.list(account)) {
    if (!payeeMatches(payee, search)) continue;
    yield payeeView(account, payee);
    listed += 1;
    if (listed >= limit) return;
  }
}

/**
 * A payee and its payments, found in the fingerprints of all batches of the account: about a second for each million rows.
 * An address that is not in the register is shown as well. @throws FLAG_INVALID
 */
export async function showPayee(sources: Sources, named: NamedPayee): Promise<PayeeHistory> {
  const account = payeeAccount(sources);
  const found = await findPayee(sources.store, account, named);
  const view =
    found.known === undefined ? unlistedView(account, found) : payeeView(account, found.known);
  return { ...view, ...(await paymentsTo(sources.store, account, found)) };
}

async function paymentsTo(store: Store, account: string, payee: PayeeKey) {
  // No batch has an empty id, so none is left out.
  const batches = await store.history.others({ account, batchId: '', parentBatchId: null });
  const oldestFirst = batches.toSorted((a, b) => a.payAtMs - b.payAtMs);
  let payments = 0;
  let [firstPaid, lastPaid]: (PayeePayment | null)[] = [null, null];
  for (const batch of oldestFirst) {
    const rows = await rowsTo(batch, payee);
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) continue;
    const at = new Date(batch.payAtMs).toISOString();
    payments += rows.length;
    firstPaid ??= { batchId: batch.batchId, row: first, at };
    lastPaid = { batchId: batch.batchId, row: last, at };
  }
  return { payments, firstPaid: firstPaid ?? null, lastPaid: lastPaid ?? null };
}

/** The rows of a batch that were sent to a payee, in order. */
async function rowsTo(batch: PastBatch, payee: PayeeKey): Promise<number[]> {
  const { low, high } = payeeHash(payee);
  const rows: number[] = [];
  for await (const { currency, sent, prints } of batch.segments()) {
    if (!sent || payeeNetworkOfRows(currency) !== payee.network) continue;
    for (let at = 0; at < prints.length; at += PRINT_WORDS) {
      if (prints[at + PART.address] !== low || prints[at + PART.address + 1] !== high) continue;
      rows.push(prints[at + PART.number] ?? 0);
    }
  }
  return rows.toSorted((a, b) => a - b);
}
