import type { Hold } from '../domain/holds/hold.ts';

export type CheckBalanceInput = Readonly<{
  batchId: string;
  /** Whether a difference, or a service that does not answer, is only looked at again. */
  isPatient: boolean;
}>;

/** `done`: the batch may end. `again`: look once more. `held`: a difference waits for a later read or for a person. */
export type BalanceChecked = Readonly<
  { kind: 'done' } | { kind: 'again' } | { kind: 'held'; hold: Hold }
>;

/** Holds the money that left the account against what was ordered from it. */
export type BalanceActivities = Readonly<{
  checkBalance(input: CheckBalanceInput): Promise<BalanceChecked>;
}>;
