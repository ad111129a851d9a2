import type { IdentityKind } from './identity.ts';

/** Where an identity of a row was paid before: never, at the address of the row (and perhaps at others), or at others alone. */
export type PaidBefore = 'never' | 'here' | 'elsewhere';

/** The facts about an identity of a row. `listedElsewhere`: the register has it, and not at the address of the row. */
export type KnownIdentity = Readonly<{ paid: PaidBefore; listedElsewhere: boolean }>;

/** By what a payee is known under other addresses alone. */
export type KnownBy = Readonly<{ kind: IdentityKind; by: 'payments' | 'register' }>;

/** The reference is more exact than the name: people may share a name. */
const KINDS = ['reference', 'name'] as const satisfies readonly IdentityKind[];

/**
 * Whether a row pays a payee who is known under other addresses alone; undefined: it does not. Payments decide before the
 * register, since they show where money went. The first identity that was ever paid decides.
 */
export function addressChange(
  known: Readonly<Record<IdentityKind, KnownIdentity>>,
): KnownBy | undefined {
  const paid = KINDS.find((kind) => known[kind].paid !== 'never');
  if (paid !== undefined) {
    return known[paid].paid === 'elsewhere' ? { kind: paid, by: 'payments' } : undefined;
  }
  const listed = KINDS.find((kind) => known[kind].listedElsewhere);
  return listed && { kind: listed, by: 'register' };
}
