import type { BatchRecord } from '../../store/batches/types.ts';
import { createNameReader } from '../../domain/reconcile/payment.ts';
import { createPaymentBook, type PaymentBook } from '../../domain/reconcile/payment-book.ts';
import type { Differences } from '../../domain/reconcile/differences.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext, ServiceAccess } from '../context.ts';
import { hasNoPath, orWhyNot } from './availability.ts';
import type { Read } from './patient-reads.ts';
import { readClaims, readRows, readSentBatch, type SentBatch } from './read-rows.ts';
import { readTransactions, type TransactionList } from './read-transactions.ts';
import { readWithdrawals } from './read-withdrawals.ts';
import { teller } from './telling.ts';
import type { TimeWindow } from './walk-transactions.ts';

type Deps = Readonly<{
  store: Store;
  service: ServiceAccess;
  read: Read;
  context: OperationContext;
}>;

type WalletSide = Readonly<{
  sent: SentBatch;
  window: TimeWindow;
  differences: Differences;
}>;

/** Matches rows and transactions, as far as the service has a list of these. */
export async function readWalletSide(deps: Deps, { sent, window, differences }: WalletSide) {
  const { store, service, read, context } = deps;
  const nameOf = createNameReader([...new Set(sent.chunks.map(({ currency }) => currency))]);
  const book = createPaymentBook();
  const named = await readRows({ store, book }, sent);
  if (service.api.hasOperation('LOOKUP')) await readWithdrawals({ read, book, differences }, named);
  const tell = teller(context, 'transactions');
  const [list, available] = await orWhyNot(
    service,
    { operation: 'TRANSACTION_LIST', lacks: hasNoPath },
    () => readTransactions({ read, book, nameOf, tell }, window),
  );
  if (list === null) return { list, available, nameOf, others: [], conclusion: undefined };
  tellOfList(list, differences);
  const others = await readOthers(deps, { book, record: sent.record, window });
  return { list, available, nameOf, others, conclusion: book.conclude() };
}

/** Adds every other batch that may have paid in this time to the book. Returns their ids. */
async function readOthers(
  { store, context }: Deps,
  {
    book,
    record,
    window,
  }: Readonly<{ book: PaymentBook; record: BatchRecord; window: TimeWindow }>,
): Promise<string[]> {
  const ids = await store.transactions.otherBatches(record, window);
  for (const id of ids) {
    context.show(`Reading what batch ${id} paid.`);
    const other = await store.batches.find(id);
    if (other === undefined) continue;
    await readClaims({ store, book }, await readSentBatch(store, other), window);
  }
  return ids;
}

function tellOfList({ isSettled, repeats, undated }: TransactionList, differences: Differences) {
  if (!isSettled) differences.add('LIST_UNSETTLED', '', {});
  for (const { amount, currency, hash } of repeats) {
    const transactionHash = hash === undefined ? {} : { transactionHash: hash };
    differences.add('LIST_REPEATS', currency, { amount, ...transactionHash });
  }
  for (const { amount, currency, addressTo, hash } of undated) {
    differences.add('TRANSACTION_UNDATED', currency, {
      amount,
      address: addressTo ?? '',
      ...(hash === undefined ? {} : { transactionHash: hash }),
    });
  }
}
