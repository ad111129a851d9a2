import type { Operation } from './spec/endpoints.ts';
import type { AccountOption, ConnectionOptions, RetryOption } from './call.ts';
import { compact } from './compact.ts';
import { MerchantApiError } from './errors.ts';
import type { Page } from './records/page.ts';
import { invalidInput } from './request/check-input.ts';
import type { Answer } from './response/conclude.ts';

/**
 * Default number of pages in one walk through a list.
 * A walk without a limit would never end if the service added a page for each page that it served.
 */
export const PAGES_MAX_DEFAULT = 10_000;

/** `reason` of the error that ends a walk after `pagesMax` pages. */
export const TOO_MANY_PAGES = 'the list has more pages than are read';

/** Options of a walk through a list. Each page gets the timestamp of its own call. */
export type WalkOptions = ConnectionOptions &
  AccountOption &
  RetryOption & {
    /**
     * Largest number of pages. The walk fails as `unreadable` when the list has more. Default 10000
     * (`PAGES_MAX_DEFAULT`).
     */
    readonly pagesMax?: number;
  };

type Walk<Item> = {
  readonly operation: Operation;
  readonly readPage: (pageNumber: number) => Promise<Answer<Page<Item>>>;
  readonly pagesMax?: number | undefined;
};

/**
 * Yields the objects of a list one by one, and reads page after page up to the `total` of the latest
 * page. Throws `unreadable` for a page out of order, for an empty page before the last one, and
 * after `pagesMax` pages.
 */
export async function* eachItem<Item>(walk: Walk<Item>): AsyncGenerator<Item, void, undefined> {
  const { operation, readPage, pagesMax = PAGES_MAX_DEFAULT } = walk;
  if (!Number.isSafeInteger(pagesMax) || pagesMax < 1) {
    throw invalidInput(operation, 'pagesMax is no whole number from 1 up');
  }
  let firstPage: number | undefined;
  for (let pageNumber = 1; ; pageNumber += 1) {
    const answer = await readPage(pageNumber);
    const { page, result, total } = answer.value;
    firstPage ??= page;
    // ASSUMED: `page` goes up by one, be the first one 0 or 1. Content proves nothing: objects that
    // move between pages may come twice.
    if (page - firstPage !== pageNumber - 1)
      throw astray(operation, answer, 'a page came out of turn');
    yield* result;
    if (pageNumber >= total) return;
    if (result.length === 0) throw astray(operation, answer, 'a page before the last one is empty');
    if (pageNumber === pagesMax) throw astray(operation, answer, TOO_MANY_PAGES);
  }
}

function astray(
  operation: Operation,
  { httpStatus, serverDateMs, timestampMs, bodySha256 }: Answer<unknown>,
  reason: string,
): MerchantApiError {
  const facts = compact({ httpStatus, serverDateMs, timestampMs, bodySha256 });
  return new MerchantApiError('unreadable', { operation, reason, ...facts });
}
