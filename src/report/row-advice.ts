import { counted } from '../domain/text/counted.ts';
import type { ReportRow } from '../domain/report/report.ts';
import type { ShownOutcome } from '../domain/settling/outcome.ts';
import { externalIdOf } from '../domain/sending/identity.ts';

/** The reason of a row when neither the service nor the engine gave one. */
const NO_REASON: Readonly<Record<ShownOutcome, string>> = {
  PAID: '',
  FAILED: 'the service gives no reason',
  NOT_SENT: 'it was never sent',
  UNKNOWN: 'the service has not shown whether it was paid',
  IN_FLIGHT: 'the service is still processing it',
  NOT_SENT_YET: 'its create request is not sent yet',
};

/** The reason of a row's outcome, in words. */
export const reasonText = ({
  reason,
  outcome,
}: Readonly<{ reason: string; outcome: ShownOutcome }>) =>
  reason === '' ? NO_REASON[outcome] : reason;

/** Whether the row is provably unpaid, was not refused, and is in no resend. */
export const canBeResent = ({ outcome, refused, seenPaid, resentAs }: ReportRow): boolean =>
  !refused &&
  seenPaid === undefined &&
  resentAs === undefined &&
  (outcome === 'FAILED' || outcome === 'NOT_SENT');

/** Whether a person must find out if the row was paid. */
export const needsInvestigation = ({ outcome, seenPaid }: ReportRow): boolean =>
  outcome === 'UNKNOWN' || outcome === 'IN_FLIGHT' || seenPaid !== undefined;

/** The fix for a row that failed and is in no resend. */
export const FAILED_FIX =
  'Check in the interface of the service that nobody sent it again there. Then run "bursar resend". ' +
  'If the row itself is wrong, correct it in a copy of resend.csv and submit that.';

/** The fix for a row that failed. A row in a resend needs none here. */
export const fixText = ({ resentAs, row }: ReportRow): string =>
  resentAs === undefined
    ? FAILED_FIX
    : `No step is left here. Batch ${resentAs} sent it again: see "bursar explain ${resentAs} ${row}".`;

/** The fix for all rows that failed, with their number in each resend. */
export function fixTextOfAll(failedBy: ReadonlyMap<string | undefined, number>): string {
  const resent = [...failedBy].flatMap(([batchId, rows]) =>
    batchId === undefined
      ? []
      : [`${counted(rows, 'row was', 'rows were')} sent again as batch ${batchId}`],
  );
  if (resent.length === 0) return FAILED_FIX;
  const done = `${resent.join(', ')}: no step is left for them here.`;
  return failedBy.has(undefined) ? `${done} For the others: ${FAILED_FIX}` : done;
}

/** The batch of a report, as the lines of its rows name it. */
export type ReportedBatch = Readonly<{ batchId: string; generation: number }>;

/**
 * The question that a person must answer about a row, with the ids to search for in the service.
 */
export function investigationText(row: ReportRow, { batchId, generation }: ReportedBatch): string {
  const again = `Then run "bursar report ${batchId}". Do not pay it again before you have the answer.`;
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

/**
 * The cell `next` of report.csv: the file with the row's next step, or the resend that holds the
 * row.
 * It is empty for a row without a next step.
 */
export function nextStepOf(row: ReportRow): string {
  if (row.refused) return 'nack.csv';
  if (row.resentAs !== undefined) return row.resentAs;
  if (canBeResent(row)) return 'resend.csv';
  return needsInvestigation(row) ? 'investigate.csv' : '';
}
