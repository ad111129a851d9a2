import type { Db } from '../database/db.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/**
 * Throws ACCOUNT_SPELLED_OTHERWISE when the store has the account in other letters. Keys, claims and earlier payments
 * are found by the account as it is written: under two spellings one account would be two.
 */
export async function refuseOtherSpelling(db: Db, account: string): Promise<void> {
  const other = await db
    .selectFrom('batch')
    .select('account')
    .where(({ fn }) => fn<string>('lower', ['account']), '=', account.toLowerCase())
    .where('account', '!=', account)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new BursarError('ACCOUNT_SPELLED_OTHERWISE', { account, known: other.account });
}
