import { SORT_ORDERS } from '@bursar/merchant-api';
import { flagInvalid } from './flag-error.ts';
import { readChoices, readCount } from './lists.ts';

/** The flags that choose a page of a list of the service, as they were typed. */
export type PagingFlags = Readonly<{
  page?: string;
  size?: string;
  sort?: string;
  by?: string;
  all?: boolean;
}>;

/** Reads the flags of a page, under the names that the service gives its fields. Throws FLAG_INVALID. */
export const readPaging = ({ page, size, sort, by }: PagingFlags) =>
  ({
    pageNumber: ['--page', page === undefined ? undefined : readCount('--page', page)],
    pageSize: ['--size', size === undefined ? undefined : readCount('--size', size)],
    sort: ['--sort', sort === undefined ? undefined : readOrder(sort)],
    properties: ['--by', by],
  }) as const;

function readOrder(text: string) {
  const [order, ...more] = readChoices('--sort', text, SORT_ORDERS);
  if (order !== undefined && more.length === 0) return order;
  throw flagInvalid('--sort', `give one of ${SORT_ORDERS.join(', ')}`);
}
