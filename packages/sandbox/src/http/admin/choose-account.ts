import { Refused } from '../../core/refusals.ts';

/**
 * Returns the named account. Without a name it returns the only account. Throws Refused when there
 * are several.
 */
export function chooseAccount(named: string | undefined, accounts: readonly string[]): string {
  const [only, another] = accounts;
  if (named === undefined && only !== undefined && another === undefined) return only;
  if (named === undefined)
    throw new Refused('FIELD_INVALID', 'account: required, because there are several');
  if (!accounts.includes(named)) throw new Refused('FIELD_INVALID', 'account: is unknown');
  return named;
}
