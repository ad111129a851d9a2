import { Refused } from '../../core/refusals.ts';

/** The account that is named; it may be left out where there is only one. */
export function chooseAccount(named: string | undefined, accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (named === undefined && only !== undefined && another === undefined) return only;
  if (named === undefined) throw new Refused('FIELD_INVALID', 'account: there are several');
  if (!accounts.includes(named)) throw new Refused('FIELD_INVALID', 'account: is unknown');
  return named;
}
