/**
 * What a write decides about. `part`: a part of the store that concerns no money, as the spool. `store`: what may concern any
 * batch; such a write runs alone.
 * `payout`: which chunk a mass payout stands for. The chunks of two batches may claim one mass payout, so a write of a batch takes it
 * late, when it has found the mass payout.
 * `chain`: the store chain of the audit log. It is the last scope in the order, so that a write of a batch can also take it
 * late, when the head of the batch is due.
 */
export type Scope =
  | Readonly<{ account: string }>
  | Readonly<{ batch: string }>
  | Readonly<{ schedule: string }>
  | Readonly<{ part: 'health-checks' | 'notifications' | 'probe' | 'spool' }>
  | 'store'
  | Readonly<{ payout: string }>
  | 'chain';

/** The scopes of one write, in the order of {@link SCOPE_ORDER}. */
export type Scopes = readonly [Scope, ...Scope[]];

/** Locks are taken in this order, so that no two writes wait for each other. */
const SCOPE_ORDER = ['account', 'batch', 'schedule', 'part', 'store', 'payout', 'chain'];

export function refuseDisorder(scopes: Scopes): void {
  const places = scopes.map((scope) => SCOPE_ORDER.indexOf(kindOf(scope)));
  if (places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0))) return;
  throw new Error(`scopes out of order: ${scopes.map(kindOf).join(', ')}`);
}

const kindOf = (scope: Scope): string =>
  typeof scope === 'string' ? scope : (Object.keys(scope)[0] ?? '');

/** A scope as one text. */
export const nameOfScope = (scope: Scope): string =>
  typeof scope === 'string' ? scope : Object.entries(scope).flat().join(':');
