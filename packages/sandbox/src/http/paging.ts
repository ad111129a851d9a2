import { z } from 'zod';
import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT } from '@bursar/merchant-api/spec';
import { DEFAULT_MODES, type Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import type { PageRequest, SortDirection, StoredPage } from '../store/page.ts';
import type { ExactJsonValue } from './exact-json.ts';
import { Int32 } from './integers.ts';

type PageBase = Modes['pageBase'];

/** The number of the first page. */
const FIRST_PAGES: Readonly<Record<PageBase, number>> = { one: PAGE_NUMBER_DEFAULT, zero: 0 };

/**
 * Fields for a page of a list and its order.
 * ASSUMED: the spec requires them and gives defaults. Here a missing field has its default, and
 * `properties`, which has none, is required.
 */
export const pageFields = <const Property extends string>(
  properties: readonly Property[],
  pageBase: PageBase,
) => ({
  pageNumber: Int32.refine((value) => value >= FIRST_PAGES[pageBase], 'must not be below the first')
    .default(FIRST_PAGES[pageBase])
    .meta({ minimum: FIRST_PAGES[pageBase] }),
  pageSize: Int32.refine((value) => value >= 1, 'must be at least 1')
    .default(PAGE_SIZE_DEFAULT)
    .meta({ minimum: 1, maximum: DEFAULT_MODES.pageSizeMax ?? undefined }),
  sort: z.enum(['ASC', 'DESC']).default('ASC'),
  properties: z.enum(properties).describe('The field to sort by.'),
});

type PageFields<Property extends string> = Readonly<{
  pageNumber: number;
  pageSize: number;
  sort: SortDirection;
  properties: Property;
}>;

/** A page for the store, which counts from 1, with the number that the request has. */
export type NumberedPage<Property extends string> = PageRequest<Property> &
  Readonly<{ shownNumber: number }>;

/** Throws Refused for a page that is too large. */
export function pageRequestOf<Property extends string>(
  { pageNumber, pageSize, sort, properties }: PageFields<Property>,
  { pageBase, pageSizeMax }: Modes,
): NumberedPage<Property> {
  if (pageSizeMax !== null && pageSize > pageSizeMax) {
    throw new Refused('FIELD_INVALID', `payload.pageSize: must be from 1 to ${pageSizeMax}`);
  }
  return {
    pageNumber: pageNumber - FIRST_PAGES[pageBase] + 1,
    shownNumber: pageNumber,
    pageSize,
    sort,
    property: properties,
  };
}

/** Spec: "Settlement wallets", page object. */
export function pageRecord<Item>(
  { items, totalElements }: StoredPage<Item>,
  { shownNumber, pageSize }: NumberedPage<string>,
  recordOf: (item: Item) => ExactJsonValue,
): ExactJsonValue {
  return {
    result: items.map(recordOf),
    page: shownNumber,
    size: pageSize,
    total: Math.ceil(totalElements / pageSize),
    totalElements,
  };
}
