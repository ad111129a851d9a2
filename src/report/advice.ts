import { counted } from '../domain/text/counted.ts';
import type { BatchReport, ReportRow } from '../domain/report/report.ts';
import type { ShownOutcome } from '../domain/settling/outcome.ts';
import { externalIdOf } from '../domain/sending/identity.ts';

/** What a row's reason says when nobody gave one. */
const NO_REASON: Readonly<Record<ShownOutcome, string>> = {
  PAID: '',
  FAILED: 'the service gives no reason',
  NOT_SENT: 'it was never sent',
  UNKNOWN: 'what became of it could not be learnt',
  IN_FLIGHT: 'the service has not come to an end with it',
  NOT_SENT_YET: 'its create has not left yet',
};

export const whyOf = ({ reason, outcome }: Readonly<{ reason: string; outcome: ShownOutcome }>) =>
  reason === '' ? NO_REASON[outcome] : reason;

/** Whether the row is provably unpaid, was fit to be sent, and no resend has taken it over. */
export const canBeResent = ({ outcome, refused, seenPaid, resentAs }: ReportRow): boolean =>
  !refused &&
  seenPaid === undefined &&
  resentAs === undefined &&
  (outcome === 'FAILED' || outcome === 'NOT_SENT');

export const mustBeInvestigated = ({ outcome, seenPaid }: ReportRow): boolean =>
  outcome === 'UNKNOWN' || outcome === 'IN_FLIGHT' || seenPaid !== undefined;

/** What to do about a row that failed. */
export const FAILED_FIX =
  'Make sure that nobody resent it in the interface of the service, then run "bursar resend"; if the cause lies in the ' +
  'row, mend it in a copy of resend.csv and submit that.';

/** What to do about a row: it failed, and a resend may have taken it over. */
export const fixOf = ({ resentAs, row }: ReportRow): string =>
  resentAs === undefined
    ? FAILED_FIX
    : `Nothing here: it was sent again as batch ${resentAs}; see "bursar explain ${resentAs} ${row}".`;

/** The same for all rows that failed, counted by the resend that has them. */
export function fixOfAll(failedBy: ReadonlyMap<string | undefined, number>): string {
  const resent = [...failedBy].flatMap(([batchId, rows]) =>
    batchId === undefined
      ? []
      : [`${counted(rows, 'row was', 'rows were')} sent again as batch ${batchId}`],
  );
  if (resent.length === 0) return FAILED_FIX;
  const told = `${resent.join(', ')}: nothing is left to do for them here.`;
  return failedBy.has(undefined) ? `${told} For the others: ${FAILED_FIX}` : told;
}

/** What to look for to learn what became of a row. */
export function lookForOf(row: ReportRow, { batchId, generation }: BatchReport): string {
  const again = `Then run "bursar report ${batchId}". Do not pay it again before you know.`;
  if (row.seenPaid !== undefined) {
    return `Did transaction ${row.transactionHash} of the wallet pay it after all? ${again}`;
  }
  if (row.withdrawalId !== '') {
    return `Is withdrawal ${row.withdrawalId} of mass payout ${row.massPayoutId} paid? ${again}`;
  }
  if (row.massPayoutId !== '') {
    return `Does mass payout ${row.massPayoutId} hold this payment, and is it paid? ${again}`;
  }
  const key = `idempotency key ${row.idempotencyKey}`;
  const name =
    row.chunk === null
      ? key
      : `external id ${externalIdOf({ batchId, chunk: row.chunk, generation })} or ${key}`;
  return `Does the service have a mass payout with ${name}, and is this payment paid? ${again}`;
}

/** Where a row goes on from here: the file to take it from, the resend that has it, or nothing. */
export function nextOf(row: ReportRow): string {
  if (row.refused) return 'nack.csv';
  if (row.resentAs !== undefined) return row.resentAs;
  if (canBeResent(row)) return 'resend.csv';
  return mustBeInvestigated(row) ? 'investigate.csv' : '';
}
