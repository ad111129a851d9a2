import { createHash } from 'node:crypto';
import { type CurrencyTally, createCurrencyTally } from '../../domain/reconcile/currency-tally.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import {
  differenceOfRow,
  differenceOfTransaction,
  type Differences,
} from '../../domain/reconcile/differences.ts';
import type { Named } from '../../domain/reconcile/payment.ts';
import type { Conclusion, RowMatch } from '../../domain/reconcile/payment-book.ts';
import type { MatchedRows } from '../../domain/reconcile/statement.ts';
import {
  packTransaction,
  type WalletTransaction,
} from '../../domain/reconcile/wallet-transaction.ts';
import { shownOutcome } from '../../domain/settling/outcome.ts';
import type { ReportRow } from '../../domain/report/report.ts';
import { reportRowPages } from '../../report/report-rows.ts';
import type {
  ReconciliationLine,
  ReconciliationWriter,
} from '../../report/write-reconciliation.ts';
import type { Store } from '../../store/index.ts';
import type { ListedTime, RowTransaction } from '../../store/settlement/transactions.ts';
import { rowsAlone, type SentBatch } from './read-rows.ts';

/** The receivers of the lines and the differences of a statement. */
type StatementOutput = Readonly<{ writer: ReconciliationWriter; differences: Differences }>;

type Deps = StatementOutput &
  Readonly<{
    store: Store;
    /** Whether transactions are written to the store, for reports; and the window in which they were listed. */
    saves: boolean;
    listed: ListedTime;
  }>;

/** The totals of the rows. */
export type Concluded = Readonly<{
  tallies: ReadonlyMap<string, CurrencyTally>;
  matchedRows: MatchedRows;
}>;

/**
 * Reads the rows again, in the order of the file. Writes a line for each, counts them, and names the differences.
 * `conclusion` is undefined when the service has no list of transactions.
 */
export async function concludeRows(
  deps: Deps,
  { record, chunks }: SentBatch,
  conclusion: Conclusion | undefined,
): Promise<Concluded> {
  const { store, writer, saves, listed } = deps;
  const tallies = new Map<string, CurrencyTally>();
  const matchedRows = { hash: 0, only: 0, equal: 0 };
  const stateOf = new Map(chunks.map(({ chunk, state }) => [chunk, state]));
  let index = 0;
  let firstRow = 0;
  for await (const page of reportRowPages(rowsAlone(store), record, chunks)) {
    const found: RowTransaction[] = [];
    for (const row of page) {
      const finding = row.refused ? undefined : conclusion?.ofRow(index);
      if (!row.refused) index += 1;
      const state = stateOf.get(row.chunk ?? -1);
      concludeRow(deps, { row, finding, state, tally: tallyFor(tallies, row) });
      if (finding?.transaction === undefined) continue;
      matchedRows[finding.certainty ?? 'equal'] += 1;
      found.push(foundTransaction(row, finding, finding.transaction));
    }
    const lastRow = page.at(-1)?.row;
    if (lastRow === undefined) continue;
    const range = { from: firstRow, to: lastRow };
    if (saves && conclusion !== undefined) {
      await store.transactions.save(record.batchId, range, { found, listed });
    }
    firstRow = lastRow + 1;
    await writer.flush();
  }
  return { tallies, matchedRows };
}

/** The tally of a row's currency; undefined for a refused row that has none, or no amount. */
function tallyFor(
  tallies: Map<string, CurrencyTally>,
  { currency, amount }: ReportRow,
): CurrencyTally | undefined {
  if (currency === '' || amount === '') return undefined;
  const tally = tallies.get(currency) ?? createCurrencyTally();
  tallies.set(currency, tally);
  return tally;
}

type RowAndFinding = Readonly<{
  row: ReportRow;
  finding: RowMatch | undefined;
  state: ChunkState | undefined;
  tally: CurrencyTally | undefined;
}>;

function concludeRow({ differences, writer }: Deps, about: RowAndFinding): void {
  const { row, finding, state, tally } = about;
  const { amount, currency, address } = row;
  const outcome = shownOutcome(finding?.outcome ?? row.outcome, state);
  const transaction = finding?.transaction;
  tally?.addRow(outcome, amount);
  if (transaction !== undefined) tally?.addTransaction(transaction, amount);
  const difference = finding && differenceOfRow(finding, row.massPayoutId !== '');
  if (difference !== undefined) {
    differences.add(difference, currency, {
      row: row.row,
      amount,
      address,
      ...(transaction?.hash === undefined ? {} : { transactionHash: transaction.hash }),
      ...atOf(transaction),
    });
  }
  writer.add({
    row: String(row.row),
    address,
    amount,
    currency,
    reference: row.reference,
    outcome,
    massPayoutId: row.massPayoutId,
    difference,
    certainty: finding?.certainty,
    ...(finding === undefined ? {} : { equalRows: String(finding.equalRows) }),
    ...transactionCells(transaction),
  });
}

/** Names every transaction that belongs to no row, and writes a line for each. */
export async function concludeTransactions(
  { writer, differences }: StatementOutput,
  conclusion: Conclusion,
  nameOf: (currency: string, address: string) => Named,
): Promise<void> {
  for (const { transaction, equalRow, missingRow } of conclusion.unclaimed()) {
    const { addressTo = '', amount, currency } = transaction;
    const named = nameOf(currency, addressTo).currency;
    const difference = differenceOfTransaction({ equalRow, missingRow }, named !== undefined);
    const row = equalRow ?? missingRow;
    differences.add(difference, named ?? currency, {
      ...(row === undefined ? {} : { row }),
      amount,
      address: addressTo,
      ...atOf(transaction),
      ...(transaction.hash === undefined ? {} : { transactionHash: transaction.hash }),
      detail: transaction.opCode,
    });
    writer.add({
      address: addressTo,
      amount,
      currency,
      difference,
      ...transactionCells(transaction),
    });
    await writer.flush();
  }
}

const isoOf = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : new Date(atMs).toISOString();

function atOf(transaction: WalletTransaction | undefined): { at?: string } {
  const at = isoOf(transaction?.atMs);
  return at === undefined ? {} : { at };
}

function transactionCells(transaction: WalletTransaction | undefined): ReconciliationLine {
  if (transaction === undefined) return {};
  const { hash, atMs, serviceFee, serviceFeeCurrency, networkFee, networkFeeCurrency } =
    transaction;
  return {
    transactionHash: hash,
    createdDate: isoOf(atMs),
    serviceFee,
    serviceFeeCurrency,
    networkFee,
    networkFeeCurrency,
  };
}

/** ASSUMED: the service gives transactions no id; its fields identify one well enough within its row. */
const idOf = (transaction: WalletTransaction): string =>
  createHash('sha256').update(packTransaction(transaction)).digest('hex').slice(0, 32);

const foundTransaction = (
  { row, amount }: ReportRow,
  { certainty, equalRows }: RowMatch,
  transaction: WalletTransaction,
): RowTransaction => ({
  row,
  amount,
  transactionId: idOf(transaction),
  hash: transaction.hash ?? null,
  fee: transaction.serviceFee ?? null,
  feeCurrency: transaction.serviceFeeCurrency ?? null,
  atMs: transaction.atMs ?? null,
  equalRows: certainty === 'equal' ? equalRows : 1,
});
