import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { createSend } from '../src/call.ts';
import { MerchantApiError } from '../src/errors.ts';
import { withRetries } from '../src/waiting/retries.ts';
import {
  failureOf,
  jumpingTimer,
  MASS_PAYOUT,
  openClient,
  openServer,
} from './support/fixtures.ts';
import { type RawAnswer, answerBytes } from './support/raw-server.ts';

const BALANCES: RawAnswer = { body: '{"account":"a","name":"Main","balances":[]}' };
const BUSY: RawAnswer = { status: 503 };

/** A server that gives these answers in turn, and the last one from then on. */
async function openPlaying(...answers: readonly RawAnswer[]) {
  let next = 0;
  return openServer({
    onRequest: (socket) => {
      const answer = answers[Math.min(next, answers.length - 1)];
      next += 1;
      socket.write(answerBytes(answer ?? {}));
    },
  });
}

type Server = Awaited<ReturnType<typeof openPlaying>>;

const timestampsOf = ({ requests }: Server): number[] =>
  requests.map(({ body }) => (JSON.parse(body) as { timestamp: number }).timestamp);

describe('a read', () => {
  it('is one request by default', async () => {
    const server = await openPlaying(BUSY, BALANCES);
    expect(await failureOf(openClient(server.url).readBalance())).toMatchObject({
      kind: 'refused',
      httpStatus: 503,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, RawAnswer]>([
    ['a status from 500 up', BUSY],
    ['the status 429', { status: 429 }],
    ['the status 408', { status: 408 }],
    ['an unreadable answer', { body: '<html>' }],
  ])('is repeated after %s, each time with a new timestamp', async (_what, failure) => {
    const server = await openPlaying(failure, failure, BALANCES);
    const { timer, waits } = jumpingTimer();
    let nowMs = 100;
    const client = openClient(server.url, { retries: 2, timer, nowMs: () => (nowMs += 1) });
    expect((await client.readBalance()).value.name).toBe('Main');
    expect(waits).toEqual([500, 1_000]);
    expect(new Set(timestampsOf(server)).size).toBe(3);
  });

  it('is repeated after a reset connection', async () => {
    let isFirst = true;
    const server = await openServer({
      onRequest: (socket) => {
        if (!isFirst) return socket.write(answerBytes(BALANCES));
        isFirst = false;
        return socket.destroy();
      },
    });
    const { timer } = jumpingTimer();
    const client = openClient(server.url, { retries: 1, timer });
    expect((await client.readBalance()).value.name).toBe('Main');
    expect(server.requests).toHaveLength(2);
  });

  it('is repeated no more often than allowed, and then fails as its last request did', async () => {
    const server = await openPlaying(BUSY);
    const { timer, waits } = jumpingTimer();
    const client = openClient(server.url, { timer });
    await failureOf(client.readBalance({}, { retries: 10 }));
    expect(server.requests).toHaveLength(11);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, ...Array<number>(6).fill(8_000)]);
  });

  it('waits up to half less, by chance', async () => {
    const server = await openPlaying(BUSY);
    const { timer, waits } = jumpingTimer(0.999);
    await failureOf(openClient(server.url, { timer, retries: 2 }).readBalance());
    expect(waits).toEqual([251, 501]);
  });

  it('waits as long as Retry-After says', async () => {
    const server = await openPlaying({ status: 429, headers: { 'Retry-After': '7' } }, BALANCES);
    const { timer, waits } = jumpingTimer();
    await openClient(server.url, { timer, retries: 1 }).readBalance();
    expect(waits).toEqual([7_000]);
  });

  it('fails at once when Retry-After is longer than a minute', async () => {
    const server = await openPlaying({ status: 429, headers: { 'Retry-After': '61' } });
    const client = openClient(server.url, { retries: 9, timer: jumpingTimer().timer });
    expect((await failureOf(client.readBalance())).retryAfterMs).toBe(61_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, RawAnswer]>([
    ['400', { status: 400 }],
    ['401', { status: 401 }],
    ['404', { status: 404 }],
    ['302', { status: 302 }],
  ])('is not repeated after the status %s', async (_what, refusal) => {
    const server = await openPlaying(refusal);
    const client = openClient(server.url, { retries: 3, timer: jumpingTimer().timer });
    await failureOf(client.readBalance());
    expect(server.requests).toHaveLength(1);
  });

  it('of a call beats that of the client', async () => {
    const server = await openPlaying(BUSY);
    const client = openClient(server.url, { retries: 3, timer: jumpingTimer().timer });
    await failureOf(client.readBalance({}, { retries: 0 }));
    expect(server.requests).toHaveLength(1);
  });

  it.each([{ timestampMs: 5 }, { onLeave: () => undefined }])(
    'with %p is one request',
    async (call) => {
      const server = await openPlaying(BUSY);
      const client = openClient(server.url, { retries: 3, timer: jumpingTimer().timer });
      await failureOf(client.readBalance({}, call));
      expect(server.requests).toHaveLength(1);
    },
  );

  it('is not repeated by a client that is closed', async () => {
    const { timer, waits } = jumpingTimer();
    const client = openClient('http://127.0.0.1:1', { retries: 3, timer });
    await client.close();
    expect((await failureOf(client.readBalance())).kind).toBe('not-sent');
    expect(waits).toEqual([]);
  });

  it('ends with its last failure when it is aborted in a pause', async () => {
    const server = await openPlaying(BUSY);
    const abort = new AbortController();
    const timer = {
      ...jumpingTimer().timer,
      wait: async () => {
        abort.abort();
        abort.signal.throwIfAborted();
      },
    };
    const client = openClient(server.url, { retries: 3, timer });
    const error = await failureOf(client.readBalance({}, { signal: abort.signal }));
    expect(error).toMatchObject({ kind: 'refused', httpStatus: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([-1, 11, 1.5, '2'])('refuses %j retries', async (retries) => {
    const client = openClient('http://127.0.0.1:1');
    const call = { retries: retries as number };
    expect(await failureOf(client.readBalance({}, call))).toMatchObject({ kind: 'invalid-input' });
    expect(() => openClient('http://127.0.0.1:1', call)).toThrow(/retries must be/);
  });
});

describe('a create', () => {
  it.each<[string, RawAnswer | 'reset']>([
    ['503', BUSY],
    ['429 with Retry-After', { status: 429, headers: { 'Retry-After': '0' } }],
    ['an unreadable answer', { body: '<html>' }],
    ['a reset', 'reset'],
  ])('leaves once, whatever the client allows, after %s', async (_what, answer) => {
    const server = await openServer({
      onRequest: (socket) =>
        answer === 'reset' ? socket.destroy() : socket.write(answerBytes(answer)),
    });
    const client = openClient(server.url, { retries: 10, timer: jumpingTimer().timer });
    await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(server.requests).toHaveLength(1);
  });

  it('refuses the option, should JavaScript pass it', async () => {
    const server = await openPlaying(BUSY);
    const call: object = { retries: 1 };
    expect(
      await failureOf(openClient(server.url).createMassPayout(MASS_PAYOUT, call)),
    ).toMatchObject({ kind: 'invalid-input' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('of all operations', () => {
  it('those that may create, change or delete are never repeated', async () => {
    const repeated: string[] = [];
    for (const operation of OPERATIONS) {
      let attempts = 0;
      const send: ReturnType<typeof createSend> = async () => {
        attempts += 1;
        throw new MerchantApiError('no-answer', { operation });
      };
      const again = withRetries(send, { retries: 1, timer: jumpingTimer().timer });
      await failureOf(again({ operation, read: () => undefined }, {}));
      if (attempts > 1) repeated.push(operation);
    }
    expect(repeated).toEqual([
      'ACCOUNT',
      'MASS_GET',
      'FEE_CALCULATION',
      'LOOKUP',
      'WEBHOOK_LIST',
      'WALLET_LIST',
      'TRANSACTION_LIST',
      'OPCODES',
      'LOOKUP_ADDRESS',
      'USER',
    ]);
  });
});

describe('timeoutMs', () => {
  it('is the deadline of each request of one call', async () => {
    const server = await openServer({ onRequest: () => undefined });
    const client = openClient(server.url);
    const error = await failureOf(client.readBalance({}, { timeoutMs: 20 }));
    expect(error).toMatchObject({ kind: 'no-answer', reason: 'time-out' });
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])('may not be %p', async (timeoutMs) => {
    const client = openClient('http://127.0.0.1:1');
    expect(await failureOf(client.createMassPayout(MASS_PAYOUT, { timeoutMs }))).toMatchObject({
      kind: 'invalid-input',
    });
  });
});
