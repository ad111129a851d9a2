import { WITHDRAWAL_ERROR_STATUS_SUCCESS } from '../../spec/states.ts';
import { sha256Hex } from '../sending/identity.ts';
import { isUnclear, type MassPayoutFacts, namedBy, type WithdrawalLook } from './judge.ts';
import type { WithdrawalError } from './withdrawals.ts';

/** What a look at a withdrawal told, and what it still counts for. */
export type KeptLook = Readonly<{
  look: WithdrawalLook;
  /** What the mass payout said of the withdrawal then; see {@link saidBy}. */
  said: string;
  /** When the question was asked, milliseconds since 1970. */
  atMs: number;
}>;

export type KeptLooks = ReadonlyMap<string, KeptLook>;

/**
 * What a mass payout says of each withdrawal that it names, as a hash by withdrawal id. A look counts as long as this
 * stays the same: one that is resent, resolved or fails once more is looked at again. Messages are left out, since a
 * service may word them anew at each read.
 */
export function saidBy(payout: MassPayoutFacts): ReadonlyMap<string, string> {
  const flags = new Map<string, string[]>();
  for (const { withdrawalId, errors } of namedBy(payout)) {
    flags.set(withdrawalId, [...(flags.get(withdrawalId) ?? []), ...errors.map(flagsOf)]);
  }
  const said = (of: string[]): string => sha256Hex(JSON.stringify([payout.state, of.sort()]));
  return new Map([...flags].map(([id, of]) => [id, said(of)]));
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

/** Whether a mass payout says of its withdrawals just what it said when all these looks were made. */
export function isSaidBy(payout: MassPayoutFacts, kept: KeptLooks): boolean {
  const said = saidBy(payout);
  return said.size === kept.size && [...said].every(([id, of]) => kept.get(id)?.said === of);
}

/** Whether everything that is not clear was asked for once more at `untilMs` or after. */
export const isPatienceOver = (
  payout: MassPayoutFacts,
  kept: KeptLooks,
  untilMs: number,
): boolean =>
  [...looksThatCount(payout, kept)].every(
    ([id, look]) => !isUnclear(look) || (kept.get(id)?.atMs ?? 0) >= untilMs,
  );

/** Which of two looks at one withdrawal is kept: the later one, but a record is not lost to an answer that has none. */
export function laterLook(earlier: KeptLook | undefined, later: KeptLook): KeptLook {
  if (earlier === undefined) return later;
  if (earlier.atMs > later.atMs) return earlier;
  const loses = typeof later.look === 'string' && typeof earlier.look !== 'string';
  return loses && earlier.said === later.said ? { ...earlier, atMs: later.atMs } : later;
}
