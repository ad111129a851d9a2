import type { RowNumber } from '../rows/row.ts';
import type { ChunkVerdict, Outcome, RowVerdict, Verdict } from '../settling/outcome.ts';
import { IN_FLIGHT } from '../settling/outcome.ts';

/** The verdict on a chunk as it is written down: by row, where a row differs. */
export type Known = Readonly<{ rest: Verdict; rows: ReadonlyMap<RowNumber, RowVerdict> }>;

/** A row whose outcome is another one than was reported. */
export type RowChange = Readonly<{ row: RowNumber; before: Outcome; after: Outcome }>;

/** The verdict of a chunk after a later read, and the rows whose outcome changed. */
export type LaterWord = Readonly<{ verdict: ChunkVerdict; changes: readonly RowChange[] }>;

/** The rows of a chunk, in order, and which of them stay UNKNOWN. */
type LaterRows = Readonly<{ rows: readonly RowNumber[]; unknownStays: UnknownStays }>;

type Later = LaterRows &
  Readonly<{
    fresh: ChunkVerdict;
    /** Whether the read covered every row; else it covered only rows with a verdict of their own. */
    isAllTold: boolean;
  }>;

/**
 * Whether a row that is UNKNOWN never becomes unpaid. Before the first report: once a verdict on its chunk was taken back, since
 * its UNKNOWN may stand for PAID. After it: see {@link unknownStaysAfter}.
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
 * Merges a new verdict on a chunk with the verdict that people were shown. Both paths use it: before the first report
 * (settle-again.ts) and after it (late-look.ts). Example: row 7 was PAID, and the service calls its mass payout FAILED
 * now. A resend could pay row 7 twice. So row 7 becomes UNKNOWN, and stays UNKNOWN when the service repeats FAILED.
 * Only a person may call it unpaid after that: no function of this engine does.
 */
export function laterWord(
  known: Known,
  { fresh, isAllTold, rows, unknownStays }: Later,
): LaterWord {
  const own = new Map(fresh.rows.map((verdict) => [verdict.row, verdict]));
  const next = rows.map((row): RowVerdict => {
    const before: RowVerdict = known.rows.get(row) ?? { row, ...known.rest };
    const told = own.get(row) ?? (isAllTold ? { row, ...fresh.rest } : before);
    const now = fresh.final ? afterEnd(before, told) : onTheWay(before);
    return canFollow(before.outcome, now.outcome, unknownStays(row)) ? now : before;
  });
  const changes = next.flatMap(({ row, outcome: after }): RowChange[] => {
    const before = (known.rows.get(row) ?? known.rest).outcome;
    return before === after ? [] : [{ row, before, after }];
  });
  return { verdict: packed(fresh.massPayoutState, next), changes };
}

/**
 * The verdict when the service has changed the state of a mass payout too often: every row that was not reported as
 * paid is UNKNOWN.
 */
export function givenUp(
  known: Known,
  rows: readonly RowNumber[],
  massPayoutState: string,
): LaterWord {
  const reason = 'the service keeps changing what it says of this mass payout';
  const unknown = { outcome: 'UNKNOWN', reason } as const;
  const fresh = { massPayoutState, final: true, rest: unknown, rows: [] };
  const paid = rows.flatMap((row): RowVerdict[] => {
    const before = known.rows.get(row) ?? { row, ...known.rest };
    return before.outcome === 'PAID' ? [before] : [];
  });
  return laterWord(known, {
    fresh: { ...fresh, rows: paid },
    isAllTold: true,
    rows,
    unknownStays: () => true,
  });
}

const UNPAID_OR_OPEN: readonly Outcome[] = ['FAILED', 'NOT_SENT', 'IN_FLIGHT'];

/**
 * Whether a row may go from one outcome to another without a person. PAID becomes UNKNOWN at most. The store checks each
 * new verdict by it too.
 */
export function canFollow(before: Outcome, after: Outcome, unknownStays: boolean): boolean {
  const isFixed = before === 'PAID' || (before === 'UNKNOWN' && unknownStays);
  return !isFixed || !UNPAID_OR_OPEN.includes(after);
}

/** As {@link laterWord} does it for a mass payout that is on its way again: its paid rows stay paid. */
export const reopened = (known: Known, { rows, unknownStays }: LaterRows): ChunkVerdict => {
  const fresh = { massPayoutState: '', final: false, rest: IN_FLIGHT, rows: [] };
  return laterWord(known, { fresh, isAllTold: true, rows, unknownStays }).verdict;
};

function afterEnd(before: RowVerdict, told: RowVerdict): RowVerdict {
  if (before.outcome !== 'PAID' || told.outcome === 'PAID') return told;
  const reason = `it was reported as paid, and the service says ${told.outcome} now`;
  return { ...before, outcome: 'UNKNOWN', reason };
}

/** Only an unpaid row can be on its way again. */
const onTheWay = (before: RowVerdict): RowVerdict =>
  before.outcome === 'PAID' ? before : { row: before.row, ...IN_FLIGHT };

/** One verdict for as many rows as possible, and one for each row that differs. */
function packed(massPayoutState: string, rows: readonly RowVerdict[]): ChunkVerdict {
  const rest = commonest(rows);
  return {
    massPayoutState,
    final: rows.every(({ outcome }) => outcome !== 'IN_FLIGHT'),
    rest: { outcome: rest.outcome, reason: rest.reason },
    rows: rows.filter((verdict) => !isPlain(verdict) || keyOf(verdict) !== keyOf(rest)),
  };
}

function commonest(rows: readonly RowVerdict[]): Verdict {
  const counts = new Map<string, number>();
  let most: Verdict = rows[0] ?? IN_FLIGHT;
  for (const verdict of rows.filter(isPlain)) {
    const count = (counts.get(keyOf(verdict)) ?? 0) + 1;
    counts.set(keyOf(verdict), count);
    if (count > (counts.get(keyOf(most)) ?? 0)) most = verdict;
  }
  return most;
}

/** Whether the row has nothing but its outcome. */
const isPlain = ({ row: _row, outcome: _outcome, reason: _reason, ...facts }: RowVerdict) =>
  Object.keys(facts).length === 0;

const keyOf = ({ outcome, reason }: Verdict): string => JSON.stringify([outcome, reason]);
