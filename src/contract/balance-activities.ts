import type { Hold } from '../domain/holds/hold.ts';

export type CheckBalanceInput = Readonly<{
  batchId: string;
  /** Whether a difference, or a service that does not answer, only leads to another read. */
  isPatient: boolean;
}>;

/** `done`: the batch may end. `again`: read again. `held`: a difference waits for a later read or for a person. */
export type BalanceChecked = Readonly<
  { kind: 'done' } | { kind: 'again' } | { kind: 'held'; hold: Hold }
>;

/** Compares the money that left the account with the money that batches ordered. */
export type BalanceActivities = Readonly<{
  checkBalance(input: CheckBalanceInput): Promise<BalanceChecked>;
}>;
