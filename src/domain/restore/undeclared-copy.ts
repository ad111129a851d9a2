import type { StoreRef } from '../store/identity.ts';

/** A store, as far as it can be an older copy of itself. */
export type CopyFacts = Readonly<{
  id: string;
  /** The number of its last restore; 0: it has none. */
  epoch: number;
  /** The hash of the audit entry that has the number which the reference names; undefined: there is no such entry. */
  hash: string | undefined;
}>;

/**
 * Whether a store is an older copy, and no restore was declared since a worker gave this reference to it. An audit log only grows,
 * so the store that gave the reference has the entry for ever.
 *
 * Example: at 10:00 housekeeping keeps entry 900. At 10:05 a copy of 09:00 takes the place of the store. Its log ends with
 * entry 700. `recover --store older` gives the copy a greater epoch than the reference has, and then this returns false.
 */
export const isUndeclaredCopy = ({ id, audit, epoch = 0 }: StoreRef, store: CopyFacts): boolean =>
  store.id === id && audit.seq > 0 && store.hash !== audit.hash && store.epoch <= epoch;

/**
 * The reference to keep of two that workers gave, one after the other. A shorter log without a further restore is that of an older
 * copy. The longer one stays, since it shows that.
 */
export function referenceToKeep(before: StoreRef | undefined, next: StoreRef): StoreRef {
  if (before === undefined || before.id !== next.id) return next;
  const isDeclared = (next.epoch ?? 0) > (before.epoch ?? 0);
  return isDeclared || next.audit.seq >= before.audit.seq ? next : before;
}
