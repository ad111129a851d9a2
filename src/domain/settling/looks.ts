import { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '@bursar/merchant-api/spec';
import { sha256Hex } from '../sending/identity.ts';
import { isUnclear, type MassPayoutFacts, namedBy, type WithdrawalLook } from './judge.ts';
import type { WithdrawalError } from './withdrawals.ts';

/** What a look at a withdrawal told, and what it still counts for. */
export type NewLook = Readonly<{
  look: WithdrawalLook;
  /** What the mass payout said of the withdrawal then; see {@link saidBy}. */
  said: string;
  /** When the question was asked, milliseconds since 1970. */
  atMs: number;
}>;

/** `failures`: how many looks in a row got no answer, this one included. */
export type KeptLook = NewLook & Readonly<{ failures: number }>;

export type KeptLooks = ReadonlyMap<string, KeptLook>;

/**
 * What a mass payout says of each withdrawal that it names, as a hash by withdrawal id. A look counts as long as this
 * stays the same: one that is resent, resolved or fails once more is looked at again. Messages are left out, since a
 * service may word them anew at each read.
 */
export function saidBy(payout: MassPayoutFacts): ReadonlyMap<string, string> {
  const said = (flags: readonly string[]) => sha256Hex(JSON.stringify([payout.state, flags]));
  return new Map([...flagsById(namedBy(payout))].map(([id, flags]) => [id, said(flags)]));
}

/** All that a mass payout says, as one hash: it tells whether a later read says anything else. */
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
 * The withdrawals to look at next, at most `max`: those that nobody has looked at yet, then those that are not clear,
 * the one that was asked for longest ago first.
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

/** The looks that still say something of this mass payout, by withdrawal id. */
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
 * How many looks in a row must get no answer, and how many times as long that is waited for: most failures pass. With four of
 * ten answers broken, one withdrawal in 60,000 gets none in twelve looks.
 */
const FAILURES_MIN = 12;

/**
 * Whether everything that is not clear was looked at once more after `patienceMs`. What got no answer needs twelve failures in
 * a row, and twelve times as long. `sinceMs`: since when all else about the mass payout is clear.
 *
 * Example: the first look gets no answer, and then no worker runs for an hour. The next look gets none either. Time alone
 * would make every row of the chunk UNKNOWN after two looks.
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

/** Which of two looks at one withdrawal is kept: the later one, but a record is not lost to an answer that has none. */
export function laterLook(earlier: KeptLook | undefined, later: NewLook): KeptLook {
  const failures = later.look === 'failed' ? 1 : 0;
  if (earlier === undefined) return { ...later, failures };
  if (earlier.atMs > later.atMs) return earlier;
  if (earlier.said !== later.said) return { ...later, failures };
  const loses = typeof later.look === 'string' && typeof earlier.look !== 'string';
  if (loses) return { ...earlier, atMs: later.atMs };
  return { ...later, failures: failures === 0 ? 0 : earlier.failures + 1 };
}
