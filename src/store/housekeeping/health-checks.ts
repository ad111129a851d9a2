import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { WebhookCondition } from '../../domain/webhooks/standing.ts';

/** The result of the last health check. Instants are milliseconds since 1970. */
export type HealthCheck<Condition extends string = string> = Readonly<{
  condition: Condition;
  sinceMs: number;
  seenAtMs: number;
  /** More about it, in a sentence. */
  detail: string;
}>;

/** One health check: its result, and when. */
export type HealthCheckResult<Condition extends string = string> = Readonly<{
  condition: Condition;
  atMs: number;
  detail: string;
}>;

/** The subjects of health checks, by name. */
export const HEALTH_CHECKS = {
  /** How webhooks come to the bridge from an account. */
  webhooks: (account: string): string => `webhooks/${account}`,
  /** When the wallets of an account were listed. */
  ownWallets: (account: string): string => `own-wallets/${account}`,
  /** The end of the audit log that was kept in a second place. */
  auditHead: 'audit-head',
  /** That the tasks of housekeeping are run. */
  housekeeping: 'housekeeping',
  /** That the workers of a task queue use this store. */
  served: (taskQueue: string): string => `served/${taskQueue}`,
} as const;

export type HealthCheckStore = ReturnType<typeof createHealthCheckStore>;

/** The last results of health checks: a change is found by them, and other programs can read them. */
export const createHealthCheckStore = ({ db, decide }: Access) => ({
  find: (subject: string): Promise<HealthCheck | undefined> => find(db, subject),

  /** How webhooks of an account arrive; undefined before the first check. */
  webhooks: (account: string): Promise<HealthCheck<WebhookCondition> | undefined> =>
    find(db, HEALTH_CHECKS.webhooks(account)) as Promise<HealthCheck<WebhookCondition> | undefined>,

  /** Stores the result of a check; `sinceMs` stays as long as the condition does. */
  note: (subject: string, look: HealthCheckResult): Promise<void> =>
    decide([{ part: 'health-checks' }], (tx) => note(tx, subject, look)),
});

async function find(db: Db, subject: string): Promise<HealthCheck | undefined> {
  const row = await db
    .selectFrom('health_check')
    .select(['condition', 'since_ms as sinceMs', 'seen_at_ms as seenAtMs', 'detail'])
    .where('name', '=', subject)
    .executeTakeFirst();
  return row;
}

async function note(
  tx: Tx,
  subject: string,
  { condition, atMs, detail }: HealthCheckResult,
): Promise<void> {
  await tx
    .insertInto('health_check')
    .values({ name: subject, condition, since_ms: atMs, seen_at_ms: atMs, detail })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ eb, ref }) => ({
        condition,
        since_ms: eb
          .case()
          .when(ref('health_check.condition'), '=', condition)
          .then(ref('health_check.since_ms'))
          .else(atMs)
          .end(),
        seen_at_ms: atMs,
        detail,
      })),
    )
    .execute();
}
