import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT } from '@bursar/merchant-api/spec';
import { demandAccepted, fieldOf, listOf, recordOf } from '../expect.ts';
import type { Run } from '../run.ts';
import { rowsStory } from './payouts.ts';

export type ListOperation = 'WALLET_LIST' | 'TRANSACTION_LIST';

/** ASSUMED: names by which lists can be sorted. */
const SORTED_BY = {
  WALLET_LIST: 'name',
  TRANSACTION_LIST: 'createdDate',
} as const;

export const pagingOf = (operation: ListOperation) => ({
  pageNumber: PAGE_NUMBER_DEFAULT,
  pageSize: PAGE_SIZE_DEFAULT,
  sort: 'ASC',
  properties: SORTED_BY[operation],
});

/** The page that these fields ask for; what they leave out is as by default. */
export async function readPage(
  { service }: Run,
  operation: ListOperation,
  fields: object = {},
): Promise<unknown> {
  const payload = { ...pagingOf(operation), ...fields };
  return recordOf(demandAccepted(await service.send(operation, { payload })), 'result');
}

export const itemsOf = (page: unknown): readonly unknown[] => listOf(fieldOf(page, 'result'));

export const readItems = async (
  run: Run,
  operation: ListOperation,
  fields: object = {},
): Promise<readonly unknown[]> => itemsOf(await readPage(run, operation, fields));

/** Transactions, of which there are some where money may be paid. */
export async function someTransactions(run: Run): Promise<readonly unknown[]> {
  if (run.payment !== null) await rowsStory(run);
  return readItems(run, 'TRANSACTION_LIST', { sort: 'DESC' });
}

/** ASSUMED: a blockchain on which the account has a wallet is one on which it can have another. */
export async function someBlockchain(run: Run): Promise<string> {
  const [wallet] = run.service.has('WALLET_LIST') ? await readItems(run, 'WALLET_LIST') : [];
  const blockchain = fieldOf(wallet, 'blockchain');
  return typeof blockchain === 'string' ? blockchain : 'TRON';
}
