import type { PayeeKey } from '../../domain/payees/payee.ts';
import { payeeHash, payeeKeysOf, payeeNetworkOfRows } from '../../domain/payees/payee-address.ts';
import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { Hash } from '../../domain/plan/print-hash.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { SearchedBatch } from '../../store/batches/search.ts';
import type { Store } from '../../store/index.ts';
import type { Sources } from './types.ts';

/** The cell of a row that a word is, or a name of its payee that has the word: in the file, or in the register. */
export type RowFoundAs = 'reference' | 'address' | 'payee name';

/** A row that was found. */
export type RowFind = Readonly<{ as: RowFoundAs; batchId: string; row: RowNumber; chunk: null }>;

/** Payees of the register that a name may mean. */
const NAMED_PAYEES_MAX = 50;

/**
 * Rows with this reference, to this address, or to a payee of this name, in the file or in the register, over all
 * batches of the account of the settings; without one over all batches. The newest batch comes first. `more`: whether there are more than `max`.
 */
export async function findRows(
  sources: Sources,
  word: string,
  max: number,
): Promise<Readonly<{ finds: readonly RowFind[]; more: boolean }>> {
  const { store } = sources;
  const account = sources.settings.api.account ?? null;
  const named = account === null ? [] : await payeesNamed(store, account, word);
  const wanted = [
    ...payeeKeysOf(word).map((key) => wantedPayee('address', key)),
    ...named.slice(0, NAMED_PAYEES_MAX).map((key) => wantedPayee('payee name', key)),
  ];
  const finds: RowFind[] = [];
  for (const batch of await store.search.batches(account)) {
    const rows = await rowsIn(store, batch, { word, wanted, max });
    finds.push(
      ...[...rows]
        .toSorted(([a], [b]) => a - b)
        .map(([row, as]) => ({ as, batchId: batch.batchId, row, chunk: null })),
    );
    if (finds.length > max) return { finds: finds.slice(0, max), more: true };
  }
  return { finds, more: named.length > NAMED_PAYEES_MAX };
}

/** Payees whose name holds the word, in either case. */
async function payeesNamed(store: Store, account: string, word: string): Promise<PayeeKey[]> {
  const keys: PayeeKey[] = [];
  const part = word.toLowerCase();
  for await (const payee of store.payees.list(account)) {
    if (payee.name.toLowerCase().includes(part)) keys.push(payee);
    if (keys.length > NAMED_PAYEES_MAX) break;
  }
  return keys;
}

type WantedPayee = Readonly<{ as: RowFoundAs; network: string; hash: Hash }>;

const wantedPayee = (as: RowFoundAs, key: PayeeKey): WantedPayee => ({
  as,
  network: key.network,
  hash: payeeHash(key),
});

type Wanted = Readonly<{ word: string; wanted: readonly WantedPayee[]; max: number }>;

/** Addresses are found by the fingerprints of the rows, so in any spelling. */
async function rowsIn(
  { search, history }: Store,
  batch: SearchedBatch,
  { word, wanted, max }: Wanted,
): Promise<ReadonlyMap<RowNumber, RowFoundAs>> {
  const rows = new Map<RowNumber, RowFoundAs>();
  for (const row of await search.byReference(batch, word)) rows.set(row, 'reference');
  for (const row of await search.byName(batch, word, max + 1)) {
    if (!rows.has(row)) rows.set(row, 'payee name');
  }
  if (wanted.length === 0) return rows;
  for await (const { currency, prints } of history.own(batch.ingestId)) {
    const network = payeeNetworkOfRows(currency);
    for (const { as, hash } of wanted.filter((one) => one.network === network)) {
      for (const row of rowsTo(prints, hash)) if (!rows.has(row)) rows.set(row, as);
    }
  }
  return rows;
}

function rowsTo(prints: Int32Array, { low, high }: Hash): RowNumber[] {
  const rows: RowNumber[] = [];
  for (let at = 0; at < prints.length; at += PRINT_WORDS) {
    if (prints[at + PART.address] !== low || prints[at + PART.address + 1] !== high) continue;
    rows.push(prints[at + PART.number] ?? 0);
  }
  return rows;
}
