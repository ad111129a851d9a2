import type { Database } from './database.ts';

/** A page of a list, and the order of that list. Spec: "Settlement wallets", filters. */
export type PageRequest<Property extends string> = Readonly<{
  /** Counts from 1. */
  pageNumber: number;
  pageSize: number;
}> &
  PageSortOrder<Property>;

export type PageSortOrder<Property extends string> = Readonly<{
  property: Property;
  sort: SortDirection;
}>;

export type SortDirection = 'ASC' | 'DESC';

export type StoredPage<Item> = Readonly<{ items: readonly Item[]; totalElements: number }>;

type Reading = Readonly<{ all(...values: unknown[]): unknown[] }>;

/**
 * Prepares one statement for each order. Column and direction come from fixed lists, so the SQL
 * contains no text of a request.
 */
export function prepareByOrder<Property extends string>(
  db: Database,
  textOf: (order: PageSortOrder<Property>) => string,
): (order: PageSortOrder<Property>) => Reading {
  const prepared = new Map<string, Reading>();
  return (order) => {
    const text = textOf(order);
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

export type PageOrder = 'oldest' | 'newest';

/**
 * A part of a list in the order of its numbers. `after` is the last number before the part. Null:
 * from the start.
 */
export type ListPart = Readonly<{ order: PageOrder; after: number | null; limit: number }>;

/**
 * Returns the condition and the order of a part as SQL, and the number for the `?` of `isAfter`.
 */
export const cutOf = ({
  order,
  after,
}: ListPart): Readonly<{ isAfter: string; inOrder: string; start: number }> =>
  order === 'oldest'
    ? { isAfter: 'n > ?', inOrder: 'n', start: after ?? 0 }
    : { isAfter: 'n < ?', inOrder: 'n DESC', start: after ?? Number.MAX_SAFE_INTEGER };

/** The number of objects before the page. */
export const offsetOf = ({ pageNumber, pageSize }: PageRequest<string>): number =>
  (pageNumber - 1) * pageSize;
