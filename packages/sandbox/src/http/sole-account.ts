import { Refused } from '../core/refusals.ts';

/**
 * The account on which a call acts. ASSUMED: the spec does not show which operations on wallets are
 * account-scoped; a key with one account need not name it.
 */
export function soleAccount(accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (only === undefined || another !== undefined) {
    throw new Refused('FIELD_INVALID', 'account: must be named, the key has several');
  }
  return only;
}
