import { isFinalMassPayoutState } from '../spec/states.ts';
import { compact } from '../compact.ts';
import { MerchantApiError } from '../errors.ts';
import type { MerchantOperations } from '../merchant-operations.ts';
import type { MassPayout } from '../records/mass-payout.ts';
import { invalidInput } from '../request/check-input.ts';
import type { Reference } from '../request/reference.ts';
import type { Answer } from '../response/conclude.ts';
import { backoffMs } from './backoff.ts';
import { mayPass } from './may-pass.ts';
import { NotFinalError, type NotFinalReason } from './not-final-error.ts';
import {
  WAIT_DEADLINE_MS_DEFAULT,
  WAIT_UNKNOWN_MS_DEFAULT,
  type WaitOptions,
} from './wait-options.ts';
import { isAborted, pause, type WaitTimer } from './wait-timer.ts';

/** Delay between the first two reads of a wait, in milliseconds. It doubles with each further read. */
export const POLL_DELAY_MS_FIRST = 1_000;

/** Largest delay between two reads of a wait, in milliseconds. */
export const POLL_DELAY_MS_MAX = 30_000;

const POLL_DELAYS = { firstMs: POLL_DELAY_MS_FIRST, maxMs: POLL_DELAY_MS_MAX };

/**
 * Statuses of a refusal that no later read will pass: of key, signature or permission.
 *
 * ASSUMED: by the usual meaning of HTTP statuses. The spec does not show the statuses of errors.
 */
const STATUSES_DENIED: readonly unknown[] = [401, 403];

type WaitDeps = Readonly<{ read: MerchantOperations['readMassPayout']; timer: WaitTimer }>;

/** Reads a mass payout again and again until its state is final. `MerchantClient` documents it. */
export async function waitForMassPayout(
  { read, timer }: WaitDeps,
  reference: Reference,
  options: WaitOptions = {},
): Promise<Answer<MassPayout>> {
  const { signal, timeoutMs, account, onProgress } = options;
  const times = checkTimes(options, timer);
  const call = { signal, timeoutMs, retries: 0, ...compact({ account }) };
  let facts: WaitFacts = {
    reads: 0,
    last: undefined,
    failure: undefined,
    refusedSinceMs: undefined,
  };
  for (;;) {
    if (isAborted(signal)) throw notFinal('aborted', facts);
    const outcome = await outcomeOf(read(reference, call));
    facts = addRead(facts, outcome, timer.steadyMs());
    if (!(outcome instanceof MerchantApiError)) {
      if (isFinalMassPayoutState(outcome.value.state)) return outcome;
      onProgress?.(outcome.value);
    }
    if (isAborted(signal)) throw notFinal('aborted', facts);
    const step = nextStep(facts, times, timer);
    if (step.kind === 'fail') throw step.error;
    await pause(timer, step.delayMs, signal);
  }
}

async function outcomeOf(
  read: Promise<Answer<MassPayout>>,
): Promise<Answer<MassPayout> | MerchantApiError> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof MerchantApiError) return error;
    throw error;
  }
}

/** The reads of a wait so far. */
type WaitFacts = Readonly<{
  reads: number;
  last: MassPayout | undefined;
  /** Failure of the last read. */
  failure: MerchantApiError | undefined;
  /** Time of the first failure, of those since the last record, that cannot pass by its kind. */
  refusedSinceMs: number | undefined;
}>;

function addRead(
  { reads, last, refusedSinceMs }: WaitFacts,
  outcome: Answer<MassPayout> | MerchantApiError,
  nowMs: number,
): WaitFacts {
  const n = reads + 1;
  if (!(outcome instanceof MerchantApiError)) {
    return { reads: n, last: outcome.value, failure: undefined, refusedSinceMs: undefined };
  }
  const sinceMs = mayPass(outcome) ? refusedSinceMs : (refusedSinceMs ?? nowMs);
  return { reads: n, last, failure: outcome, refusedSinceMs: sinceMs };
}

type WaitTimes = Readonly<{ endMs: number; unknownMs: number }>;
type WaitStep = Readonly<{ kind: 'fail'; error: Error } | { kind: 'read'; delayMs: number }>;

/** The step after a read without a final state. The last read begins at the deadline at the latest. */
function nextStep(facts: WaitFacts, { endMs, unknownMs }: WaitTimes, timer: WaitTimer): WaitStep {
  const { reads, failure, refusedSinceMs } = facts;
  const nowMs = timer.steadyMs();
  if (failure !== undefined && !mayPass(failure)) {
    const isTooLong = nowMs - (refusedSinceMs ?? nowMs) >= unknownMs;
    if (isTooLong || !mayBeUnknown(failure)) return { kind: 'fail', error: failure };
  }
  const leftMs = endMs - nowMs;
  const { retryAfterMs = 0 } = failure ?? {};
  if (leftMs <= 0 || retryAfterMs > leftMs) {
    return { kind: 'fail', error: notFinal('deadline', facts) };
  }
  const delayMs = Math.max(retryAfterMs, backoffMs(reads, POLL_DELAYS, timer));
  return { kind: 'read', delayMs: Math.min(delayMs, leftMs) };
}

const notFinal = (reason: NotFinalReason, { last, failure }: WaitFacts): NotFinalError =>
  new NotFinalError({ reason, last, cause: failure });

/** Whether a refusal may mean that the service does not have the mass payout yet. */
const mayBeUnknown = ({ kind, httpStatus }: MerchantApiError): boolean =>
  kind === 'refused' && Number(httpStatus) >= 400 && !STATUSES_DENIED.includes(httpStatus);

function checkTimes(options: WaitOptions, { steadyMs }: WaitTimer): WaitTimes {
  const { deadlineMs = WAIT_DEADLINE_MS_DEFAULT, unknownMs = WAIT_UNKNOWN_MS_DEFAULT } = options;
  for (const [name, timeMs] of Object.entries({ deadlineMs, unknownMs })) {
    if (Number.isFinite(timeMs) && timeMs >= 0) continue;
    throw invalidInput('MASS_GET', `${name} is no number of milliseconds from 0 up`);
  }
  return { endMs: steadyMs() + deadlineMs, unknownMs };
}
