import { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '@bursar/merchant-api/spec';
import { sha256Hex } from '../sending/identity.ts';
import { isUnclear, type MassPayoutFacts, namedBy, type WithdrawalLook } from './judge.ts';
import type { WithdrawalError } from './withdrawals.ts';

/** The result of a withdrawal lookup, and the state in which it counts. */
export type NewLook = Readonly<{
  look: WithdrawalLook;
  /** The fingerprint of the withdrawal in the mass payout at that time; see {@link saidBy}. */
  said: string;
  /** When the lookup was sent, milliseconds since 1970. */
  atMs: number;
}>;

/** `failures`: how many lookups in a row got no answer, this one included. */
export type KeptLook = NewLook & Readonly<{ failures: number }>;

export type KeptLooks = ReadonlyMap<string, KeptLook>;

/**
 * The fingerprint of each withdrawal in a mass payout, as a hash by withdrawal id. A lookup counts as long as this
 * stays the same: a withdrawal that is resent, resolved or fails again is looked up again. Messages are left out, since
 * a service may word them differently at each read.
 */
export function saidBy(payout: MassPayoutFacts): ReadonlyMap<string, string> {
  const said = (flags: readonly string[]) => sha256Hex(JSON.stringify([payout.state, flags]));
  return new Map([...flagsById(namedBy(payout))].map(([id, flags]) => [id, said(flags)]));
}

/** The fingerprint of a mass payout, as one hash: it shows whether a later read differs. */
export function saidOf({ state, withdrawalErrors }: MassPayoutFacts): string {
  const flags = [...flagsById(withdrawalErrors)].map((entry) => JSON.stringify(entry));
  return sha256Hex(JSON.stringify([state, flags.sort()]));
}

function flagsById(entries: readonly WithdrawalError[]): ReadonlyMap<string, readonly string[]> {
  const flags = new Map<string, string[]>();
  for (const { withdrawalId, errors } of entries) {
    flags.set(withdrawalId, [...(flags.get(withdrawalId) ?? []), ...errors.map(flagsOf)].sort());
  }
  return flags;
}

const flagsOf = ({ status, errorResolved }: WithdrawalError['errors'][number]): string =>
  `${status === WITHDRAWAL_ERROR_STATUS_SUCCESS} ${errorResolved === true}`;

/**
 * The withdrawals to look up next, at most `max`: first those without a lookup, then unclear ones, the oldest lookup
 * first.
 */
export function nextLooks(payout: MassPayoutFacts, kept: KeptLooks, max: number): string[] {
  const counting = looksThatCount(payout, kept);
  const askedMs = (id: string): number => (counting.has(id) ? (kept.get(id)?.atMs ?? 0) : 0);
  return [...saidBy(payout).keys()]
    .filter((id) => {
      const look = counting.get(id);
      return look === undefined || isUnclear(look);
    })
    .sort((a, b) => askedMs(a) - askedMs(b))
    .slice(0, max);
}

/** The lookups that still count for this mass payout, by withdrawal id. */
export function looksThatCount(
  payout: MassPayoutFacts,
  kept: KeptLooks,
): ReadonlyMap<string, WithdrawalLook> {
  const counting = new Map<string, WithdrawalLook>();
  for (const [id, said] of saidBy(payout)) {
    const look = kept.get(id);
    if (look?.said === said) counting.set(id, look.look);
  }
  return counting;
}

/**
 * How many lookups in a row must get no answer, and how many times as long they are waited for: most failures pass.
 * With four of ten answers broken, one withdrawal in 60,000 gets none in twelve lookups.
 */
const FAILURES_MIN = 12;

/**
 * Whether everything unclear was looked up again after `patienceMs`. A withdrawal without an answer needs twelve
 * failures in a row, and twelve times as long. `sinceMs`: since when all else about the mass payout is clear. Example:
 * the first lookup gets no answer, and then no worker runs for an hour. The next lookup gets none either. Time alone
 * would make every row of the chunk UNKNOWN after two lookups.
 */
export const isPatienceOver = (
  payout: MassPayoutFacts,
  kept: KeptLooks,
  { sinceMs, patienceMs }: Readonly<{ sinceMs: number; patienceMs: number }>,
): boolean =>
  [...looksThatCount(payout, kept)].every(([id, look]) => {
    if (!isUnclear(look)) return true;
    const { atMs = 0, failures = 0 } = kept.get(id) ?? {};
    if (look !== 'failed') return atMs >= sinceMs + patienceMs;
    return failures >= FAILURES_MIN && atMs >= sinceMs + FAILURES_MIN * patienceMs;
  });

/**
 * Returns the lookup of a withdrawal that is kept: the later one, but a record is not replaced by an answer without
 * one.
 */
export function laterLook(earlier: KeptLook | undefined, later: NewLook): KeptLook {
  const failures = later.look === 'failed' ? 1 : 0;
  if (earlier === undefined) return { ...later, failures };
  if (earlier.atMs > later.atMs) return earlier;
  if (earlier.said !== later.said) return { ...later, failures };
  const loses = typeof later.look === 'string' && typeof earlier.look !== 'string';
  if (loses) return { ...earlier, atMs: later.atMs };
  return { ...later, failures: failures === 0 ? 0 : earlier.failures + 1 };
}
