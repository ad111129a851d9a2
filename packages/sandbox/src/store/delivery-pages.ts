import type { Delivery, DeliveryStatus } from './delivery.ts';
import type { Database } from './database.ts';
import type { ListPart } from './page.ts';

export type DeliveryPage = ListPart &
  Readonly<{
    /** The deliveries of these subscriptions that are in one of these statuses. */
    filter: readonly Readonly<{ subscription: number; statuses: readonly DeliveryStatus[] }>[];
  }>;

export type DeliveryPages = Readonly<{ page(page: DeliveryPage): Delivery[] }>;

/** Finds the numbers of a page in the index alone, and reads only the deliveries of that page. */
export function createDeliveryPages(
  db: Database,
  get: (id: number) => Delivery | null,
): DeliveryPages {
  const oldest = db.prepare(
    `SELECT id FROM delivery WHERE subscription = ? AND status = ? AND id > ?
     ORDER BY id LIMIT ?`,
  );
  const newest = db.prepare(
    `SELECT id FROM delivery WHERE subscription = ? AND status = ? AND id < ?
     ORDER BY id DESC LIMIT ?`,
  );

  function idsOf({ filter, order, after, limit }: DeliveryPage): number[] {
    const [ids, start] =
      order === 'oldest' ? [oldest, after ?? 0] : [newest, after ?? Number.MAX_SAFE_INTEGER];
    return filter.flatMap(({ subscription, statuses }) =>
      statuses.flatMap((status) =>
        (ids.all(subscription, status, start, limit) as { id: number }[]).map(({ id }) => id),
      ),
    );
  }

  return {
    page(page) {
      const sign = page.order === 'oldest' ? 1 : -1;
      return idsOf(page)
        .toSorted((one, other) => sign * (one - other))
        .slice(0, page.limit)
        .flatMap((id) => get(id) ?? []);
    },
  };
}
