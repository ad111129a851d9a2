import { describe, expect, it } from '@jest/globals';
import { type MassPayout, NotFinalError, type WaitOptions } from '@bursar/merchant-api';
import { FINAL_MASS_PAYOUT_STATES, isFinalMassPayoutState } from '@bursar/merchant-api/spec';
import { failureOf, jumpingTimer, openClient, openServer } from './support/fixtures.ts';
import { type RawAnswer, answerBytes } from './support/raw-server.ts';

const REFERENCE = { id: 'mp-1' };

const inState = (state: string): RawAnswer => ({ body: JSON.stringify({ id: 'mp-1', state }) });
const RUNNING = inState('IN_PROGRESS');
const COMPLETED = inState('COMPLETED');
const UNKNOWN: RawAnswer = {
  status: 404,
  body: '{"traceId":"t","errorCode":"E","message":"No such object."}',
};

type Played = RawAnswer | 'reset';

/** A wait against a server that gives these answers in turn, and the last one from then on. */
async function playing(answers: readonly Played[], options: { random?: number } = {}) {
  let next = 0;
  const server = await openServer({
    onRequest: (socket) => {
      const answer = answers[Math.min(next, answers.length - 1)] ?? {};
      next += 1;
      if (answer === 'reset') socket.destroy();
      else socket.write(answerBytes(answer));
    },
  });
  const { timer, waits } = jumpingTimer(options.random);
  const client = openClient(server.url, { timer });
  const wait = (given?: WaitOptions) => client.waitForMassPayout(REFERENCE, given);
  return { wait, waits, server, timer };
}

async function notFinalOf(wait: Promise<unknown>): Promise<NotFinalError> {
  const outcome = await wait.catch((error: unknown) => error);
  if (outcome instanceof NotFinalError) return outcome;
  throw outcome;
}

describe('a wait for a mass payout', () => {
  it.each(FINAL_MASS_PAYOUT_STATES)('ends with the record in the state %s', async (state) => {
    const { wait, waits } = await playing([RUNNING, inState(state)]);
    expect((await wait()).value).toMatchObject({ id: 'mp-1', state });
    expect(waits).toEqual([1_000]);
  });

  it.each([
    'CREATION_IN_PROGRESS',
    'PENDING_CONFIRMATION',
    'CONFIRMED',
    'IN_PROGRESS',
    'WAITING_COMPLETION_ERRORS',
    'A_STATE_OF_NEXT_YEAR',
    'completed',
  ])('goes on in the state %s', async (state) => {
    expect(isFinalMassPayoutState(state)).toBe(false);
    const { wait, waits } = await playing([inState(state), COMPLETED]);
    expect((await wait()).value.state).toBe('COMPLETED');
    expect(waits).toEqual([1_000]);
  });

  it('reads at once, then after delays that double up to 30 s', async () => {
    const { wait, waits } = await playing([...Array<Played>(8).fill(RUNNING), COMPLETED]);
    await wait();
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('takes off up to half of a delay by chance', async () => {
    const { wait, waits } = await playing([RUNNING, RUNNING, COMPLETED], { random: 0.999 });
    await wait();
    expect(waits).toEqual([501, 1_001]);
  });

  it('signs each read with its own timestamp, and sends documented fields only', async () => {
    const { wait, server } = await playing([RUNNING, COMPLETED]);
    await wait();
    expect(server.requests.map(({ body }) => Object.keys(JSON.parse(body) as object))).toEqual([
      ['timestamp', 'account', 'payload'],
      ['timestamp', 'account', 'payload'],
    ]);
  });

  it('shows each record that is not final', async () => {
    const { wait } = await playing([RUNNING, { status: 500 }, inState('CONFIRMED'), COMPLETED]);
    const states: string[] = [];
    await wait({ onProgress: ({ state }: MassPayout) => states.push(state) });
    expect(states).toEqual(['IN_PROGRESS', 'CONFIRMED']);
  });

  it.each<[string, Played]>([
    ['a reset', 'reset'],
    ['the status 500', { status: 500 }],
    ['the status 503', { status: 503 }],
    ['the status 429', { status: 429 }],
    ['an unreadable answer', { body: '<html>' }],
    ['an answer that is cut', { body: '{"id":"mp-1","sta' }],
    ['an error body with the status 200', { body: UNKNOWN.body ?? '' }],
    ['a record without a state', { body: '{"id":"mp-1"}' }],
  ])('survives %s', async (_what, failure) => {
    const { wait } = await playing([RUNNING, failure, failure, COMPLETED]);
    expect((await wait()).value.state).toBe('COMPLETED');
  });

  it('survives a service that is not there', async () => {
    const { timer } = jumpingTimer();
    const client = openClient('http://127.0.0.1:1', { timer });
    const error = await notFinalOf(client.waitForMassPayout(REFERENCE, { deadlineMs: 10_000 }));
    expect(error).toMatchObject({ reason: 'deadline', cause: { kind: 'not-sent' } });
  });

  it('waits as long as Retry-After says', async () => {
    const busy: RawAnswer = { status: 429, headers: { 'Retry-After': '90' } };
    const { wait, waits } = await playing([busy, COMPLETED]);
    await wait();
    expect(waits).toEqual([90_000]);
  });
});

describe('the wait ends before a final state', () => {
  it('at the deadline, with a last read then and the last record', async () => {
    const { wait, waits } = await playing([RUNNING]);
    const error = await notFinalOf(wait({ deadlineMs: 5_000 }));
    expect(waits).toEqual([1_000, 2_000, 2_000]);
    expect(error).toMatchObject({ reason: 'deadline', last: { state: 'IN_PROGRESS' } });
    expect(error.cause).toBeUndefined();
    expect(error.message).toBe(
      'The wait for a mass payout ended (deadline), and its last state is not final.',
    );
  });

  it('after one read, with the deadline 0', async () => {
    const { wait, server } = await playing([RUNNING]);
    await notFinalOf(wait({ deadlineMs: 0 }));
    expect(server.requests).toHaveLength(1);
  });

  it('when Retry-After leads beyond the deadline, without waiting for it', async () => {
    const busy: RawAnswer = { status: 429, headers: { 'Retry-After': '90' } };
    const { wait, waits } = await playing([busy]);
    const error = await notFinalOf(wait({ deadlineMs: 60_000 }));
    expect(waits).toEqual([]);
    expect(error).toMatchObject({ reason: 'deadline', last: undefined });
    expect(error.cause).toMatchObject({ httpStatus: 429, retryAfterMs: 90_000 });
    expect(error.message).toBe(
      'The wait for a mass payout ended (deadline), and no state was read.',
    );
  });

  it.each([401, 403])('at once after the status %d', async (status) => {
    const { wait, waits } = await playing([RUNNING, { status }]);
    expect(await failureOf(wait())).toMatchObject({ kind: 'refused', httpStatus: status });
    expect(waits).toEqual([1_000]);
  });

  it('when the service has refused the reference for 30 s', async () => {
    const { wait, waits } = await playing([UNKNOWN]);
    expect(await failureOf(wait())).toMatchObject({ kind: 'refused', httpStatus: 404 });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  it('not when the service has the mass payout a little later', async () => {
    const { wait } = await playing([UNKNOWN, UNKNOWN, RUNNING, UNKNOWN, COMPLETED]);
    expect((await wait({ unknownMs: 3_500 })).value.state).toBe('COMPLETED');
  });

  it('at the first refusal, where none is allowed', async () => {
    const { wait, waits } = await playing([UNKNOWN]);
    await failureOf(wait({ unknownMs: 0 }));
    expect(waits).toEqual([]);
  });

  it('when a service has no such operation', async () => {
    const client = openClient('http://127.0.0.1:1', { endpoints: { MASS_GET: '' } });
    expect((await failureOf(client.waitForMassPayout(REFERENCE))).kind).toBe('unavailable');
  });

  it('when the client is closed', async () => {
    const { timer, waits } = jumpingTimer();
    const client = openClient('http://127.0.0.1:1', { timer });
    await client.close();
    expect((await failureOf(client.waitForMassPayout(REFERENCE))).kind).toBe('not-sent');
    expect(waits).toEqual([]);
  });

  it('before the first read, when the signal has aborted', async () => {
    const { wait, server } = await playing([COMPLETED]);
    const error = await notFinalOf(wait({ signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ reason: 'aborted', last: undefined });
    expect(server.requests).toHaveLength(0);
  });

  it('in a read, when the signal aborts', async () => {
    const abort = new AbortController();
    const server = await openServer({ onRequest: () => abort.abort() });
    const client = openClient(server.url, { timer: jumpingTimer().timer });
    const error = await notFinalOf(client.waitForMassPayout(REFERENCE, { signal: abort.signal }));
    expect(error).toMatchObject({ reason: 'aborted', cause: { kind: 'no-answer' } });
  });

  it('in a pause, when the signal aborts', async () => {
    const { server, timer } = await playing([RUNNING]);
    const abort = new AbortController();
    const aborting = {
      ...timer,
      wait: async () => {
        abort.abort();
        abort.signal.throwIfAborted();
      },
    };
    const client = openClient(server.url, { timer: aborting });
    const error = await notFinalOf(client.waitForMassPayout(REFERENCE, { signal: abort.signal }));
    expect(error).toMatchObject({ reason: 'aborted', last: { state: 'IN_PROGRESS' } });
    expect(server.requests).toHaveLength(1);
  });

  it('when a record is shown to a function that throws', async () => {
    const { wait } = await playing([RUNNING]);
    const onProgress = (): never => {
      throw new Error('the caller has a fault');
    };
    await expect(wait({ onProgress })).rejects.toThrow('the caller has a fault');
  });

  it.each([
    { deadlineMs: -1 },
    { deadlineMs: Number.NaN },
    { deadlineMs: Number.POSITIVE_INFINITY },
    { unknownMs: -1 },
    { unknownMs: '5' as never },
    { timeoutMs: 0 },
  ])('at once with %p', async (options) => {
    const { wait, server } = await playing([COMPLETED]);
    expect((await failureOf(wait(options))).kind).toBe('invalid-input');
    expect(server.requests).toHaveLength(0);
  });
});

describe('with the timers of Node.js', () => {
  it('an abort ends a pause at once', async () => {
    const server = await openServer({
      onRequest: (socket) => socket.write(answerBytes(RUNNING)),
    });
    const abort = new AbortController();
    const { signal } = abort;
    const onProgress = (): void => void setImmediate(() => abort.abort());
    const wait = openClient(server.url).waitForMassPayout(REFERENCE, { signal, onProgress });
    expect((await notFinalOf(wait)).reason).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });
});
