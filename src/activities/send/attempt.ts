import type { SendDeps, Sending } from './types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type CreateCallFacts, classifyCreate } from '../../domain/sending/doubt.ts';
import { isDecisionFresh, mayLeave, mayStillSend } from '../../domain/sending/fence.ts';
import {
  type Answer,
  type MassPayout,
  MerchantApiError,
  type PreparedBody,
} from '@bursar/merchant-api';
import type {
  AttemptEnd,
  AttemptStart,
  LookedUpPayout,
  Intent,
} from '../../store/sending/sends.ts';
import { sha256Of, writeIntent } from './payload.ts';
import { unreadableFacts } from '../../domain/sending/verify.ts';
import { foundPayout } from '../service/verify-payout.ts';

/**
 * Whether the attempt began. With any other result, nothing was sent. `late`: the reads of the chunk are too old by now.
 * `stale`: its lookup is.
 */
export type AttemptResult = AttemptStart | 'late' | 'stale';

/**
 * One attempt: stored, then sent once, then its end is stored. After a crash at any point the record shows the next worker
 * that it must look the key up before it sends. Throws GroupEnded when its group makes no further create.
 */
export async function createAttempt(
  deps: SendDeps,
  sending: Sending,
  n: number,
): Promise<AttemptResult> {
  const { store } = deps;
  const decidedMs = deps.readClock().ms;
  const intent = await intentOf(deps, sending, n);
  await sending.place.take();
  if (!isDecisionFresh(decidedMs, deps.readClock().ms)) return 'stale';
  const sent = await create(deps, sending, { n, intent });
  if (typeof sent === 'string') return sent;
  const { payout, ...end } = sent;
  // After any other end, or with a mass payout that differs, the next create waits until its chunk is concluded: that may
  // end the group.
  if (payout?.differences.length === 0) sending.place.free();
  await store.sends.endAttempt(sending.ref, { n, ...end }, payout);
  return 'begun';
}

type Numbered = Readonly<{ n: number; intent: Intent }>;

/** Stores the beginning of an attempt and sends it. */
async function create(
  deps: SendDeps,
  sending: Sending,
  { n, intent }: Numbered,
): Promise<Exclude<AttemptStart, 'begun'> | 'late' | Sent> {
  const { store, nowMs } = deps;
  await deps.service.pace();
  const timestampMs = nowMs();
  // The process may have been frozen since the reads of its decision.
  if (!mayStillSend(sending.begunAtMs, timestampMs)) return 'late';
  const { account } = sending.batch;
  const begun = deps.readClock();
  const body = deps.service.api.prepareBody({ timestampMs, account, payloadText: intent.payload });
  const unsentId = deps.unsent.add(sending.ref, n);
  const listed = unsentId === undefined ? {} : { unsentId };
  const noted = { n, timestampMs, begun, ...listed, bodySha256: body.bodySha256, intent };
  const start = await store.sends.beginAttempt(sending.ref, noted);
  if (start === 'begun') return send(deps, sending, { n, timestampMs, body, unsentId });
  if (unsentId !== undefined) deps.unsent.delete(unsentId);
  return start;
}

/**
 * A stored payload is sent again byte for byte; only a chunk that was never sent gets a new payload. An intent is
 * stored together with the first attempt, so the first attempt finds none.
 */
async function intentOf(
  { store, createFields }: SendDeps,
  { batch, options, chunk, ref, readRows }: Sending,
  n: number,
): Promise<Intent> {
  const stored = n === 1 ? undefined : await store.sends.intent(ref.idempotencyKey);
  if (stored !== undefined) {
    if (sha256Of(stored.payload) === stored.payloadSha256) return stored;
    throw new BursarError('INTENT_MISMATCH', { chunk: ref.chunk, key: ref.idempotencyKey });
  }
  const { text } = await readRows();
  const { code, submittedAtMs } = batch;
  const parts = { batchId: ref.batchId, code, submittedAtMs, options, chunk, fields: createFields };
  return writeIntent(parts, text);
}

type Outcome = Omit<AttemptEnd, 'n' | 'endedMs'> & Readonly<{ payout?: LookedUpPayout }>;
type Sent = Outcome & Readonly<{ endedMs: number }>;

type Leaving = Readonly<{
  n: number;
  /** The recorded one, which the body may have in whole seconds. */
  timestampMs: number;
  body: PreparedBody;
  unsentId: string | undefined;
}>;

async function send(deps: SendDeps, sending: Sending, leaving: Leaving): Promise<Sent> {
  const { n } = leaving;
  const startedMs = deps.nowMs();
  const begunMs = performance.now();
  const outcome = await outcomeOf(deps, sending, leaving);
  const tookMs = performance.now() - begunMs;
  deps.observer?.create(sending.ref, { ...outcome, n, startedMs, tookMs });
  return { ...outcome, endedMs: deps.nowMs() };
}

async function outcomeOf(
  deps: SendDeps,
  { batch, chunk }: Sending,
  { timestampMs, body, unsentId }: Leaving,
): Promise<Outcome> {
  const moment = { nowMs: deps.nowMs(), sendBudgetMs: deps.sendBudgetMs };
  if (!mayLeave({ timestampMs }, moment)) return { outcome: 'VOID' };
  let hasLeft = false;
  const onLeave = (): void => {
    if (unsentId !== undefined) deps.unsent.delete(unsentId);
    hasLeft = true;
  };
  try {
    const answer = await deps.service.api.createMassPayout({ body }, { onLeave });
    // A client that sends and does not call back would make the unsent list a lie.
    if (!hasLeft) throw new Error('the client did not call back before its request left');
    // A record that cannot be compared with the intent proves as little as one that cannot be read at all.
    if (unreadableFacts(answer.value).length > 0) return uncompared(answer);
    return accepted(answer, foundPayout(batch.account, chunk, answer.value));
  } catch (error) {
    if (error instanceof MerchantApiError) return failed(error);
    throw error;
  }
}

const uncompared = ({ httpStatus, traceId }: Answer<MassPayout>): Outcome => ({
  outcome: classifyCreate({ kind: 'unreadable' }),
  httpStatus,
  ...(traceId === undefined ? {} : { traceId }),
});

const accepted = (answer: Answer<MassPayout>, payout: LookedUpPayout): Outcome => ({
  outcome: classifyCreate({ kind: 'answered' }),
  httpStatus: answer.httpStatus,
  ...(answer.traceId === undefined ? {} : { traceId: answer.traceId }),
  payout,
});

function failed(error: MerchantApiError): Outcome {
  return {
    outcome: classifyCreate(callFacts(error)),
    ...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
    ...(error.errorCode === undefined ? {} : { errorCode: error.errorCode }),
    ...(error.traceId === undefined ? {} : { traceId: error.traceId }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}

function callFacts(error: MerchantApiError): CreateCallFacts {
  switch (error.kind) {
    case 'refused':
      return {
        kind: 'refused',
        httpStatus: error.httpStatus ?? 0,
        documented: error.documented ?? false,
      };
    case 'unavailable':
    case 'invalid-input':
      return { kind: 'not-sent' };
    case 'not-sent':
    case 'no-answer':
    case 'unreadable':
      return { kind: error.kind };
  }
}
