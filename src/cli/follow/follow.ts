import type { Sources } from '../../operations/batch/types.ts';
import { isBursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfEnd } from '../../domain/errors/exit-codes.ts';
import { isEndState } from '../../domain/batch/batch-state.ts';
import { waitsForPerson } from '../../domain/holds/hold.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import { alarmText, progressText, standingText, stateText } from '../print/batch-text.ts';
import { readSnapshot, type BatchSnapshot } from '../../operations/batch/standing.ts';
import { silenceText } from '../../operations/batch/worker-silence.ts';

/** Between two reads of a batch, in milliseconds. */
const LOOK_MS = 1_000;
/** A read of a large batch may take longer. At most this share of the time is spent on reads. */
const LOOK_SHARE = 0.1;
/** How long no worker may answer before a person is notified, in milliseconds. */
const SILENCE_MS_MAX = 5_000;
/** How long Temporal may be away before the command gives up, in milliseconds; the batch goes on. */
const ABSENCE_MS_MAX = 60_000;

export type FollowOptions = Readonly<{ batchId: string; timeoutMs: number | null }>;

/** Follows a batch to its end, or to what only a person can decide, and prints where it stands then. Answers with the exit code. */
export async function follow(
  sources: Sources,
  options: FollowOptions,
  context: Context,
): Promise<number> {
  const left = new AbortController();
  const pause = createPause(sources, { batchId: options.batchId, left: left.signal }, context);
  try {
    return await lookUntilEnd({ sources, pause }, options, context);
  } finally {
    left.abort();
  }
}

type Pause = (delayMs: number) => Promise<void>;

async function lookUntilEnd(
  { sources, pause }: Readonly<{ sources: Sources; pause: Pause }>,
  { batchId, timeoutMs }: FollowOptions,
  context: Context,
): Promise<number> {
  const { clock, interrupted } = context;
  const deadlineMs = timeoutMs === null ? Number.POSITIVE_INFINITY : clock.nowMs() + timeoutMs;
  const look = patientLook(sources, batchId, context);
  const tell = createTeller(context);
  const hintAtSilence = createSilenceHint(sources, context);
  for (;;) {
    const startedMs = clock.nowMs();
    const standing = await look();
    if (standing !== undefined) {
      if (needsNobodyMore(standing)) return finish(standing, context);
      tell(standing);
      await hintAtSilence(standing);
      if (clock.nowMs() >= deadlineMs) return leave(standing, EXIT.running, context);
      if (interrupted.aborted) return leave(standing, EXIT.interrupted, context);
    } else if (interrupted.aborted) return EXIT.interrupted;
    const pauseMs = Math.max(LOOK_MS, (clock.nowMs() - startedMs) / LOOK_SHARE);
    const leftMs = deadlineMs - clock.nowMs();
    await pause(leftMs > 0 ? Math.min(pauseMs, leftMs) : pauseMs);
  }
}

/**
 * Waits between two reads. The end of the workflow cuts one wait short, so that the end is shown at once. It cuts only
 * one: a closed batch that is not over needs no faster reads.
 */
function createPause(
  { engine }: Sources,
  { batchId, left }: Readonly<{ batchId: string; left: AbortSignal }>,
  { clock, interrupted }: Context,
): Pause {
  const closed = new AbortController();
  let wake = AbortSignal.any([interrupted, closed.signal]);
  let isAsked = false;
  const ask = async (): Promise<void> => {
    await (await engine()).untilClosed(batchId, left);
    closed.abort();
  };
  return async (delayMs) => {
    // Without Temporal the next read throws the error.
    if (!isAsked) void ask().catch(() => undefined);
    isAsked = true;
    await clock.pause(delayMs, wake);
    if (closed.signal.aborted) wake = interrupted;
  };
}

/** Whether the command has nothing to wait for: the batch is over, or a person has to answer first. */
const needsNobodyMore = (standing: BatchSnapshot): boolean =>
  standing.isOver || needsOperator(standing);

/** A person paused on purpose; the hold of a rule waits for an answer. A stopped batch waits only for its balance. */
function needsOperator({ live, view, canceled }: BatchSnapshot): boolean {
  const { needsOperator: cases, holds, state } = view;
  const isCanceled = canceled !== null || (live?.canceledBy ?? null) !== null;
  const isStopped = isCanceled || state === 'REPORTING';
  return cases.length > 0 || waitsForPerson(holds, isStopped);
}

/** Reads the batch; undefined while Temporal is away for a moment. The first read does not wait. */
function patientLook(sources: Sources, batchId: string, { clock, say }: Context) {
  let awaySinceMs: number | undefined;
  let hasSeen = false;
  return async (): Promise<BatchSnapshot | undefined> => {
    try {
      const standing = await readSnapshot(sources, batchId);
      awaySinceMs = undefined;
      hasSeen = true;
      return standing;
    } catch (error) {
      if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE' || !hasSeen) throw error;
      if (awaySinceMs === undefined) say(`${error.note.what} Trying again; the batch is safe.`);
      awaySinceMs ??= clock.nowMs();
      if (clock.nowMs() - awaySinceMs > ABSENCE_MS_MAX) throw error;
      return undefined;
    }
  };
}

/** Shows the progress of a batch: a live line for people, else a line for each new state. */
function createTeller(context: Context) {
  const { clock, say, show, terminal } = context;
  let lastTold = '';
  let lastAlarms = '';
  let lastTrouble = '';
  return (standing: BatchSnapshot): void => {
    const told = stateText(standing, clock);
    // A live line that stands still for days is easily overlooked.
    const mustStay = !terminal.err.isTty || standing.view.state === 'SCHEDULED';
    if (told !== lastTold && mustStay) say(told);
    lastTold = told;
    const alarms = standing.view.alarms.map((one) => alarmText(one, context)).join('\n');
    if (alarms !== lastAlarms && alarms !== '') say(alarms);
    lastAlarms = alarms;
    const trouble = standing.trouble ?? '';
    if (trouble !== lastTrouble && trouble !== '') say(trouble);
    lastTrouble = trouble;
    show(progressText(standing, clock));
  };
}

/** Shows once that no worker answers; the command goes on waiting. */
function createSilenceHint({ settings, engine }: Sources, { clock, say }: Context) {
  let silentSinceMs: number | undefined;
  let hasHinted = false;
  return async ({ isSilent, silence }: BatchSnapshot): Promise<void> => {
    silentSinceMs = isSilent ? (silentSinceMs ?? clock.nowMs()) : undefined;
    const isShort = silentSinceMs === undefined || clock.nowMs() - silentSinceMs < SILENCE_MS_MAX;
    if (hasHinted || isShort || (await (await engine()).hasWorker())) return;
    hasHinted = true;
    const { what, why, fix } = noteOf('WORKER_SILENT', settings.temporal);
    const since = silence === null ? [] : [silenceText(silence, clock)];
    say([what, ...since, why, fix].join(' '));
  };
}

function finish(standing: BatchSnapshot, context: Context): number {
  printStanding(standing, context);
  return exitCodeOf(standing);
}

function leave(standing: BatchSnapshot, exitCode: number, context: Context): number {
  context.clear();
  context.say(`The batch goes on. Follow it with: bursar watch ${standing.view.batchId}`);
  if (exitCode === EXIT.running) printStanding(standing, context);
  return exitCode;
}

export function printStanding(standing: BatchSnapshot, context: Context): void {
  context.clear();
  const json = { ...standing.view, ...openPart(standing) };
  printResult(context, { json, text: standingText(standing, context) });
}

/** The fields of a batch that has not ended, which no report has. */
const openPart = ({ live, silence, canceled }: BatchSnapshot) => ({
  ...(live?.short === undefined ? {} : { short: live.short }),
  ...(silence === null ? {} : { worker: silence }),
  ...(canceled === null ? {} : { canceled }),
});

/** The exit code of a command that waited, by where the batch stands. */
export function exitCodeOf(standing: BatchSnapshot): number {
  const { view, trouble } = standing;
  const isTwice = view.paidTwice.length > 0;
  if (trouble !== null || isTwice || needsOperator(standing)) return EXIT.needsOperator;
  return isEndState(view.state) ? exitCodeOfEnd(view.state, view.error) : EXIT.running;
}
