import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { eachItem, type WalkOptions } from '../each-item.ts';
import { writeJson } from '../json/write-json.ts';
import type { Page } from '../records/page.ts';
import {
  readTransactionPage,
  type Transaction,
  type WireOperationCode,
} from '../records/transaction.ts';
import { checkInput, requiredText, wireName } from '../request/check-input.ts';
import { type Paging, pagingShape } from '../request/list-filter.ts';
import type { Answer } from '../response/conclude.ts';

/** ASSUMED: the names that `properties` accepts are not shown; every transaction has a date. */
const PROPERTIES_DEFAULT = 'createdDate';

/** Which transactions are asked for. Spec: "Settlement wallets", transaction filter. */
export type TransactionFilter = Paging &
  Readonly<{
    walletAddress?: string;
    addressTo?: string;
    /** At least one, when given. New codes may be used before this client knows them. */
    opcodes?: readonly WireOperationCode[];
    currency?: string;
  }>;

const FilterSchema = z.strictObject({
  walletAddress: requiredText.exactOptional(),
  addressTo: requiredText.exactOptional(),
  opcodes: z.array(wireName).min(1).exactOptional(),
  currency: requiredText.exactOptional(),
  ...pagingShape(PROPERTIES_DEFAULT),
});

/**
 * Lists one page of wallet transactions, by default the first 10 by date. Spec: "Settlement
 * wallets"; its path is ASSUMED.
 */
export const listTransactions =
  (send: Send) =>
  async (
    filter: TransactionFilter = {},
    call: AccountCallOptions = {},
  ): Promise<Answer<Page<Transaction>>> =>
    send(
      {
        operation: 'TRANSACTION_LIST',
        payloadText: writeJson(checkInput('TRANSACTION_LIST', FilterSchema, filter)),
        read: readTransactionPage,
      },
      call,
    );

/**
 * Yields every wallet transaction that fits a filter; it reads pages as they are needed.
 *
 * Transactions that come or change places meanwhile may be yielded twice or not at all: sorted
 * `ASC` by date, new ones come last. Throws `MerchantApiError`; `unreadable` also on pages that do
 * not follow each other, and when there are more than `pagesMax`.
 */
export const eachTransaction =
  (send: Send) =>
  (
    filter: Omit<TransactionFilter, 'pageNumber'> = {},
    { pagesMax, ...call }: WalkOptions = {},
  ): AsyncGenerator<Transaction, void, undefined> =>
    eachItem({
      operation: 'TRANSACTION_LIST',
      readPage: (pageNumber) => listTransactions(send)({ ...filter, pageNumber }, call),
      pagesMax,
    });
