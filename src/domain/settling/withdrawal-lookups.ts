import { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '@bursar/merchant-api/spec';
import { sha256Hex } from '../sending/identity.ts';
import {
  hidesName,
  isUnclear,
  type MassPayoutFacts,
  namedBy,
  type WithdrawalLookup,
} from './payout-outcomes.ts';
import type { WithdrawalError } from './withdrawals.ts';

/** The result of a withdrawal lookup, and the state in which it counts. */
export type NewWithdrawalLookup = Readonly<{
  result: WithdrawalLookup;
  /** The fingerprint of the withdrawal in the mass payout at that time; see {@link withdrawalFingerprints}. */
  fingerprint: string;
  /** When the lookup was sent, milliseconds since 1970. */
  atMs: number;
}>;

/** `failures`: how many lookups in a row got no answer, this one included. */
export type StoredWithdrawalLookup = NewWithdrawalLookup & Readonly<{ failures: number }>;

export type WithdrawalLookups = ReadonlyMap<string, StoredWithdrawalLookup>;

/**
 * The fingerprint of each withdrawal in a mass payout, as a hash by withdrawal id. A lookup counts as long as this
 * stays the same: a withdrawal that is resent, resolved or fails again is looked up again. Messages are left out, since
 * a service may word them differently at each read.
 */
export function withdrawalFingerprints(payout: MassPayoutFacts): ReadonlyMap<string, string> {
  const fingerprint = (flags: readonly string[]) =>
    sha256Hex(JSON.stringify([payout.state, flags]));
  return new Map([...flagsById(namedBy(payout))].map(([id, flags]) => [id, fingerprint(flags)]));
}

/** The fingerprint of a mass payout, as one hash: it shows whether a later read differs. */
export function payoutFingerprint(payout: MassPayoutFacts): string {
  const { state, withdrawalErrors } = payout;
  const flags = [...flagsById(withdrawalErrors)].map((entry) => JSON.stringify(entry));
  const hidden = hidesName(payout) ? ['a name is hidden'] : [];
  return sha256Hex(JSON.stringify([state, flags.sort(), ...hidden]));
}

function flagsById(entries: readonly WithdrawalError[]): ReadonlyMap<string, readonly string[]> {
  const flags = new Map<string, string[]>();
  for (const { withdrawalId, errors, isResolutionUnreadable } of entries) {
    const own = isResolutionUnreadable === true ? ['unreadable'] : [];
    const before = flags.get(withdrawalId) ?? [];
    flags.set(withdrawalId, [...before, ...errors.map(flagsOf), ...own].sort());
  }
  return flags;
}

const flagsOf = ({ status, errorResolved }: WithdrawalError['errors'][number]): string =>
  `${status === WITHDRAWAL_ERROR_STATUS_SUCCESS} ${errorResolved === true}`;

/**
 * The withdrawals to look up next, at most `max`: first those without a lookup, then unclear ones, the oldest lookup
 * first.
 */
export function withdrawalsToLookUp(
  payout: MassPayoutFacts,
  stored: WithdrawalLookups,
  max: number,
): string[] {
  const counting = countingLookups(payout, stored);
  const askedMs = (id: string): number => (counting.has(id) ? (stored.get(id)?.atMs ?? 0) : 0);
  return [...withdrawalFingerprints(payout).keys()]
    .filter((id) => {
      const lookup = counting.get(id);
      return lookup === undefined || isUnclear(lookup);
    })
    .sort((a, b) => askedMs(a) - askedMs(b))
    .slice(0, max);
}

/** The lookups that still count for this mass payout, by withdrawal id. */
export function countingLookups(
  payout: MassPayoutFacts,
  stored: WithdrawalLookups,
): ReadonlyMap<string, WithdrawalLookup> {
  const counting = new Map<string, WithdrawalLookup>();
  for (const [id, fingerprint] of withdrawalFingerprints(payout)) {
    const lookup = stored.get(id);
    if (lookup?.fingerprint === fingerprint) counting.set(id, lookup.result);
  }
  return counting;
}

/**
 * How many lookups in a row must get no answer, and how many times as long they are waited for: most failures pass.
 * With four of ten answers broken, one withdrawal in 60,000 gets none in twelve lookups.
 */
const FAILURES_MIN = 12;

/** Milliseconds; instants since 1970. */
type Patience = Readonly<{ sinceMs: number; patienceMs: number; nowMs: number }>;

/**
 * Whether everything unclear was looked up again after `patienceMs`. A withdrawal without an answer needs twelve
 * failures in a row, and twelve times as long. `sinceMs`: since when all else about the mass payout is clear. Example:
 * the first lookup gets no answer, and then no worker runs for an hour. The next lookup gets none either. Time alone
 * would make every row of the chunk UNKNOWN after two lookups. A part that cannot be read is read again for `patienceMs`.
 */
export const isPatienceOver = (
  payout: MassPayoutFacts,
  stored: WithdrawalLookups,
  { sinceMs, patienceMs, nowMs }: Patience,
): boolean =>
  (!hidesName(payout) || nowMs >= sinceMs + patienceMs) &&
  [...countingLookups(payout, stored)].every(([id, lookup]) => {
    if (!isUnclear(lookup)) return true;
    const { atMs = 0, failures = 0 } = stored.get(id) ?? {};
    if (lookup !== 'failed') return atMs >= sinceMs + patienceMs;
    return failures >= FAILURES_MIN && atMs >= sinceMs + FAILURES_MIN * patienceMs;
  });

/**
 * Returns the lookup of a withdrawal that is kept: the later one, but a record is not replaced by an answer without
 * one.
 */
export function lookupToKeep(
  earlier: StoredWithdrawalLookup | undefined,
  later: NewWithdrawalLookup,
): StoredWithdrawalLookup {
  const failures = later.result === 'failed' ? 1 : 0;
  if (earlier === undefined) return { ...later, failures };
  if (earlier.atMs > later.atMs) return earlier;
  if (earlier.fingerprint !== later.fingerprint) return { ...later, failures };
  const loses = typeof later.result === 'string' && typeof earlier.result !== 'string';
  if (loses) return { ...earlier, atMs: later.atMs };
  return { ...later, failures: failures === 0 ? 0 : earlier.failures + 1 };
}
