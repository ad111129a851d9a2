import type { Db } from '../database/db.ts';
import type { WebhookCondition } from '../../domain/webhooks/standing.ts';

/** How something was at the last look. Instants are milliseconds since 1970. */
export type Watch<Condition extends string = string> = Readonly<{
  condition: Condition;
  sinceMs: number;
  seenAtMs: number;
  /** More about it, in a sentence. */
  detail: string;
}>;

/** One look: what was seen, and when. */
export type Look<Condition extends string = string> = Readonly<{
  condition: Condition;
  atMs: number;
  detail: string;
}>;

/** What is looked after, by name. */
export const WATCH_SUBJECTS = {
  /** How webhooks come to the bridge from an account. */
  webhooks: (account: string): string => `webhooks/${account}`,
  /** When the wallets of an account were listed. */
  ownWallets: (account: string): string => `own-wallets/${account}`,
  /** That the rounds of housekeeping are run. */
  housekeeping: 'housekeeping',
} as const;

/** What the rounds of housekeeping saw last, so that a change is noticed, and everybody else can know it. */
export const createWatchStore = (db: Db) => ({
  find: (subject: string): Promise<Watch | undefined> => find(db, subject),

  /** How webhooks of an account come; undefined when nobody looked yet. */
  webhooks: (account: string): Promise<Watch<WebhookCondition> | undefined> =>
    find(db, WATCH_SUBJECTS.webhooks(account)) as Promise<Watch<WebhookCondition> | undefined>,

  /** Writes down what was seen; `sinceMs` stays as long as the condition does. */
  note: (subject: string, look: Look): Promise<void> => note(db, subject, look),
});

async function find(db: Db, subject: string): Promise<Watch | undefined> {
  const row = await db
    .selectFrom('watch')
    .select(['condition', 'since_ms as sinceMs', 'seen_at_ms as seenAtMs', 'detail'])
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row;
}

async function note(db: Db, subject: string, { condition, atMs, detail }: Look): Promise<void> {
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
