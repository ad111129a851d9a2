import type { Database } from './database.ts';

/** Which page of a list is wanted, and in which order. Spec: "Settlement wallets", filters. */
export type PageRequest<Property extends string> = Readonly<{
  /** Counts from 1. */
  pageNumber: number;
  pageSize: number;
}> &
  SortOrder<Property>;

export type SortOrder<Property extends string> = Readonly<{
  property: Property;
  sort: SortDirection;
}>;

export type SortDirection = 'ASC' | 'DESC';

export type StoredPage<Item> = Readonly<{ items: readonly Item[]; totalElements: number }>;

type Reading = Readonly<{ all(...values: unknown[]): unknown[] }>;

/**
 * Statements that differ in their order only, each prepared once. Both words of an order stand in
 * lists of ours, so the text of a statement holds nothing of a request.
 */
export function prepareByOrder<Property extends string>(
  db: Database,
  textOf: (order: SortOrder<Property>) => string,
): (order: SortOrder<Property>) => Reading {
  const prepared = new Map<string, Reading>();
  return (order) => {
    const text = textOf(order);
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

export type PageOrder = 'oldest' | 'newest';

/** A part of a list that is in the order of its numbers; `after` is the last number before it, null: none. */
export type ListPart = Readonly<{ order: PageOrder; after: number | null; limit: number }>;

/** Which numbers belong to a part and in which order, as SQL, and the number that `isAfter` compares with. */
export const cutOf = ({
  order,
  after,
}: ListPart): Readonly<{ isAfter: string; inOrder: string; start: number }> =>
  order === 'oldest'
    ? { isAfter: 'n > ?', inOrder: 'n', start: after ?? 0 }
    : { isAfter: 'n < ?', inOrder: 'n DESC', start: after ?? Number.MAX_SAFE_INTEGER };

/** How many objects stand before the page. */
export const offsetOf = ({ pageNumber, pageSize }: PageRequest<string>): number =>
  (pageNumber - 1) * pageSize;
