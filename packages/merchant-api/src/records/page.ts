import { z } from 'zod';
import { readRecord, unwrap, wholeNumber } from './fields.ts';

/** One page of a list. Spec: "Settlement wallets", page object. */
export type Page<Item> = {
  /** The objects on this page. */
  readonly result: readonly Item[];
  /** Number of this page. The first one is 1, also where the service counts from 0 (option `shapes`). */
  readonly page: number;
  /** Objects on a full page. */
  readonly size: number;
  /** Number of pages. */
  readonly total: number;
  /** Number of objects on all pages. */
  readonly totalElements: number;
};

/** Returns a function that reads a page, wrapped or not, and throws `Unreadable`. */
export function pageReader<Item>(item: z.ZodType<Item>): (json: unknown) => Page<Item> {
  const PageRecord = z.object({
    result: z.array(item),
    page: wholeNumber,
    size: wholeNumber,
    total: wholeNumber,
    totalElements: wholeNumber,
  });
  return (json) => readRecord(PageRecord, unwrap(json, 'result'));
}
