import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { eachItem, type WalkOptions } from '../each-item.ts';
import { writeJson } from '../json/write-json.ts';
import type { Page } from '../records/page.ts';
import { readWalletPage, type Wallet } from '../records/wallet.ts';
import { checkInput, requiredText } from '../request/check-input.ts';
import { type Paging, pagingShape } from '../request/list-filter.ts';
import type { Answer } from '../response/conclude.ts';

/** ASSUMED: the names that `properties` accepts are not shown; every wallet has a name. */
const PROPERTIES_DEFAULT = 'name';

/** Which wallets are asked for. Spec: "Settlement wallets", wallet filter. */
export type WalletFilter = Paging &
  Readonly<{ blockchain?: string; currency?: string; nameOrAddress?: string }>;

const FilterSchema = z.strictObject({
  blockchain: requiredText.exactOptional(),
  currency: requiredText.exactOptional(),
  nameOrAddress: requiredText.exactOptional(),
  ...pagingShape(PROPERTIES_DEFAULT),
});

/**
 * Lists one page of settlement wallets, by default the first 10 by name. Spec: "Settlement
 * wallets"; its path is ASSUMED.
 */
export const listWallets =
  (send: Send) =>
  async (filter: WalletFilter = {}, call: AccountCallOptions = {}): Promise<Answer<Page<Wallet>>> =>
    send(
      {
        operation: 'WALLET_LIST',
        payloadText: writeJson(checkInput('WALLET_LIST', FilterSchema, filter)),
        read: readWalletPage,
      },
      call,
    );

/**
 * Yields every settlement wallet that fits a filter; it reads pages as they are needed.
 *
 * Wallets that come, go or change places meanwhile may be yielded twice or not at all. Throws
 * `MerchantApiError`; `unreadable` also on pages that do not follow each other, and when there are
 * more than `pagesMax`.
 */
export const eachWallet =
  (send: Send) =>
  (
    filter: Omit<WalletFilter, 'pageNumber'> = {},
    { pagesMax, ...call }: WalkOptions = {},
  ): AsyncGenerator<Wallet, void, undefined> =>
    eachItem({
      operation: 'WALLET_LIST',
      readPage: (pageNumber) => listWallets(send)({ ...filter, pageNumber }, call),
      pagesMax,
    });
