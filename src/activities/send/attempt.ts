import type { SendDeps, Sending } from './types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type CreateCallFacts, classifyCreate } from '../../domain/sending/doubt.ts';
import { mayLeave, mayStillSend } from '../../domain/sending/fence.ts';
import {
  type Answer,
  type MassPayout,
  MerchantApiError,
  type PreparedBody,
  prepareBody,
} from '@bursar/merchant-api';
import type {
  AttemptEnd,
  AttemptStart,
  LookedUpPayout,
  Intent,
} from '../../store/sending/sends.ts';
import { sha256Of, writeIntent } from './payload.ts';
import { foundPayout } from '../service/verify-payout.ts';

/**
 * One attempt: stored, then sent once, then its end is stored. With any result but `begun`, nothing was sent; `late`:
 * the reads of its decision are too old by now. After a crash at any point the record shows the next worker that it
 * must look the key up before it sends.
 */
export async function createAttempt(
  deps: SendDeps,
  sending: Sending,
  n: number,
): Promise<AttemptStart | 'late'> {
  const { store, nowMs } = deps;
  const intent = await intentOf(deps, sending, n);
  await deps.service.pace();
  const timestampMs = nowMs();
  // The process may have been frozen since the reads of its decision.
  if (!mayStillSend(sending.begunAtMs, timestampMs)) return 'late';
  const { account } = sending.batch;
  const begun = deps.readClock();
  const body = prepareBody({ timestampMs, account, payloadText: intent.payload });
  const noted = { n, timestampMs, begun, bodySha256: body.bodySha256, intent };
  const start = await store.sends.beginAttempt(sending.ref, noted);
  if (start !== 'begun') return start;
  const { end, payout } = await send(deps, sending, body);
  await store.sends.endAttempt(sending.ref, { n, endedMs: nowMs(), ...end }, payout);
  return start;
}

/**
 * A stored payload is sent again byte for byte; only a chunk that was never sent gets a new payload. An intent is
 * stored together with the first attempt, so the first attempt finds none.
 */
async function intentOf(
  { store }: SendDeps,
  { batch, options, chunk, ref, readRows }: Sending,
  n: number,
): Promise<Intent> {
  const stored = n === 1 ? undefined : await store.sends.intent(ref.idempotencyKey);
  if (stored !== undefined) {
    if (sha256Of(stored.payload) === stored.payloadSha256) return stored;
    throw new BursarError('INTENT_MISMATCH', { chunk: ref.chunk, key: ref.idempotencyKey });
  }
  const { text } = await readRows();
  return writeIntent({ batchId: ref.batchId, code: batch.code, options, chunk }, text);
}

type Sent = Readonly<{ end: Omit<AttemptEnd, 'n' | 'endedMs'>; payout?: LookedUpPayout }>;

async function send(deps: SendDeps, { batch, chunk }: Sending, body: PreparedBody): Promise<Sent> {
  const moment = { nowMs: deps.nowMs(), sendBudgetMs: deps.sendBudgetMs };
  if (!mayLeave(body, moment)) return { end: { outcome: 'VOID' } };
  try {
    const answer = await deps.service.api.createMassPayout({ body });
    return accepted(answer, foundPayout(batch.account, chunk, answer.value));
  } catch (error) {
    if (error instanceof MerchantApiError) return { end: failed(error) };
    throw error;
  }
}

const accepted = (answer: Answer<MassPayout>, payout: LookedUpPayout): Sent => ({
  end: {
    outcome: classifyCreate({ kind: 'answered' }),
    httpStatus: answer.httpStatus,
    ...(answer.traceId === undefined ? {} : { traceId: answer.traceId }),
  },
  payout,
});

function failed(error: MerchantApiError): Sent['end'] {
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
