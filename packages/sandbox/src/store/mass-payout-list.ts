import type { PayoutState } from '@bursar/merchant-api/spec';
import type { Database } from './database.ts';
import { cutOf, type ListPart } from './page.ts';

/** A part of the mass payouts that fit. */
export type MassPayoutFilter = ListPart &
  Readonly<{
    account?: string | undefined;
    state?: PayoutState | undefined;
    /** A part of its id, key, name or external id, in any case. */
    search?: string | undefined;
  }>;

/** A line feed between two texts, so that nothing is found across their border. */
const SEARCHED = `lower(id || char(10) || idempotency_key || char(10) || coalesce(name, '')
  || char(10) || coalesce(external_id, ''))`;

/** Reads rows of mass payouts with one condition for each filter, so that an index is used where there is one. */
export function createMassPayoutList(db: Database): (filter: MassPayoutFilter) => unknown[] {
  return ({ account, state, search, ...part }) => {
    const { isAfter, inOrder, start } = cutOf(part);
    const conditions = [
      [isAfter, start],
      ['state = ?', state],
      // Of the two indexes that of states finds fewer.
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
