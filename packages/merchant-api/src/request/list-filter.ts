import { z } from 'zod';
import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT } from '../spec/limits.ts';
import { jsonInteger } from '../json/write-json.ts';
import { positiveInt32, requiredText } from './check-input.ts';

/** Spec: "Settlement wallets", `sort`. */
export const SORT_ORDERS = ['ASC', 'DESC'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Which page of a list is asked for, and in which order. Spec: "Settlement wallets", "Limits". */
export type Paging = Readonly<{
  /** From 1. Default 1. */
  pageNumber?: number;
  /** Objects on a page, from 1; the largest that a service takes is not shown. Default 10. */
  pageSize?: number;
  /** Default `ASC`. */
  sort?: SortOrder;
  /** Attribute to sort by; the names that the service accepts are not shown. */
  properties?: string;
}>;

/** The four members that each list requires, with their defaults, as they are sent. */
export const pagingShape = (propertiesDefault: string) => ({
  pageNumber: positiveInt32.default(PAGE_NUMBER_DEFAULT).transform(jsonInteger),
  pageSize: positiveInt32.default(PAGE_SIZE_DEFAULT).transform(jsonInteger),
  sort: z.enum(SORT_ORDERS).default('ASC'),
  properties: requiredText.default(propertiesDefault),
});
