import { createHash } from 'node:crypto';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import {
  packTransaction,
  type WalletTransaction,
} from '../../domain/reconcile/wallet-transaction.ts';
import type { Page, Transaction } from '@bursar/merchant-api';

/** The window of the transactions, both ends included, in milliseconds since 1970. */
export type TimeWindow = Readonly<{ fromMs: number; toMs: number }>;

/** Reads a page of the transactions of an account, the oldest first, from page 1 up. */
export type ReadPage = (pageNumber: number) => Promise<Page<Transaction>>;

/** The result of one walk through the list. */
export type Walk = Readonly<{
  /** Transactions in the window, or without a date. */
  read: number;
  /** Transactions that the page before has too, with equal fields. */
  repeats: readonly WalletTransaction[];
  /** Whether no sign shows that the list moved during the read. */
  isSteady: boolean;
  /** Whether all transactions came in the order of time; otherwise the walk may have skipped some. */
  isInOrder: boolean;
  /** A hash over all transactions, in the order of the read. */
  digest: string;
}>;

/** Pages that are read in one walk; with 1,000 transactions on each, 10 million. */
export const PAGES_MAX = 10_000;

type WalkOptions = Readonly<{
  readPage: ReadPage;
  window: TimeWindow;
  /** Whether every page is read, because the order is not that of time. */
  isWhole: boolean;
  take: (transaction: WalletTransaction) => void;
}>;

/**
 * Walks through the transactions of a window. Its first page is found by halving, and the walk ends after its last one.
 * Throws SERVICE_ANSWER_UNREADABLE on pages that do not follow each other, TRANSACTIONS_TOO_MANY.
 */
export async function walkTransactions(options: WalkOptions): Promise<Walk> {
  const { readPage, window, isWhole, take } = options;
  const first = await readPage(1);
  const start = isWhole ? 1 : await findStart(readPage, first, window.fromMs);
  if (start === undefined) return walkTransactions({ ...options, isWhole: true });
  const steps = createSteps(window, take);
  for (let pageNumber = start; ; pageNumber += 1) {
    const page = pageNumber === 1 ? first : await readPage(pageNumber);
    refuseAstray(page, { pageNumber, firstPage: first.page });
    refuseTooMany(page.total - start + 1, window);
    const isPast = steps.take(page);
    const isLast = pageNumber >= page.total;
    if (isLast || (isPast && !isWhole)) {
      return steps.end({ skipped: (start - 1) * first.result.length, isLast });
    }
  }
}

/** The newest instant of a page; undefined when it has none. */
const newestMs = (page: Page<Transaction>): number | undefined =>
  instantsOf(page).reduce<number | undefined>(
    (newest, atMs) => Math.max(newest ?? atMs, atMs),
    undefined,
  );

const instantsOf = ({ result }: Page<Transaction>): number[] =>
  result.flatMap((record) => toTransaction(record).atMs ?? []);

const isInOrder = (page: Page<Transaction>): boolean =>
  instantsOf(page).every((atMs, i, all) => atMs >= (all[i - 1] ?? atMs));

/**
 * The first page with a transaction as young as `fromMs`. Undefined when the pages read so far are not in order of
 * time, so that no page can be left out.
 */
async function findStart(
  readPage: ReadPage,
  first: Page<Transaction>,
  fromMs: number,
): Promise<number | undefined> {
  let [low, high] = [1, Math.max(1, first.total)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const page = middle === 1 ? first : await readPage(middle);
    if (!isInOrder(page)) return undefined;
    const atMs = newestMs(page);
    // A page without dates may belong to the window, so the search goes on before it.
    if (atMs !== undefined && atMs < fromMs) low = middle + 1;
    else high = middle;
  }
  const isFirstOlder = low === 1 || (newestMs(first) ?? fromMs) < fromMs;
  return isFirstOlder ? low : undefined;
}

/** The facts that a walk collects. */
function createSteps(window: TimeWindow, take: (transaction: WalletTransaction) => void) {
  const digest = createHash('sha256');
  const repeats: WalletTransaction[] = [];
  let before: ReadonlySet<string> = new Set();
  let [read, records] = [0, 0];
  let [total, hasShrunk] = [0, false];
  let [lastMs, isOrdered] = [Number.NEGATIVE_INFINITY, true];
  return {
    /** Returns whether all transactions of the page are younger than the window. */
    take(page: Page<Transaction>): boolean {
      hasShrunk ||= page.totalElements < total;
      total = page.totalElements;
      records += page.result.length;
      const here = new Set<string>();
      let oldestMs = Number.POSITIVE_INFINITY;
      for (const record of page.result) {
        const transaction = toTransaction(record);
        const text = packTransaction(transaction);
        here.add(text);
        if (before.has(text)) repeats.push(transaction);
        const { atMs } = transaction;
        isOrdered &&= atMs === undefined || atMs >= lastMs;
        lastMs = atMs ?? lastMs;
        oldestMs = Math.min(oldestMs, atMs ?? Number.NEGATIVE_INFINITY);
        if (atMs !== undefined && (atMs < window.fromMs || atMs > window.toMs)) continue;
        read += 1;
        digest.update(`${text}\n`);
        take(transaction);
      }
      before = here;
      return page.result.length > 0 && oldestMs > window.toMs;
    },
    end({ skipped, isLast }: Readonly<{ skipped: number; isLast: boolean }>): Walk {
      const isComplete = !isLast || skipped + records === total;
      const isSteady = !hasShrunk && isComplete && repeats.length === 0;
      return { read, repeats, isSteady, isInOrder: isOrdered, digest: digest.digest('hex') };
    },
  };
}

/** ASSUMED: `page` goes up by one, be the first one 0 or 1. */
function refuseAstray(
  { page, result, total }: Page<Transaction>,
  { pageNumber, firstPage }: Readonly<{ pageNumber: number; firstPage: number }>,
): void {
  const unreadable = (reason: string) =>
    new BursarError('SERVICE_ANSWER_UNREADABLE', {
      operation: 'TRANSACTION_LIST',
      status: '200',
      reason,
    });
  if (page - firstPage !== pageNumber - 1) throw unreadable('a page came out of turn');
  if (result.length === 0 && pageNumber < total) {
    throw unreadable('a page before the last one is empty');
  }
}

function refuseTooMany(pages: number, { fromMs, toMs }: TimeWindow): void {
  if (pages <= PAGES_MAX) return;
  throw new BursarError('TRANSACTIONS_TOO_MANY', {
    pages,
    pagesMax: PAGES_MAX,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  });
}

/** Longest text that can be the hash of a transaction, in characters. */
const HASH_LENGTH_MAX = 200;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** ASSUMED: a date-time without a zone is in UTC; the spec states only that it is a date-time. */
function instantMs(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const atMs = Date.parse(match[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A record of the service as a transaction. A record without a hash is not in the chain yet. */
function toTransaction(record: Transaction): WalletTransaction {
  const { transactionHash: hash = '', createdDate = '', amount, currency, opCode } = record;
  const { addressTo, serviceFee, serviceFeeCurrency, networkFee, networkFeeCurrency } = record;
  return {
    amount,
    currency,
    opCode,
    addressTo,
    atMs: instantMs(createdDate),
    hash: hash === '' || hash.length > HASH_LENGTH_MAX ? undefined : hash,
    serviceFee,
    serviceFeeCurrency,
    networkFee,
    networkFeeCurrency,
  };
}
