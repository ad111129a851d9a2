import type { PayoutState } from '@bursar/merchant-api/spec';
import type { Database } from './database.ts';
import { cutOf, type ListPart } from './page.ts';

/** A part of the mass payouts that match. */
export type MassPayoutFilter = ListPart &
  Readonly<{
    account?: string | undefined;
    state?: PayoutState | undefined;
    /** A part of the id, key, name or external id, in any case. */
    search?: string | undefined;
  }>;

/** A line feed separates the texts, so that no match spans two of them. */
const SEARCHED = `lower(id || char(10) || idempotency_key || char(10) || coalesce(name, '')
  || char(10) || coalesce(external_id, ''))`;

/** Reads rows with one condition for each filter, so that SQLite uses an index where one exists. */
export function createMassPayoutList(db: Database): (filter: MassPayoutFilter) => unknown[] {
  return ({ account, state, search, ...part }) => {
    const { isAfter, inOrder, start } = cutOf(part);
    const conditions = [
      [isAfter, start],
      ['state = ?', state],
      // With both filters the index of states finds fewer rows. The `+` excludes the other index.
      [state === undefined ? 'account = ?' : '+account = ?', account],
      [`instr(${SEARCHED}, lower(?))`, search],
    ] as const;
    const asked = conditions.filter(([, value]) => value !== undefined);
    const where = asked.map(([condition]) => condition).join(' AND ');
    const select = db.prepare(
      `SELECT * FROM mass_payout WHERE ${where} ORDER BY ${inOrder} LIMIT ?`,
    );
    return select.all(...asked.map(([, value]) => value), part.limit);
  };
}
