import type { RowNumber } from '../rows/row.ts';
import type { ChunkOutcomes, Outcome, RowOutcome, OutcomeWithReason } from '../settling/outcome.ts';
import { IN_FLIGHT, UNSTABLE } from '../settling/outcome.ts';

/** The outcomes of a chunk as they were reported: a default, and the rows that differ. */
export type ReportedOutcomes = Readonly<{
  defaultOutcome: OutcomeWithReason;
  rows: ReadonlyMap<RowNumber, RowOutcome>;
}>;

/** A row whose outcome is another one than was reported. */
export type RowChange = Readonly<{ row: RowNumber; before: Outcome; after: Outcome }>;

/** The outcomes of a chunk after a later read, and the rows whose outcome changed. */
export type MergedRecheck = Readonly<{ merged: ChunkOutcomes; changes: readonly RowChange[] }>;

/** The rows of a chunk, in order, and which of them stay UNKNOWN. */
type RecheckedRows = Readonly<{ rows: readonly RowNumber[]; unknownStays: UnknownStays }>;

type RecheckRead = RecheckedRows &
  Readonly<{
    fresh: ChunkOutcomes;
    /** Whether the read covered every row; else it covered only rows with an outcome of their own. */
    coversAllRows: boolean;
  }>;

/**
 * Whether a row that is UNKNOWN never becomes unpaid. Before the first report: once its chunk was reopened, since its UNKNOWN
 * may stand for PAID. After it: see {@link unknownStaysAfter}.
 */
export type UnknownStays = (row: RowNumber) => boolean;

/**
 * After a report, a row that is UNKNOWN stays so unless the first report listed it as unpaid and no change called it PAID.
 * Example: row 3 was FAILED, a person sent it again in the interface of the service, and it failed once more. Row 3 may be
 * resent, since the first report offered it. So the rows that may be resent are always among those of the first report.
 */
export function unknownStaysAfter(changes: readonly RowChange[]): UnknownStays {
  const wereUnpaid = new Map<RowNumber, boolean>();
  for (const { row, before, after } of changes) {
    const wasUnpaid = wereUnpaid.get(row) ?? (before === 'FAILED' || before === 'NOT_SENT');
    wereUnpaid.set(row, wasUnpaid && before !== 'PAID' && after !== 'PAID');
  }
  return (row) => wereUnpaid.get(row) !== true;
}

/**
 * Merges the outcomes of a new read of a chunk with those that people have seen. Both paths use it: before the first report
 * (settle-again.ts) and after it (recheck-payout.ts). Example: row 7 was PAID, and the service calls its mass payout FAILED
 * now. A resend could pay row 7 twice. So row 7 becomes UNKNOWN, and stays UNKNOWN when the service repeats FAILED.
 * Only a person may call it unpaid after that: no function of this engine does.
 */
export function mergeRecheck(
  stored: ReportedOutcomes,
  { fresh, coversAllRows, rows, unknownStays }: RecheckRead,
): MergedRecheck {
  const own = new Map(fresh.rows.map((outcome) => [outcome.row, outcome]));
  const next = rows.map((row): RowOutcome => {
    const before: RowOutcome = stored.rows.get(row) ?? { row, ...stored.defaultOutcome };
    const fromRead = own.get(row) ?? (coversAllRows ? { row, ...fresh.defaultOutcome } : before);
    const now = fresh.final ? afterEnd(before, fromRead) : onTheWay(before);
    return canFollow(before.outcome, now.outcome, unknownStays(row)) ? now : before;
  });
  const changes = next.flatMap(({ row, outcome: after }): RowChange[] => {
    const before = (stored.rows.get(row) ?? stored.defaultOutcome).outcome;
    return before === after ? [] : [{ row, before, after }];
  });
  return { merged: packOutcomes(fresh.massPayoutState, next), changes };
}

/**
 * The outcomes when the service has changed the state of a mass payout too often: every row that was not reported as
 * paid is UNKNOWN.
 */
export function giveUpOutcomes(
  stored: ReportedOutcomes,
  rows: readonly RowNumber[],
  massPayoutState: string,
): MergedRecheck {
  const fresh = { massPayoutState, final: true, defaultOutcome: UNSTABLE, rows: [] };
  const paid = rows.flatMap((row): RowOutcome[] => {
    const before = stored.rows.get(row) ?? { row, ...stored.defaultOutcome };
    return before.outcome === 'PAID' ? [before] : [];
  });
  return mergeRecheck(stored, {
    fresh: { ...fresh, rows: paid },
    coversAllRows: true,
    rows,
    unknownStays: () => true,
  });
}

const UNPAID_OR_OPEN: readonly Outcome[] = ['FAILED', 'NOT_SENT', 'IN_FLIGHT'];

/**
 * Whether a row may go from one outcome to another without a person. PAID becomes UNKNOWN at most. The store checks each
 * new outcome by it too.
 */
export function canFollow(before: Outcome, after: Outcome, unknownStays: boolean): boolean {
  const isFixed = before === 'PAID' || (before === 'UNKNOWN' && unknownStays);
  return !isFixed || !UNPAID_OR_OPEN.includes(after);
}

/** As {@link mergeRecheck} does it for a mass payout that is on its way again: its paid rows stay paid. */
export const reopenOutcomes = (
  stored: ReportedOutcomes,
  { rows, unknownStays }: RecheckedRows,
): ChunkOutcomes => {
  const fresh = { massPayoutState: '', final: false, defaultOutcome: IN_FLIGHT, rows: [] };
  return mergeRecheck(stored, { fresh, coversAllRows: true, rows, unknownStays }).merged;
};

function afterEnd(before: RowOutcome, fromRead: RowOutcome): RowOutcome {
  if (before.outcome !== 'PAID' || fromRead.outcome === 'PAID') return fromRead;
  const reason = `it was reported as paid, and the service says ${fromRead.outcome} now`;
  return { ...before, outcome: 'UNKNOWN', reason };
}

/** Only an unpaid row can be on its way again. */
const onTheWay = (before: RowOutcome): RowOutcome =>
  before.outcome === 'PAID' ? before : { row: before.row, ...IN_FLIGHT };

/** The commonest outcome as the default, and each row that differs from it. */
function packOutcomes(massPayoutState: string, rows: readonly RowOutcome[]): ChunkOutcomes {
  const defaultOutcome = commonest(rows);
  return {
    massPayoutState,
    final: rows.every(({ outcome }) => outcome !== 'IN_FLIGHT'),
    defaultOutcome: { outcome: defaultOutcome.outcome, reason: defaultOutcome.reason },
    rows: rows.filter((outcome) => !isPlain(outcome) || keyOf(outcome) !== keyOf(defaultOutcome)),
  };
}

function commonest(rows: readonly RowOutcome[]): OutcomeWithReason {
  const counts = new Map<string, number>();
  let most: OutcomeWithReason = rows[0] ?? IN_FLIGHT;
  for (const outcome of rows.filter(isPlain)) {
    const count = (counts.get(keyOf(outcome)) ?? 0) + 1;
    counts.set(keyOf(outcome), count);
    if (count > (counts.get(keyOf(most)) ?? 0)) most = outcome;
  }
  return most;
}

/** Whether the row has nothing but its outcome. */
const isPlain = ({ row: _row, outcome: _outcome, reason: _reason, ...facts }: RowOutcome) =>
  Object.keys(facts).length === 0;

const keyOf = ({ outcome, reason }: OutcomeWithReason): string => JSON.stringify([outcome, reason]);
