import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { heldText } from '../../domain/holds/hold-word.ts';
import type { AlarmCase, BatchView, OperatorCase } from '../../domain/report/report.ts';
import type { OperatorReason } from '../../domain/sending/decide.ts';
import type { AlarmReason } from '../../domain/settling/payout-times.ts';
import { verificationProgressText } from '../../domain/restore/progress.ts';
import { nextIdOf, nextStepOf } from '../../domain/batch/next-step.ts';
import { reportPlaceOf, summariseBatch } from '../../report/summarise-batch.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import type { ActivityView, ShownBatch } from '../../operations/batch/standing-view.ts';
import { silenceAdvice } from '../../operations/batch/worker-silence.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { waitingLines } from './approval-text.ts';
import { deadlineText, instantText, withReadableInstants } from '../../operations/text/instants.ts';
import { lineageText } from './lineage-text.ts';
import { paintBatch } from './state-colours.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import { moneyText } from '../../domain/text/money-text.ts';

/** The state of a batch, for people: counts, amounts, the event that it waits for, and the questions to an operator. */
export function standingText(standing: ShownBatch, style: Context): string {
  const { activity, worker, trouble } = standing;
  const shown = { ...standing, reportDir: shownPath(standing.reportDir, style.cwd) };
  return [
    // The question to an operator follows below, with all that is needed for the answer.
    summariseBatch({ ...shown, needsOperator: [] })
      .split('\n')
      .map((line) => withReadableInstants(printable(line), style.clock))
      .map((line, i) => (i === 0 ? paintBatch(standing, line, style.colours) : line))
      .join('\n'),
    ...submissionLines(standing, style),
    ...verifyingLines(standing),
    ...(activity === undefined ? [] : activityLines(activity, standing, style)),
    ...canceledLines(standing),
    ...(worker === undefined ? [] : [silenceAdvice(worker, style.clock)]),
    ...queueLines(standing),
    ...confirmationText(standing.chunks.byState),
    ...(trouble === undefined ? [] : [trouble]),
    ...standing.needsOperator.map((one) => dossierText(standing.batchId, one, style)),
    ...standing.alarms.map((one) => alarmText(one, style)),
    ...holdsInTheWay(standing).map((hold) => holdText(standing, hold, style)),
    ...lineageText(standing),
    ...nextStep(standing, reportPlaceOf(shown)),
  ].join('\n\n');
}

/** Of a batch under way. The result of one that ended needs no more than its report. */
function submissionLines(
  { isOver, submittedBy, submittedAt, file }: ShownBatch,
  { clock }: Context,
): string[] {
  if (isOver || submittedBy === undefined || submittedAt === undefined || file === undefined)
    return [];
  const when = instantText(submittedAt, clock);
  return [`Submitted by ${printable(submittedBy)}, ${when}, file ${printable(file.name)}`];
}

const verifyingLines = ({ verifying }: ShownBatch): string[] =>
  verifying === undefined ? [] : [`${verificationProgressText(verifying)}.`];

const activityLines = (
  activity: ActivityView,
  standing: ShownBatch,
  { clock }: Context,
): string[] => [
  `Now: ${doesText(standing, activity, clock)} (${activity.isHeld ? 'paying ' : ''}since ${instantText(activity.since, clock)})`,
  ...(standing.fundsUntil === undefined
    ? []
    : [`Waiting for a top-up until ${deadlineText(standing.fundsUntil, clock)}`]),
  ...waitingLines(standing.approval, clock),
];

/** A worker is there and did not answer for this batch: the steps of other batches come first. */
function queueLines({ isQueued, isRegistered }: ShownBatch): string[] {
  if (!isQueued) return [];
  return [
    isRegistered
      ? 'Now: waiting for a worker. The workers are busy with other batches.'
      : 'Now: waiting for a worker. It begins after the batches before it.',
  ];
}

/** The store has each cancel first. Only the workflow has the refusal of an approver. */
function canceledLines({ canceled, activity }: ShownBatch): string[] {
  if (canceled !== undefined) {
    const who = `${printable(canceled.by)}: ${printable(canceled.reason)}`;
    return [`Canceled by ${who}. Nothing more is sent.`];
  }
  const by = activity?.canceledBy ?? null;
  return by === null ? [] : [`Canceled by ${printable(by)}.`];
}

/** Nothing lets a canceled batch send again. A difference in its balance is about money that left before. */
const holdsInTheWay = ({ holds, canceled }: ShownBatch): readonly Hold[] =>
  canceled === undefined ? holds : holds.filter(({ kind }) => kind === 'BALANCE');

/** Counts the mass payouts that people must confirm in the service's own interface. Spec: "States and transitions". */
function confirmationText({
  PENDING_CONFIRMATION: count = 0,
}: BatchView['chunks']['byState']): string[] {
  if (count === 0) return [];
  const what = count === 1 ? 'payment request waits' : 'payment requests wait';
  return [
    `${withCommas(count)} ${what} until a person confirms or declines in the service's own interface.`,
  ];
}

/** The present activity in words. The note of a paying batch stays while it is held, so the text comes from the hold. */
export function doesText(
  standing: ShownBatch,
  { isHeld, note }: ActivityView,
  clock: Context['clock'],
): string {
  if (isHeld) return heldText(standing.holds);
  return isUnfinished(standing) ? unfinishedText(standing.rows.inFlight) : noteText(note, clock);
}

/** Whether a batch has nothing left but results of the service to wait for. */
export const isUnfinished = ({ state, holds, rows }: ShownBatch): boolean =>
  state === 'SETTLING' && holds.length === 0 && rows.inFlight > 0;

const unfinishedText = (payments: number): string =>
  `${counted(payments, 'payment is', 'payments are')} not finished yet`;

const noteText = (note: string, clock: Context['clock']): string =>
  withReadableInstants(printable(note), clock);

/** A hold of a batch, and the command that lifts it. */
function holdText({ batchId, holdsLiftedBy }: ShownBatch, hold: Hold, style: Context): string {
  const command =
    holdsLiftedBy === 'approve' && hold.kind !== 'PAUSE'
      ? `bursar approve ${batchId} --key FILE`
      : `bursar resume ${batchId} --hold ${hold.n} --reason ...`;
  return `${openHoldText(hold, style)}\n  ${command}`;
}

/** A hold with its number, for the person who decides about it. */
export function openHoldText({ n, kind, reason, by, since }: Hold, { clock }: Context): string {
  const who = kind === 'PAUSE' ? `Paused by ${printable(by)}` : `On hold (${codeInSentence(kind)})`;
  return `${who} since ${instantText(since, clock)}: ${printable(reason)} (hold ${n})`;
}

/** The present activity of a batch, without figures. */
export function stateText(standing: ShownBatch, clock: Context['clock']): string {
  const { state, activity } = standing;
  const words = batchStateWords(state);
  return activity === undefined ? words : `${words}: ${doesText(standing, activity, clock)}`;
}

function nextStep(standing: ShownBatch, reportPlace: string): string[] {
  const { isRegistered, state, rows, error, batchId, parentBatchId, childBatchId } = standing;
  const isResend = parentBatchId !== null;
  const step = nextStepOf({
    state,
    rows,
    hasError: error !== null,
    isResend,
    wasDeclined: (standing.chunks.byState['CANCELED'] ?? 0) > 0,
  });
  if (step === 'INVESTIGATE') {
    return [
      `Next: check the rows of ${reportPlace}/investigate.csv in the service. Do not pay them again before.`,
    ];
  }
  if (step === null || childBatchId !== null) return [];
  if (step === 'SUBMIT') {
    return [
      `Next: nothing was sent. To try again, submit the file under another id: --id ${nextIdOf(batchId)}`,
    ];
  }
  if (rows.failed > 0) return [resendText(standing, reportPlace)];
  if (!isResend) return [`Next: nothing was paid. To pay it: bursar resend ${batchId}`];
  // The error of a resend that was refused at once names the next step itself.
  if (!isRegistered) return [];
  return [`Next: nothing of the resend was sent. To try again: bursar resend ${batchId}`];
}

function resendText(view: BatchView, reportPlace: string): string {
  const { rows, batchId } = view;
  if (rows.notSent > 0 && isCutShort(view)) {
    return (
      `Next: ${withCommas(rows.failed)} failed and ${withCommas(rows.notSent)} were not sent. ` +
      `To pay all but refused rows: bursar resend ${batchId}\n` +
      `  To pay only some of them: remove the others from a copy of ${reportPlace}/resend.csv, and submit that.`
    );
  }
  return (
    `Next: pay the failed rows again: bursar resend ${batchId}\n` +
    `  If an address was wrong, correct it in a copy of ${reportPlace}/resend.csv and submit that file.`
  );
}

/** Whether chunks were never sent, or were declined: a resend pays their rows too. */
const isCutShort = ({ chunks: { byState } }: BatchView): boolean =>
  (byState['NOT_SENT'] ?? 0) + (byState['CANCELED'] ?? 0) > 0;

/** The question of each reason to a person. */
const QUESTIONS: Readonly<Record<OperatorReason, string>> = {
  PAYOUT_DIFFERS:
    'The service has a mass payout under this key that differs from the request. Check it in the service.',
  TWO_PAYOUTS:
    'The service has more than one mass payout for these rows. Check all of them now. You can still decline those that wait for a confirmation. Then adopt the right one.',
  SECOND_PAYOUT_POSSIBLE:
    'Two creates were sent, and a lookup by key missed the existing mass payout. It would miss a second one too. Search for a second one in the service, then adopt the right one.',
  LOOKUP_DISPROVEN:
    'A create may have arrived. Lookups of this service contradicted each other, so a miss proves nothing.',
  LOOKUP_UNPROVEN:
    'A create may have arrived. It is not proven that a lookup by key would find it.',
  LOOKUP_FAILING: 'A create may have arrived. The service does not answer lookups.',
  RESEND_BY_OPERATOR: 'A create may have arrived. By api.resend you decide.',
  REJECTED_AFTER_DOUBT: 'The service refused a create, but an earlier one may have arrived.',
  CREATED_NOT_FOUND:
    'The batch created this mass payout. The store (an older copy) does not have it, and the service does not find it.',
  ATTEMPTS_USED_UP: 'Several creates may have arrived, and none was found.',
};

/** The text of each alarm about mass payouts; the only answer is to check them in the service. */
const ALARMS: Readonly<Record<AlarmReason, string>> = {
  NEVER_READ:
    'The service accepted their creates, and refuses each read of their mass payouts. Pause the batch and run "bursar probe". It shows whether api.shapes and api.endpoints are right.',
  NOT_READABLE:
    'Their mass payouts cannot be read: the service does not answer, or no longer shows them.',
  STANDS_STILL: 'Their mass payouts wait for people, or are in an unknown state.',
  OVERDUE: 'Their mass payouts have been on their way for more than a day.',
};

/** Chunks that one alarm names; `status -o json` has all. */
const ALARM_CHUNKS_SHOWN_MAX = 10;

/** The mass payouts that a person should check in the service, while the batch continues. */
export function alarmText({ reason, state, since, chunks }: AlarmCase, { clock }: Context): string {
  const text = ALARMS[reason as AlarmReason] as string | undefined;
  const shown = chunks.slice(0, ALARM_CHUNKS_SHOWN_MAX).join(', ');
  const rest = chunks.length - ALARM_CHUNKS_SHOWN_MAX;
  const more = rest > 0 ? ` and ${withCommas(rest)} more` : '';
  return [
    `An operator should check: chunks ${shown}${more}, ${printable(state)} (${printable(reason)}) since ${instantText(since, clock)}`,
    ...(text === undefined ? [] : [`  ${text}`]),
    '  Check them in the service. The batch still follows them, and needs no answer.',
  ].join('\n');
}

/** Why a chunk without an attempt may have been sent. */
const forgottenText = (
  { since, until }: NonNullable<OperatorCase['forgotten']>,
  clock: Context['clock'],
): string =>
  `The store was restored from an older copy, or was lost, at ${instantText(since, clock)}. A batch of this id may have been sent before. ` +
  `Batches that are submitted after ${instantText(until, clock)} do not ask this.`;

/** Everything that a person needs to answer for a chunk, and the three answers. */
function dossierText(batchId: string, one: OperatorCase, { clock }: Context): string {
  const command = `bursar resolve ${batchId} ${one.chunk}`;
  const question = QUESTIONS[one.reason as OperatorReason] as string | undefined;
  return [
    `Chunk ${one.chunk} needs an operator (${one.reason}) since ${instantText(one.since, clock)}`,
    ...(question === undefined ? [] : [`  ${question}`]),
    ...(one.forgotten === undefined ? [] : [`  ${forgottenText(one.forgotten, clock)}`]),
    ...factLines([
      ['search for', `external id ${one.externalId} or idempotency key ${one.idempotencyKey}`],
      ['amount', `${moneyText(one.total, one.currency)} to ${rowsInWords(one.rows)}`],
      ...one.attempts.map(
        (attempt) => [`attempt ${attempt.n}`, attemptText(attempt, clock)] as const,
      ),
    ]),
    '  Then answer with one of:',
    ...factLines([
      [`  ${command} adopt ID --reason TEXT`, 'the service has it; ID is its mass payout'],
      [
        `  ${command} not-created --attempts ${one.attempts.length} --reason TEXT`,
        'the service does not have it: send it again',
      ],
      [`  ${command} abandon --reason TEXT`, 'give up: its rows stay unknown'],
    ]),
  ].join('\n');
}

/** One send, in a line. */
export function attemptText(
  attempt: OperatorCase['attempts'][number],
  clock: Context['clock'],
): string {
  const { signedAt, outcome, httpStatus, errorCode, traceId } = attempt;
  return [
    `${codeInSentence(outcome)}, signed ${instantText(signedAt, clock)}`,
    ...(httpStatus === undefined ? [] : [`status ${httpStatus}`]),
    ...(errorCode === undefined ? [] : [printable(errorCode)]),
    ...(traceId === undefined ? [] : [`trace ${printable(traceId)}`]),
  ].join(', ');
}
