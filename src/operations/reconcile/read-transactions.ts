import { createNameReader, type Named } from '../../domain/reconcile/payment.ts';
import type { PaymentBook } from '../../domain/reconcile/payment-book.ts';
import {
  mayPayOut,
  paidAmount,
  type WalletTransaction,
} from '../../domain/reconcile/wallet-transaction.ts';
import { MerchantApiError, type Page, type Transaction } from '@bursar/merchant-api';
import type { Read } from './patient-reads.ts';
import {
  type ReadPage,
  type TimeWindow,
  type Walk,
  walkTransactions,
} from './walk-transactions.ts';

/** The facts about the list that are not in the book. */
export type TransactionList = Readonly<{
  read: number;
  /** Transactions to no recipient of the file. */
  elsewhere: number;
  /** Whether the list was stable enough to be used. */
  isSettled: boolean;
  repeats: readonly WalletTransaction[];
  /** Transactions without a readable date, to a recipient of the file. */
  undated: readonly WalletTransaction[];
}>;

/** The maximum number of reads of a list that changes with each read. */
const WALKS_MAX = 3;

/** The part of a payment book that takes transactions. */
type TransactionBook = Readonly<{
  addTransaction: PaymentBook['addTransaction'];
  forgetTransactions: PaymentBook['forgetTransactions'];
}>;

type Deps = Readonly<{
  read: Read;
  book: TransactionBook;
  nameOf: ReturnType<typeof createNameReader>;
  /** Called with the number of transactions read so far. */
  tell: (read: number) => void;
}>;

/**
 * Reads the transactions of a window into the book. A list that changes while it is read is read again, until two reads
 * are equal or three were made.
 */
export async function readTransactions(deps: Deps, window: TimeWindow): Promise<TransactionList> {
  const readPage = createPageReader(deps.read);
  let before: string | undefined;
  let isWhole = false;
  for (let walks = 1; ; walks += 1) {
    const { walk, ...sorted } = await walkOnce(deps, { readPage, window, isWhole });
    const { read, repeats, isSteady, isInOrder, digest } = walk;
    const isTrusted = isWhole || isInOrder;
    const isSettled = isTrusted && (isSteady || digest === before);
    if (isSettled || walks === WALKS_MAX) return { read, repeats, isSettled, ...sorted };
    before = isTrusted ? digest : undefined;
    isWhole ||= !isInOrder;
  }
}

type WalkOnce = Readonly<{ readPage: ReadPage; window: TimeWindow; isWhole: boolean }>;

async function walkOnce({ book, nameOf, tell }: Deps, options: WalkOnce) {
  book.forgetTransactions();
  let [read, elsewhere] = [0, 0];
  const undated: WalletTransaction[] = [];
  const take = (transaction: WalletTransaction): void => {
    read += 1;
    tell(read);
    if (!addTo(book, transaction, nameOf)) elsewhere += 1;
    else if (transaction.atMs === undefined) undated.push(transaction);
  };
  const walk: Walk = await walkTransactions({ ...options, take });
  return { walk, elsewhere, undated };
}

/** Returns whether it pays a recipient of the file. */
function addTo(
  book: TransactionBook,
  transaction: WalletTransaction,
  nameOf: Deps['nameOf'],
): boolean {
  const { currency, addressTo } = transaction;
  if (addressTo === undefined || !mayPayOut(transaction)) return false;
  const { destination, ...named }: Named = nameOf(currency, addressTo);
  const payment = {
    destination,
    amount: paidAmount(transaction),
    currency: named.currency ?? currency.toUpperCase(),
  };
  return book.addTransaction(payment, transaction);
}

/** ASSUMED: the largest page of the service is not documented; when it refuses one, a smaller one is requested. */
const PAGE_SIZES = [1_000, 100, 10] as const;

function createPageReader(read: Read): ReadPage {
  let sizes: readonly number[] = PAGE_SIZES;
  return async (pageNumber): Promise<Page<Transaction>> => {
    for (;;) {
      const [pageSize = 10, ...smaller] = sizes;
      try {
        return await read((api, call) =>
          api.listTransactions({ pageNumber, pageSize, sort: 'ASC' }, call),
        );
      } catch (error) {
        if (!isRefusedAsked(error) || smaller.length === 0 || pageNumber > 1) throw error;
        sizes = smaller;
      }
    }
  };
}

/** Whether the service has the operation and refuses the arguments. */
const isRefusedAsked = (error: unknown): boolean =>
  error instanceof MerchantApiError &&
  error.kind === 'refused' &&
  error.documented === true &&
  (error.httpStatus === 400 || error.httpStatus === 422);
