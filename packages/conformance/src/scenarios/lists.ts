import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT } from '@bursar/merchant-api/spec';
import { demandFor, fieldOf, listOf, type NeededObject, recordOf } from '../expect.ts';
import type { CheckRun } from '../run.ts';
import { payoutOfRows } from './payouts.ts';

export type PagedOperation = 'WALLET_LIST' | 'TRANSACTION_LIST';

/** ASSUMED: the names by which lists can be sorted. */
const SORTED_BY = {
  WALLET_LIST: 'name',
  TRANSACTION_LIST: 'createdDate',
} as const;

/** A page of each list. */
export const PAGES: Readonly<Record<PagedOperation, NeededObject>> = {
  WALLET_LIST: { words: 'a page of wallets', checkedBy: 'wallets.list.page.result' },
  TRANSACTION_LIST: { words: 'a page of transactions', checkedBy: 'transactions.list.page.result' },
};

export const pagingOf = (operation: PagedOperation) => ({
  pageNumber: PAGE_NUMBER_DEFAULT,
  pageSize: PAGE_SIZE_DEFAULT,
  sort: 'ASC',
  properties: SORTED_BY[operation],
});

/** Reads the page of these fields. A field that is left out has its default. */
export async function readPage(
  { service }: CheckRun,
  operation: PagedOperation,
  fields: object = {},
): Promise<unknown> {
  const payload = { ...pagingOf(operation), ...fields };
  return recordOf(
    demandFor(await service.send(operation, { payload }), PAGES[operation]),
    'result',
  );
}

export const itemsOf = (page: unknown): readonly unknown[] => listOf(fieldOf(page, 'result'));

export const readItems = async (
  run: CheckRun,
  operation: PagedOperation,
  fields: object = {},
): Promise<readonly unknown[]> => itemsOf(await readPage(run, operation, fields));

/** Returns transactions. When the run may pay, there are some. */
export async function someTransactions(run: CheckRun): Promise<readonly unknown[]> {
  if (run.payment !== null) await payoutOfRows(run);
  return readItems(run, 'TRANSACTION_LIST', { sort: 'DESC' });
}

/** ASSUMED: an account can have a second wallet on a blockchain on which it has one. */
export async function someBlockchain(run: CheckRun): Promise<string> {
  const [wallet] = run.service.has('WALLET_LIST') ? await readItems(run, 'WALLET_LIST') : [];
  const blockchain = fieldOf(wallet, 'blockchain');
  return typeof blockchain === 'string' ? blockchain : 'TRON';
}
