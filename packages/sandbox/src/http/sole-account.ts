import { Refused } from '../core/refusals.ts';

/**
 * Returns the account of a call.
 * ASSUMED: the spec does not show which operations on wallets belong to one account. A key with one
 * account need not name it.
 */
export function soleAccount(accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (only === undefined || another !== undefined) {
    throw new Refused('FIELD_INVALID', 'account: required, because the key has several');
  }
  return only;
}
