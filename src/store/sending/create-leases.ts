import { randomUUID } from 'node:crypto';
import { freeLeases } from '../../domain/sending/create-leases.ts';
import type { Access } from '../database/decide.ts';
import { wordsOf } from '../engine/words.ts';

export type CreateLeaseStore = ReturnType<typeof createCreateLeaseStore>;

/** How many leases are wanted, out of how many, and for how long, in milliseconds. */
export type LeaseDemand = Readonly<{ wanted: number; limit: number; forMs: number }>;

/**
 * Leases of the creates that an account has under way, over all processes that share the store. Time goes by the clock of the
 * database server where there is one, else by `ownMs`. A lease limits load. It never decides whether a create may leave.
 */
export const createCreateLeaseStore = ({ decide }: Access) => ({
  /** Takes as many leases as are free, up to those that are wanted. Returns their ids. */
  take: (
    account: string,
    { wanted, limit, forMs }: LeaseDemand,
    ownMs: number,
  ): Promise<readonly string[]> =>
    decide([{ account }], async (tx) => {
      const now = wordsOf(tx).nowMs(ownMs);
      const { nowMs } = await tx.selectNoFrom(now.as('nowMs')).executeTakeFirstOrThrow();
      // A lease that ends later than any was given by a clock that was wrong.
      const { held } = await tx
        .selectFrom('create_lease')
        .select(({ fn }) => fn.countAll<number>().as('held'))
        .where('account', '=', account)
        .where('until_ms', '>', nowMs)
        .where('until_ms', '<=', nowMs + forMs)
        .executeTakeFirstOrThrow();
      const ids = Array.from({ length: freeLeases({ wanted, limit, held }) }, () => randomUUID());
      if (ids.length === 0) return ids;
      await tx
        .insertInto('create_lease')
        .values(ids.map((id) => ({ lease_id: id, account, until_ms: nowMs + forMs })))
        .execute();
      return ids;
    }),

  /** Gives a lease back, and removes those that have ended. */
  giveBack: (account: string, leaseId: string, ownMs: number): Promise<void> =>
    decide([{ account }], async (tx) => {
      await tx
        .deleteFrom('create_lease')
        .where('account', '=', account)
        .where(({ eb, or }) =>
          or([eb('lease_id', '=', leaseId), eb('until_ms', '<=', wordsOf(tx).nowMs(ownMs))]),
        )
        .execute();
    }),
});
