import type { Db } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { sql } from 'kysely';
import { isDown } from '../../domain/webhooks/standing.ts';
import type { HealthCheckStore } from '../housekeeping/health-checks.ts';

/** A webhook subscription as it was listed last. `url` is as it may be shown. */
export type ListedSubscription = Readonly<{
  id: string;
  url: string;
  ours: boolean;
  enabled: boolean;
  blocked: boolean;
  errorCount: number;
}>;

/** How long a check of webhooks counts, in milliseconds. After that the state is unknown. */
const SEEN_MS_MAX = 600_000;

type Between = Readonly<{ fromMs: number; untilMs: number }>;

/** Written out and not bound: SQLite then sees that its index over accepted attempts fits. */
const ACCEPTED = sql.lit('ACCEPTED');

/** Webhook subscriptions of accounts, and what must come by them. */
export const createSubscriptionStore = (
  { db, decide }: Access,
  healthChecks: HealthCheckStore,
) => ({
  /** Replaces the stored subscriptions of an account. */
  replace: (
    account: string,
    subscriptions: readonly ListedSubscription[],
    atMs: number,
  ): Promise<void> =>
    decide([{ account }], async (tx) => {
      await tx.deleteFrom('subscription').where('account', '=', account).execute();
      for (const subscription of subscriptions) {
        await tx
          .insertInto('subscription')
          .values(toRow(account, subscription, atMs))
          // The service should list none twice; if it does, the last one counts.
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'subscription_id'])
              .doUpdateSet(toRow(account, subscription, atMs)),
          )
          .execute();
      }
    }),

  async list(account: string): Promise<ListedSubscription[]> {
    const rows = await db
      .selectFrom('subscription')
      .selectAll()
      .where('account', '=', account)
      .orderBy('subscription_id')
      .execute();
    return rows.map((row) => ({
      id: row.subscription_id,
      url: row.url,
      ours: row.ours === 1,
      enabled: row.enabled === 1,
      blocked: row.blocked === 1,
      errorCount: row.error_count,
    }));
  },

  /** Whether webhooks of the account are missing, so that only reads find changes of mass payouts. */
  async areDown(account: string, nowMs: number): Promise<boolean> {
    const watch = await healthChecks.webhooks(account);
    return watch !== undefined && nowMs - watch.seenAtMs < SEEN_MS_MAX && isDown(watch.condition);
  },

  /**
   * The newest change between two instants that a webhook must report: an accepted create, or another state of a mass
   * payout on its way in a read. Milliseconds since 1970; null: there was none.
   */
  async lastChange(account: string, between: Between): Promise<number | null> {
    const found = await Promise.all([
      lastAccepted(db, account, between),
      lastMove(db, account, between),
    ]);
    const times = found.flatMap((row) => row?.atMs ?? []);
    return times.length === 0 ? null : Math.max(...times);
  },
});

// The account is read row by row, from the newest on: a join would begin with all chunks that it ever had.
const lastAccepted = (db: Db, account: string, { fromMs, untilMs }: Between) =>
  db
    .selectFrom('attempt')
    .select('ended_ms as atMs')
    .where('outcome', '=', ACCEPTED)
    .where('ended_ms', '>=', fromMs)
    .where('ended_ms', '<=', untilMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('chunk')
          .innerJoin('batch', 'batch.batch_id', 'chunk.batch_id')
          .select('chunk.chunk')
          .whereRef('chunk.idempotency_key', '=', 'attempt.idempotency_key')
          .where('batch.account', '=', account),
      ),
    )
    .orderBy('ended_ms', 'desc')
    .limit(1)
    .executeTakeFirst();

const lastMove = (db: Db, account: string, { fromMs, untilMs }: Between) =>
  db
    .selectFrom('chunk')
    .select('state_since_ms as atMs')
    .where('state_since_ms', '>=', fromMs)
    .where('state_since_ms', '<=', untilMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('batch')
          .select('batch.batch_id')
          .whereRef('batch.batch_id', '=', 'chunk.batch_id')
          .where('batch.account', '=', account),
      ),
    )
    .orderBy('state_since_ms', 'desc')
    .limit(1)
    .executeTakeFirst();

const toRow = (account: string, subscription: ListedSubscription, atMs: number) => ({
  account,
  subscription_id: subscription.id,
  url: subscription.url,
  ours: subscription.ours ? 1 : 0,
  enabled: subscription.enabled ? 1 : 0,
  blocked: subscription.blocked ? 1 : 0,
  error_count: subscription.errorCount,
  seen_at_ms: atMs,
});
