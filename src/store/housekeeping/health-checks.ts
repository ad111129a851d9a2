import type { Db } from '../database/db.ts';
import type { WebhookCondition } from '../../domain/webhooks/standing.ts';
import type { ClockReading } from '../../domain/sending/send-record.ts';

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
export const WATCH_SUBJECTS = {
  /** How webhooks come to the bridge from an account. */
  webhooks: (account: string): string => `webhooks/${account}`,
  /** When the wallets of an account were listed. */
  ownWallets: (account: string): string => `own-wallets/${account}`,
  /** That the store was brought back from an older copy. */
  store: 'store',
  /** What the service said since then of a batch that the store may have forgotten. */
  restored: (batchId: string): string => `restored/${batchId}`,
  /** The first reading of a clock since the store was brought back, in `detail`. */
  clock: (restoredAtMs: number, clock: string): string => `clock/${restoredAtMs}/${clock}`,
  /** That the rounds of housekeeping are run. */
  housekeeping: 'housekeeping',
} as const;

/** The results of the last rounds of housekeeping, so that a change is found and other programs can read it. */
export const createWatchStore = (db: Db) => ({
  find: (subject: string): Promise<HealthCheck | undefined> => find(db, subject),

  /** How webhooks of an account arrive; undefined before the first check. */
  webhooks: (account: string): Promise<HealthCheck<WebhookCondition> | undefined> =>
    find(db, WATCH_SUBJECTS.webhooks(account)) as Promise<
      HealthCheck<WebhookCondition> | undefined
    >,

  /** When a person said last that the store was brought back from an older copy; undefined: nobody ever did. */
  restoredAtMs: async (): Promise<number | undefined> =>
    (await find(db, WATCH_SUBJECTS.store))?.seenAtMs,

  restoredAtMsOf: (batch: Submitted): Promise<number | undefined> => restoredAtMsOf(db, batch),

  /** The first reading of a clock since the store was brought back at `restoredAtMs`: this one, if there was none. */
  firstReading: (restoredAtMs: number, now: ClockReading): Promise<ClockReading> =>
    firstReading(db, restoredAtMs, now),

  /** Writes down what the service said of a batch since the store was brought back. */
  noteRestored: (batchId: string, said: Restored, atMs: number): Promise<void> =>
    note(db, WATCH_SUBJECTS.restored(batchId), { condition: said, atMs, detail: '' }),

  /** Stores the result of a check; `sinceMs` stays as long as the condition does. */
  note: (subject: string, look: HealthCheckResult): Promise<void> => note(db, subject, look),
});

async function find(db: Db, subject: string): Promise<HealthCheck | undefined> {
  const row = await db
    .selectFrom('watch')
    .select(['condition', 'since_ms as sinceMs', 'seen_at_ms as seenAtMs', 'detail'])
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row;
}

async function note(
  db: Db,
  subject: string,
  { condition, atMs, detail }: HealthCheckResult,
): Promise<void> {
  await db
    .insertInto('watch')
    .values({ subject, condition, since_ms: atMs, seen_at_ms: atMs, detail })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet(({ eb, ref }) => ({
        condition,
        since_ms: eb
          .case()
          .when(ref('watch.condition'), '=', condition)
          .then(ref('watch.since_ms'))
          .else(atMs)
          .end(),
        seen_at_ms: atMs,
        detail,
      })),
    )
    .execute();
}

async function firstReading(
  db: Db,
  restoredAtMs: number,
  { clock, ms }: ClockReading,
): Promise<ClockReading> {
  const subject = WATCH_SUBJECTS.clock(restoredAtMs, clock);
  await db
    .insertInto('watch')
    .values({
      subject,
      condition: 'read',
      detail: String(ms),
      since_ms: restoredAtMs,
      seen_at_ms: restoredAtMs,
    })
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute();
  return { clock, ms: Number((await find(db, subject))?.detail ?? ms) };
}

/** `BEGUN`: it had begun to pay, whenever it was submitted. `NEW`: certainly nothing of it was sent before. */
export type Restored = 'BEGUN' | 'NEW';

/** A batch, and when it was submitted in milliseconds since 1970. */
type Submitted = Readonly<{ batchId: string; submittedAtMs: number }>;

/**
 * How long after a store was brought back requests may still be on their way that it does not know, in milliseconds: longer than
 * any fence.
 */
export const ON_THEIR_WAY_MS = 900_000;

/**
 * Since when a store that was brought back from an older copy may have forgotten sends of a batch, in milliseconds since 1970;
 * undefined: it forgot none. A batch that was submitted later under the id of a forgotten one may have been sent before, too.
 */
export async function restoredAtMsOf(
  db: Db,
  { batchId, submittedAtMs }: Submitted,
): Promise<number | undefined> {
  const restoredAtMs = (await find(db, WATCH_SUBJECTS.store))?.seenAtMs;
  if (restoredAtMs === undefined) return undefined;
  const said = await find(db, WATCH_SUBJECTS.restored(batchId));
  // What was said before the store was brought back once more says nothing of what it forgot then.
  if (said !== undefined && said.seenAtMs > restoredAtMs) {
    return said.condition === ('BEGUN' satisfies Restored) ? restoredAtMs : undefined;
  }
  return submittedAtMs <= restoredAtMs + ON_THEIR_WAY_MS ? restoredAtMs : undefined;
}

/** Whether sends of a batch may be missing from the store. */
export async function mayForget(db: Db, batchId: string): Promise<boolean> {
  const { submittedAtMs } = await db
    .selectFrom('batch')
    .select('submitted_at_ms as submittedAtMs')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return (await restoredAtMsOf(db, { batchId, submittedAtMs })) !== undefined;
}
