import { type Hold, holdName } from './hold.ts';

/** The holds of one batch, as its workflow received them. The store has them first, and decides. */
export type OpenHolds = Readonly<{
  open: readonly Hold[];
  /** Names of the holds that were lifted: see {@link withHold}. */
  lifted: ReadonlySet<string>;
}>;

export const NO_HOLDS: OpenHolds = { open: [], lifted: new Set() };

/**
 * Adds a hold, or returns the same holds when it was lifted before.
 *
 * Example: a partition signals a hold that a rule put on. A person resumes the batch before the signal arrives. The hold must not
 * come back, since nothing would lift it again.
 */
export function withHold(holds: OpenHolds, hold: Hold): OpenHolds {
  if (holds.lifted.has(holdName(hold))) return holds;
  const open = isHoldOpen(holds, hold)
    ? holds.open.map((one) => (isSame(one, hold) ? hold : one))
    : [...holds.open, hold].sort((a, b) => a.n - b.n);
  return { ...holds, open };
}

export const withoutHold = ({ open, lifted }: OpenHolds, hold: Hold): OpenHolds => ({
  open: open.filter((one) => !isSame(one, hold)),
  lifted: new Set(lifted).add(holdName(hold)),
});

export const isHoldOpen = ({ open }: OpenHolds, hold: Hold): boolean =>
  open.some((one) => isSame(one, hold));

/** Holds that the workflow had before it read the store, and that the store does not have. They were lifted, or are forgotten. */
export const outdatedHolds = (before: readonly Hold[], stored: readonly Hold[]): Hold[] =>
  before.filter((hold) => !stored.some((one) => isSame(one, hold)));

const isSame = (one: Hold, other: Hold): boolean => holdName(one) === holdName(other);
