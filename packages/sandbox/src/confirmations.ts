import { z } from 'zod';
import type { Overrides } from './store/overrides.ts';

/**
 * How many people must confirm each mass payout of an account. 0: none. The spec has it so for
 * payouts that come through the API.
 */
export type Confirmations = Readonly<{
  of(account: string): number;
  /** With null the settings decide again. */
  change(account: string, people: number | null): void;
}>;

const OVERRIDE = 'confirmations';

export const PEOPLE_MAX = 10;

const Changed = z.record(z.string(), z.int().min(0).max(PEOPLE_MAX));

export function createConfirmations(settingPeople: number, overrides: Overrides): Confirmations {
  let changed = Changed.parse(overrides.read(OVERRIDE) ?? {});
  return {
    of: (account) => changed[account] ?? settingPeople,
    change(account, people) {
      const { [account]: _, ...others } = changed;
      const next = people === null ? others : { ...others, [account]: people };
      overrides.write(OVERRIDE, next);
      changed = next;
    },
  };
}
