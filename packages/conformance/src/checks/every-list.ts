import { PAGE_NUMBER_DEFAULT, PAGE_SIZE_DEFAULT, OPERATION_CODES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, type RunMeans, met, notSeen } from '../check.ts';
import { demand, demandEqual, demandRefused, fieldOf, isAccepted, recordOf } from '../expect.ts';
import * as kinds from '../kinds.ts';
import { requestFields } from '../request-fields.ts';
import type { CheckRun } from '../run.ts';
import {
  itemsOf,
  type PagedOperation,
  PAGES,
  pagingOf,
  readItems,
  readPage,
} from '../scenarios/lists.ts';

/** A list of the service that comes in pages. */
export type ListDescription = Readonly<{
  id: string;
  operation: PagedOperation;
  words: string;
  needs: readonly RunMeans[];
  /** Optional filters of its request, with a value for each. */
  filters: Readonly<Record<string, Readonly<{ kind: kinds.FieldKind; sample: unknown }>>>;
  /** Makes sure that the list is not empty. */
  prepare(run: CheckRun): Promise<unknown>;
}>;

const SECTION = 'Settlement wallets';

/** The size of a page that is small on purpose. */
const SMALL = 2;

/** Returns the checks of one list. */
export function listChecks(listing: ListDescription): ConformanceCheck[] {
  const { id, operation, words, filters } = listing;
  const about = { section: SECTION, needs: [operation] } as const;
  const filterKinds = Object.entries(filters).map(([name, { kind }]) => [
    name,
    kinds.optional(kind),
  ]);
  const filterSamples = Object.entries(filters).map(([name, { sample }]) => [name, sample]);
  return [
    ...requestFields({
      section: SECTION,
      needs: [],
      id: `${id}.request`,
      checkedBy: PAGES[operation].checkedBy,
      request: `${words} request`,
      operation,
      sample: () => ({
        ...pagingOf(operation),
        ...Object.fromEntries(filterSamples),
      }),
      // The check `.default` covers whether a field with a default is required.
      fields: {
        ...Object.fromEntries(filterKinds),
        pageNumber: kinds.optional(kinds.integer),
        pageSize: kinds.optional(kinds.integer),
        sort: kinds.optional(kinds.oneOf('ASC or DESC', ['ASC', 'DESC'])),
        properties: kinds.text,
      },
    }),
    ...answerFields({
      ...about,
      id: `${id}.page`,
      record: `Page of the ${words.toLowerCase()}`,
      read: async (run) => [await readPage(run, operation)],
      fields: {
        result: kinds.list,
        page: kinds.integer,
        size: kinds.integer,
        total: kinds.integer,
        totalElements: kinds.integer,
      },
    }),
    defaultCheck(listing, {
      name: 'pageNumber',
      shownAs: 'page',
      value: PAGE_NUMBER_DEFAULT,
    }),
    defaultCheck(listing, {
      name: 'pageSize',
      shownAs: 'size',
      value: PAGE_SIZE_DEFAULT,
    }),
    sortDefaultCheck(listing),
    ...pagingChecks(listing),
  ];
}

/**
 * The fields are required and have defaults. Without a field the service uses the default, or
 * refuses the request.
 */
const defaultCheck = (
  { id, operation, words }: ListDescription,
  { name, shownAs, value }: Readonly<{ name: string; shownAs: string; value: number }>,
): ConformanceCheck => ({
  id: `${id}.${name}.default`,
  section: 'Limits',
  sentence: `${words}: default of ${name} ${value}.`,
  needs: [operation],
  try: async ({ service }) => {
    const payload = { ...pagingOf(operation), [name]: undefined };
    const answer = await service.send(operation, { payload });
    if (!isAccepted(answer)) return met(`required: ${demandRefused(answer)}`);
    demandEqual(shownAs, fieldOf(recordOf(answer, 'result'), shownAs), value);
    return met();
  },
});

const sortDefaultCheck = (listing: ListDescription): ConformanceCheck => ({
  id: `${listing.id}.sort.default`,
  section: SECTION,
  sentence: `${listing.words}: default of sort ASC.`,
  needs: [listing.operation, ...listing.needs],
  try: async (run) => {
    const { operation } = listing;
    await listing.prepare(run);
    const payload = { ...pagingOf(operation), sort: undefined };
    const answer = await run.service.send(operation, { payload });
    if (!isAccepted(answer)) return met(`required: ${demandRefused(answer)}`);
    const ascending = await sortedValues(run, operation, 'ASC');
    const values = valuesOf(itemsOf(recordOf(answer, 'result')), operation);
    demandEqual('order', JSON.stringify(values), JSON.stringify(ascending));
    return met();
  },
});

/** Returns the values by which a list is sorted. */
const valuesOf = (items: readonly unknown[], operation: PagedOperation): unknown[] =>
  items.map((item) => fieldOf(item, pagingOf(operation).properties));

const sortedValues = async (
  run: CheckRun,
  operation: PagedOperation,
  sort: 'ASC' | 'DESC',
): Promise<unknown[]> => valuesOf(await readItems(run, operation, { sort }), operation);

const pagingChecks = ({
  id,
  operation,
  words,
  needs,
  prepare,
}: ListDescription): ConformanceCheck[] => [
  {
    id: `${id}.pages`,
    section: SECTION,
    sentence: `${words}: pageNumber and pageSize select the objects; page and size repeat them.`,
    needs: [operation, ...needs],
    try: async (run) => {
      await prepare(run);
      const first = await readPage(run, operation, { pageSize: SMALL });
      const second = await readPage(run, operation, {
        pageSize: SMALL,
        pageNumber: 2,
      });
      const both = await readItems(run, operation, { pageSize: 2 * SMALL });
      if (both.length <= SMALL) return notSeen(`there were ${both.length} objects`);
      demandEqual('page', fieldOf(second, 'page'), run.shapes.pageBase === 'zero' ? 1 : 2);
      demandEqual('size', fieldOf(second, 'size'), SMALL);
      const pages = [...itemsOf(first), ...itemsOf(second)];
      demandEqual('both pages', JSON.stringify(pages), JSON.stringify(both));
      return met();
    },
  },
  {
    id: `${id}.total`,
    section: SECTION,
    sentence: `${words}: total is the number of pages, totalElements that of matching objects.`,
    needs: [operation, ...needs],
    try: async (run) => {
      await prepare(run);
      const page = await readPage(run, operation, { pageSize: SMALL });
      const totalElements = Number(fieldOf(page, 'totalElements'));
      demandEqual('total', fieldOf(page, 'total'), Math.ceil(totalElements / SMALL));
      demand(
        totalElements >= itemsOf(page).length,
        `totalElements of ${itemsOf(page).length} or more`,
        totalElements,
      );
      return met(`${totalElements} objects`);
    },
  },
  {
    id: `${id}.sort`,
    section: SECTION,
    sentence: `${words}: sort ASC and DESC by properties are each other's reverse.`,
    needs: [operation, ...needs],
    try: async (run) => {
      await prepare(run);
      const total = Number(fieldOf(await readPage(run, operation), 'totalElements'));
      const ascending = await sortedValues(run, operation, 'ASC');
      if (new Set(ascending).size < 2) return notSeen('there were not two to sort');
      const end = Math.ceil(total / PAGE_SIZE_DEFAULT);
      const rest = total - (end - 1) * PAGE_SIZE_DEFAULT;
      const last = await readItems(run, operation, {
        sort: 'DESC',
        pageNumber: end,
      });
      const tail = valuesOf(last, operation).toReversed();
      demandEqual('order', JSON.stringify(tail), JSON.stringify(ascending.slice(0, rest)));
      return met();
    },
  },
];

/** A check that a filter returns some objects, and only matching ones. */
export const filterCheck = (
  { id, operation, words, needs, prepare }: ListDescription,
  name: string,
  {
    choose,
    fits,
  }: Readonly<{
    /** Returns a value for the filter, or undefined when the list is empty. */
    choose(items: readonly unknown[]): unknown;
    fits(item: unknown, value: unknown): boolean;
  }>,
): ConformanceCheck => ({
  id: `${id}.filter.${name}`,
  section: SECTION,
  sentence: `${words}: the optional filter ${name} lets through what fits, and nothing else.`,
  needs: [operation, ...needs],
  try: async (run) => {
    await prepare(run);
    const value = choose(await readItems(run, operation));
    if (value === undefined) return notSeen('there was nothing to filter');
    const found = await readItems(run, operation, { [name]: value });
    demand(found.length > 0, `something with ${name} ${JSON.stringify(value)}`, 'nothing');
    const wrong = found.find((item) => !fits(item, value));
    demand(wrong === undefined, `${name} ${JSON.stringify(value)}`, wrong);
    const none = await readPage(run, operation, { [name]: noneOf(value) });
    demandEqual('objects for another value', itemsOf(none).length, 0);
    return met(`${found.length} on the first page`);
  },
});

/** Returns a value of the same type that no object has. */
const noneOf = (value: unknown): unknown =>
  Array.isArray(value) ? [OPERATION_CODES.at(-1)] : 'no-such-value-anywhere';
