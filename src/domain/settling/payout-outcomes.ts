import type { RowNumber } from '../rows/row.ts';
import {
  type ChunkOutcomes,
  IN_FLIGHT,
  PAID,
  type RowOutcome,
  type OutcomeWithReason,
} from './outcome.ts';
import {
  isResolved,
  type RowFinder,
  reasonOf,
  type WithdrawalError,
  type WithdrawalRecord,
} from './withdrawals.ts';
import { hiddenName, hiddenNameReason, type UnreadPart } from './unreadable-parts.ts';

/** A mass payout from a signed read. */
export type MassPayoutFacts = Readonly<{
  state: string;
  withdrawalErrors: readonly WithdrawalError[];
  /** The parts of the record that could not be read. */
  unreadableParts: readonly UnreadPart[];
}>;

/**
 * The result of looking up one withdrawal. `missing`: the service does not have it; `unavailable`: it has no such
 * operation; `failed`: no answer this time, so it is read again later.
 */
export type WithdrawalLookup = WithdrawalRecord | 'missing' | 'unavailable' | 'failed';

/** The reads of a mass payout: its own record, and the records of its withdrawals. */
export type MassPayoutReads = Readonly<{
  payout: MassPayoutFacts;
  /** By withdrawal id. An id without an entry was not looked up yet: no outcome is final before that. */
  lookups: ReadonlyMap<string, WithdrawalLookup>;
}>;

/** The facts that decide the outcomes of the rows of a mass payout. */
export type OutcomeFacts = MassPayoutReads &
  Readonly<{
    findRows: RowFinder;
    /** Whether unclear withdrawals of an ended mass payout have had enough time; then their rows become UNKNOWN. */
    patienceOver: boolean;
  }>;

const MAY_BE_RESOLVED =
  'its own record says it failed, and it cannot be read whether that was resolved since';
const UNMAPPED = 'the service names a failed withdrawal that cannot be told from this row';

/**
 * The withdrawals that must be looked up before the rows of a mass payout get outcomes. Where a name may be hidden, only rows that were
 * looked up keep an outcome.
 */
export function namedBy(payout: MassPayoutFacts): readonly WithdrawalError[] {
  const { state, withdrawalErrors } = payout;
  const isHiding = state !== 'CANCELED' && hidesName(payout);
  if (state === 'PARTIAL' || isHiding) return withdrawalErrors;
  return state === 'COMPLETED' ? withdrawalErrors.filter((entry) => !isResolved(entry)) : [];
}

/** Whether a part that cannot be read may name a withdrawal of an ended mass payout. */
export const hidesName = ({ state, unreadableParts }: MassPayoutFacts): boolean =>
  isEndState(state) && hiddenName(unreadableParts) !== undefined;

/** Whether every withdrawal that a mass payout names was looked up; only then its patience begins. */
export const isEachLookedUp = ({ payout, lookups }: MassPayoutReads): boolean =>
  namedBy(payout).every(({ withdrawalId }) => lookups.has(withdrawalId));

/** Whether another lookup may show more: there was no answer, or the withdrawal is still on its way. */
export const isUnclear = (lookup: WithdrawalLookup): boolean =>
  lookup === 'failed' || lookup === 'missing' || isOpen(lookup);

/**
 * Whether a later read can show another end. People can send withdrawals again in the service's own interface, in any state with
 * unpaid rows but CANCELED. A part that could not be read may be readable later.
 */
export const isSoftEnd = ({
  final,
  massPayoutState,
  defaultOutcome,
  rows,
}: ChunkOutcomes): boolean =>
  final &&
  [defaultOutcome, ...rows].some(
    ({ outcome }) =>
      outcome === 'UNKNOWN' || (outcome !== 'PAID' && massPayoutState !== 'CANCELED'),
  );

/** States after which the rows of a mass payout get their outcomes. */
const END_STATES: readonly string[] = ['COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];

export const isEndState = (state: string): boolean => END_STATES.includes(state);

/** Whether a mass payout must be read a second time before its rows count as failed. */
export const needsSecondRead = ({ state }: MassPayoutFacts): boolean => state === 'FAILED';

/**
 * The outcomes of the rows from one signed read, by the table in ARCHITECTURE.md. An unknown state leaves every row in
 * flight: it is never a success and never a failure.
 */
export function outcomesOf(input: OutcomeFacts): ChunkOutcomes {
  const { state, withdrawalErrors } = input.payout;
  if (namedBy(input.payout).length > 0 || hidesName(input.payout)) return outcomesOfNamed(input);
  switch (state) {
    case 'COMPLETED':
      return sameForAll(state, PAID);
    case 'PARTIAL':
      return sameForAll(state, unknown('the service says PARTIAL and names no withdrawal'));
    case 'FAILED':
      return sameForAll(state, outcomeOfFailed(withdrawalErrors));
    case 'CANCELED':
      return sameForAll(state, { outcome: 'NOT_SENT', reason: 'canceled by the merchant' });
    default:
      return inFlight(state);
  }
}

function outcomeOfFailed(entries: readonly WithdrawalError[]): OutcomeWithReason {
  if (entries.some(({ isResolutionUnreadable }) => isResolutionUnreadable === true)) {
    return unknown('the mass payout FAILED, but it cannot be read whether some of it was resolved');
  }
  if (entries.some(isResolved)) {
    return unknown('the mass payout FAILED, but some of its withdrawals are marked as resolved');
  }
  return { outcome: 'FAILED', reason: reasonOfAll(entries) };
}

/** Reasons that are named of a mass payout that failed as a whole for several. */
const REASONS_NAMED_MAX = 5;

/** A mass payout does not show which row failed for which reason; its withdrawals do. */
function reasonOfAll(entries: readonly WithdrawalError[]): string {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(reasonOf(entry), (counts.get(reasonOf(entry)) ?? 0) + 1);
  const [only] = counts.keys();
  if (only === undefined) return 'the mass payout FAILED';
  if (counts.size === 1) return only;
  const named = [...counts]
    .slice(0, REASONS_NAMED_MAX)
    .map(([reason, rows]) => `${rows} x ${reason}`);
  const more = counts.size > REASONS_NAMED_MAX ? ', ...' : '';
  return `the mass payout FAILED: ${named.join(', ')}${more}`;
}

/** Judges a mass payout that names some of its withdrawals, or may name some where it cannot be read. */
function outcomesOfNamed(input: OutcomeFacts): ChunkOutcomes {
  const { payout, lookups, patienceOver } = input;
  if (!isEachLookedUp(input)) return inFlight(payout.state);
  const hidden = hidesName(payout) ? hiddenName(payout.unreadableParts) : undefined;
  const outcomes = new Map<RowNumber, RowOutcome>();
  let doubtAll = false;
  let settled = hidden === undefined;
  for (const entry of namedBy(payout)) {
    const lookup = lookups.get(entry.withdrawalId) ?? 'failed';
    if (lookup === 'failed' || lookup === 'missing') settled = false;
    const candidates = typeof lookup === 'string' ? [] : input.findRows(lookup);
    if (candidates.length === 0) doubtAll = true;
    const named = candidates.length === 1 && !outcomes.has(candidates[0] as RowNumber);
    for (const row of candidates) {
      const outcome = named
        ? outcomeOfRow(row, entry, { lookup, state: payout.state })
        : { row, ...unknown(UNMAPPED) };
      outcomes.set(row, outcome);
    }
    if (named && isOpen(lookup)) settled = false;
  }
  if (!settled && !patienceOver) return inFlight(payout.state);
  return {
    massPayoutState: payout.state,
    final: true,
    defaultOutcome: defaultOf(doubtAll, hidden),
    rows: [...outcomes.values()].sort((a, b) => a.row - b.row),
  };
}

function defaultOf(doubtAll: boolean, hidden: UnreadPart | undefined): OutcomeWithReason {
  if (hidden !== undefined) return unknown(hiddenNameReason(hidden));
  return doubtAll ? unknown(UNMAPPED) : PAID;
}

function outcomeOfRow(
  row: RowNumber,
  entry: WithdrawalError,
  { lookup, state }: Readonly<{ lookup: WithdrawalLookup; state: string }>,
): RowOutcome {
  if (typeof lookup === 'string') return { row, ...unknown(UNMAPPED) };
  const { transactionHash, fee, feeCurrency } = lookup;
  return {
    row,
    ...(state === 'FAILED' ? ofFailed(entry, lookup) : outcomeOfRecord(entry, lookup)),
    withdrawalId: entry.withdrawalId,
    ...(transactionHash === undefined ? {} : { transactionHash }),
    ...(fee === undefined ? {} : { fee }),
    ...(feeCurrency === undefined ? {} : { feeCurrency }),
  };
}

/** A mass payout that FAILED is no proof that a row of it was paid. */
function ofFailed(entry: WithdrawalError, record: WithdrawalRecord): OutcomeWithReason {
  const outcome = outcomeOfRecord(entry, record);
  return outcome.outcome === 'PAID'
    ? unknown(`the mass payout FAILED, but the record of this withdrawal says ${record.state}`)
    : outcome;
}

/** A row is FAILED only when its own record has failed and no field shows, or may show, that it was resolved since. */
function outcomeOfRecord(entry: WithdrawalError, record: WithdrawalRecord): OutcomeWithReason {
  const failed = record.state === 'FAILED' || record.state === 'CANCELED';
  const resolved = isResolved(entry);
  if (failed && resolved) return unknown('marked as resolved, but its own record says it failed');
  if (failed && entry.isResolutionUnreadable === true) return unknown(MAY_BE_RESOLVED);
  if (failed) return { outcome: 'FAILED', reason: reasonOf(entry) };
  if (record.state === 'COMPLETED' || resolved) return PAID;
  return unknown(`the service names an error and its record says ${record.state}`);
}

/** States in which a withdrawal may still come to an end by itself. */
const OPEN_STATES: readonly string[] = [
  'CREATION_IN_PROGRESS',
  'PENDING_CONFIRMATION',
  'CONFIRMED',
  'IN_PROGRESS',
  'WAITING_COMPLETION_ERRORS',
];

const isOpen = (lookup: WithdrawalLookup): boolean =>
  typeof lookup !== 'string' && OPEN_STATES.includes(lookup.state);

const inFlight = (massPayoutState: string): ChunkOutcomes => ({
  massPayoutState,
  final: false,
  defaultOutcome: IN_FLIGHT,
  rows: [],
});

const sameForAll = (massPayoutState: string, defaultOutcome: OutcomeWithReason): ChunkOutcomes => ({
  massPayoutState,
  final: true,
  defaultOutcome: defaultOutcome,
  rows: [],
});

const unknown = (reason: string): OutcomeWithReason => ({ outcome: 'UNKNOWN', reason });
