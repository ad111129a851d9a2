import { z } from 'zod';
import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT } from '../spec/limits.ts';
import type { Shapes } from '../spec/shapes.ts';
import type { WireOperationCode } from '../spec/wallets.ts';
import { jsonInteger } from '../json/write-json.ts';
import { type InputSchema, positiveInt32, requiredText, wireName } from './check-input.ts';

/** The two orders of a list: ascending and descending. Spec: "Settlement wallets", `sort`. */
export const SORT_ORDERS = ['ASC', 'DESC'] as const;

/** Order of a list: `ASC` or `DESC`. Spec: "Settlement wallets", `sort`. */
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Size of a page, and order of a list. Spec: "Settlement wallets", "Limits". */
export type ListOrder = {
  /**
   * Objects on a page, from 1. Default 10 (`PAGE_SIZE_DEFAULT`). An int32; the spec does not show
   * the largest size.
   */
  readonly pageSize?: number | undefined;
  /** Order of the list. Default `ASC`. */
  readonly sort?: SortOrder | undefined;
  /**
   * Attribute to sort by. The spec does not show the accepted names. Default: `name` for wallets,
   * `createdDate` for transactions.
   */
  readonly properties?: string | undefined;
};

/** One page of a list. Spec: "Settlement wallets", "Limits". */
export type PageChoice = {
  /**
   * Number of the page, from 1, also where the service counts from 0. Default 1 (`PAGE_NUMBER_DEFAULT`). An int32.
   */
  readonly pageNumber?: number | undefined;
};

/** Page and order of a list. */
export type Paging = ListOrder & PageChoice;

/** Filter and order of a walk through wallets. Spec: "Settlement wallets", wallet filter. */
export type WalletWalkFilter = ListOrder & {
  /** Only wallets on this blockchain. Not empty. */
  readonly blockchain?: string;
  /** Only wallets with this currency ticker. Not empty. */
  readonly currency?: string;
  /** Only wallets with this name or address. Not empty. */
  readonly nameOrAddress?: string;
};

/** Filter, page and order of a list of wallets. Spec: "Settlement wallets", wallet filter. */
export type WalletFilter = WalletWalkFilter & PageChoice;

/**
 * Filter and order of a walk through transactions. Spec: "Settlement wallets", transaction filter.
 */
export type TransactionWalkFilter = ListOrder & {
  /** Only transactions of the wallet with this address. Not empty. */
  readonly walletAddress?: string;
  /** Only transactions to this address. Not empty. */
  readonly addressTo?: string;
  /** Only these operation codes; at least one. A code that is newer than this client is accepted. */
  readonly opcodes?: readonly WireOperationCode[];
  /** Only transactions in this currency ticker. Not empty. */
  readonly currency?: string;
};

/**
 * Filter, page and order of a list of transactions. Spec: "Settlement wallets", transaction filter.
 */
export type TransactionFilter = TransactionWalkFilter & PageChoice;

/** ASSUMED: the spec does not show the names that `properties` accepts; every wallet has a name. */
const WALLET_PROPERTIES_DEFAULT = 'name';

/** ASSUMED: the spec does not show the names; every transaction has a date of creation. */
const TRANSACTION_PROPERTIES_DEFAULT = 'createdDate';

type PageBase = Shapes['pageBase'];

/** How far the page numbers of the client are above those of the service. */
export const pageOffset = (pageBase: PageBase): number => (pageBase === 'zero' ? 1 : 0);

/** The four members that each list requires, with their defaults, as the client sends them. */
const pagingShape = (propertiesDefault: string, pageBase: PageBase) => ({
  pageNumber: positiveInt32
    .default(PAGE_NUMBER_DEFAULT)
    .transform((pageNumber) => jsonInteger(pageNumber - pageOffset(pageBase))),
  pageSize: positiveInt32.default(PAGE_SIZE_DEFAULT).transform(jsonInteger),
  sort: z.enum(SORT_ORDERS).default('ASC'),
  properties: requiredText.default(propertiesDefault),
});

export const walletFilterSchema = (pageBase: PageBase): InputSchema<WalletFilter> =>
  z.strictObject({
    blockchain: requiredText.exactOptional(),
    currency: requiredText.exactOptional(),
    nameOrAddress: requiredText.exactOptional(),
    ...pagingShape(WALLET_PROPERTIES_DEFAULT, pageBase),
  });

export const transactionFilterSchema = (pageBase: PageBase): InputSchema<TransactionFilter> =>
  z.strictObject({
    walletAddress: requiredText.exactOptional(),
    addressTo: requiredText.exactOptional(),
    opcodes: z.array(wireName).min(1).exactOptional(),
    currency: requiredText.exactOptional(),
    ...pagingShape(TRANSACTION_PROPERTIES_DEFAULT, pageBase),
  });
