import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { sql } from 'kysely';
import type { NotifyEvent } from '../../domain/notify/events.ts';
import type { Notification } from '../../domain/notify/notification.ts';

/** WAITING: to be tried, now or later. GIVEN_UP: never again. */
export type DeliveryState = 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** A delivery that was taken to be tried. `attempts` counts this try. */
export type TakenDelivery = Notification &
  Readonly<{ target: string; attempts: number; createdAtMs: number }>;

/** Names one delivery. */
export type DeliveryAt = Readonly<{ id: string; target: string }>;

/** What follows from a try. */
export type DeliveryEnd =
  | Readonly<{ state: 'DELIVERED' }>
  | Readonly<{ state: 'GIVEN_UP'; error: string }>
  | Readonly<{ state: 'WAITING'; error: string; nextAtMs: number }>;

/** How a delivery stands, for people. */
export type DeliveryStanding = DeliveryAt &
  Readonly<{
    event: string;
    state: DeliveryState;
    attempts: number;
    nextAtMs: number;
    error: string | null;
  }>;

/**
 * How long the taker of a delivery may try it before another worker does, in milliseconds. Longer than a try takes, so
 * that two never try at once. After a crash the delivery becomes free by itself.
 */
const TAKEN_MS = 60_000;

/** Written out and not bound: SQLite then sees that its index over waiting deliveries fits. */
const WAITING = sql.lit('WAITING');

export type Take = Readonly<{
  nowMs: number;
  limit: number;
  /** Only deliveries of this notification. */
  id?: string;
}>;

/** Notifications, each event once, and the progress of each delivery. */
export const createNotificationStore = ({ db, decide }: Access) => ({
  /** Stores a notification, with a delivery for each target. Returns false, and changes nothing, when it exists. */
  put: (
    notification: Notification,
    { targets, atMs }: Readonly<{ targets: readonly string[]; atMs: number }>,
  ): Promise<boolean> =>
    decide([{ part: 'notifications' }], async (tx) => {
      const { id, event, batchId, body } = notification;
      const written = await tx
        .insertInto('notification')
        .values({ id, event, batch_id: batchId, payload_json: body, created_at_ms: atMs })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (written.numInsertedOrUpdatedRows === 0n) return false;
      const waiting = { notification_id: id, state: 'WAITING', attempts: 0, last_error: null };
      const rows = targets.map((target) => ({ ...waiting, target, next_at_ms: atMs }));
      if (rows.length > 0) await tx.insertInto('delivery').values(rows).execute();
      return true;
    }),

  /** Takes deliveries that are due, the longest due first, so that no other worker tries them meanwhile. */
  take: (take: Take): Promise<TakenDelivery[]> =>
    decide([{ part: 'notifications' }], (tx) => takeDue(tx, take)),

  /** Stores the result of a try. A delivery that no longer waits stays as it is. */
  async end({ id, target }: DeliveryAt, end: DeliveryEnd): Promise<void> {
    await decide([{ part: 'notifications' }], (tx) =>
      tx
        .updateTable('delivery')
        .set({
          state: end.state,
          last_error: end.state === 'DELIVERED' ? null : end.error,
          ...(end.state === 'WAITING' ? { next_at_ms: end.nextAtMs } : {}),
        })
        .where('notification_id', '=', id)
        .where('target', '=', target)
        .where('state', '=', 'WAITING')
        .execute(),
    );
  },

  /** How the deliveries of one notification stand, by target. */
  deliveriesOf: (id: string): Promise<DeliveryStanding[]> =>
    standings(db).where('notification_id', '=', id).orderBy('target').execute(),

  /** Deliveries since then that failed and did not arrive, the newest first. Tests are left out. */
  failing: ({ sinceMs, limit }: Readonly<{ sinceMs: number; limit: number }>) =>
    standings(db)
      .where('state', '!=', 'DELIVERED')
      .where('last_error', 'is not', null)
      .where('notification.created_at_ms', '>=', sinceMs)
      .where('event', '!=', 'notify.test' satisfies NotifyEvent)
      .orderBy('notification.created_at_ms', 'desc')
      .limit(limit)
      .execute(),
});

async function takeDue(tx: Tx, { nowMs, limit, id }: Take): Promise<TakenDelivery[]> {
  const due = await tx
    .selectFrom('delivery')
    .innerJoin('notification', 'notification.id', 'delivery.notification_id')
    .select(['notification.id', 'event', 'batch_id as batchId', 'payload_json as body'])
    .select(['target', 'attempts', 'created_at_ms as createdAtMs'])
    .where('state', '=', WAITING)
    .where('next_at_ms', '<=', nowMs)
    .$if(id !== undefined, (query) => query.where('notification.id', '=', id ?? ''))
    .orderBy('next_at_ms')
    .limit(limit)
    .execute();
  for (const delivery of due) {
    await tx
      .updateTable('delivery')
      .set({ attempts: delivery.attempts + 1, next_at_ms: nowMs + TAKEN_MS })
      .where('notification_id', '=', delivery.id)
      .where('target', '=', delivery.target)
      .execute();
  }
  return due.map((delivery) => ({ ...delivery, attempts: delivery.attempts + 1 }));
}

const standings = (db: Db) =>
  db
    .selectFrom('delivery')
    .innerJoin('notification', 'notification.id', 'delivery.notification_id')
    .select(['notification.id', 'target', 'event', 'state', 'attempts'])
    .select(['next_at_ms as nextAtMs', 'last_error as error'])
    .$narrowType<{ state: DeliveryState }>();
