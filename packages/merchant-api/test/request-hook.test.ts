import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestHook } from '@bursar/merchant-api';
import {
  ACCOUNT,
  failureOf,
  jumpingTimer,
  MASS_PAYOUT,
  noting,
  openClient,
  openServer,
} from './support/fixtures.ts';
import { answerBytes, answering } from './support/raw-server.ts';

const BALANCES = `{"account":"${ACCOUNT}","name":"Main","balances":[],"traceId":"t-1"}`;
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const NOWHERE = 'http://127.0.0.1:1';

const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => {
  emitWarning.mockClear();
});

/** The head of the only request of a read with this hook. */
async function headWith(onRequest: RequestHook): Promise<string> {
  const server = await openServer({ onRequest: answering({ body: BALANCES }) });
  const { value } = await openClient(server.url, { onRequest }).readBalance();
  expect([value.name, server.requests.length]).toEqual(['Main', 1]);
  return server.requests[0]?.head ?? '';
}

describe('the onRequest hook', () => {
  it('is called before each request, and its observer after it, answered or not', async () => {
    const notes: unknown[] = [];
    const options = { onRequest: noting(notes), nowMs: () => 7 };
    const server = await openServer({ onRequest: answering({ body: BALANCES }) });
    await openClient(server.url, options).readBalance();
    await failureOf(openClient(server.url, options).lookup({ id: '1' }));
    await failureOf(openClient(NOWHERE, options).createMassPayout(MASS_PAYOUT));
    const start = { attempt: 1, timestampMs: 7 };
    const end = { attempt: 1, durationMs: expect.any(Number) };
    expect(notes).toEqual([
      { operation: 'ACCOUNT', ...start },
      { operation: 'ACCOUNT', httpStatus: 200, traceId: 't-1', ...end },
      { operation: 'LOOKUP', ...start },
      { operation: 'LOOKUP', httpStatus: 200, errorKind: 'unreadable', ...end },
      { operation: 'MASS_CREATE', ...start },
      { operation: 'MASS_CREATE', errorKind: 'not-sent', ...end },
    ]);
  });

  it('is called before the request leaves', async () => {
    const events: string[] = [];
    const server = await openServer({
      onRequest: (socket) => {
        events.push('arrived');
        socket.write(answerBytes({ body: BALANCES }));
      },
    });
    const onRequest: RequestHook = () => {
      events.push('started');
      return { onEnd: () => events.push('ended') };
    };
    await openClient(server.url, { onRequest }).readBalance();
    expect(events).toEqual(['started', 'arrived', 'ended']);
  });

  it('counts the requests of one call', async () => {
    const notes: unknown[] = [];
    const { timer } = jumpingTimer();
    const client = openClient(NOWHERE, { onRequest: noting(notes), timer, retries: 1 });
    await failureOf(client.readBalance());
    expect(notes).toMatchObject([{ attempt: 1 }, { attempt: 1 }, { attempt: 2 }, { attempt: 2 }]);
  });

  it('is not called for calls without a request', async () => {
    const notes: unknown[] = [];
    const client = openClient(NOWHERE, { onRequest: noting(notes), endpoints: { LOOKUP: '' } });
    await failureOf(client.lookup({ id: '1' }));
    await failureOf(client.readBalance({ account: 'main' }));
    await failureOf(client.readBalance({}, { timeoutMs: 0 }));
    expect(notes).toEqual([]);
  });

  it.each<[string, RequestHook]>([
    [
      'throws',
      () => {
        throw new Error('hook is broken');
      },
    ],
    [
      'has an observer that throws',
      () => ({
        onEnd: () => {
          throw new Error('hook is broken');
        },
      }),
    ],
    ['is async and rejects', (async () => Promise.reject(new Error('hook is broken'))) as never],
    [
      'has an async observer that rejects',
      () => ({ onEnd: async () => Promise.reject(new Error('hook is broken')) }),
    ],
  ])('that %s becomes a warning of the process and changes no call', async (_what, hook) => {
    await headWith(hook);
    expect(emitWarning.mock.calls).toEqual([['The onRequest hook failed: hook is broken']]);
  });
});

describe('traceparent', () => {
  it('is sent as the hook returns it', async () => {
    expect(await headWith(() => ({ traceparent: TRACEPARENT }))).toMatch(
      new RegExp(`^traceparent: ${TRACEPARENT}\r$`, 'm'),
    );
  });

  it('is not sent by default', async () => {
    expect(await headWith(() => undefined)).not.toMatch(/traceparent/i);
  });

  it.each(['', 'x', `${TRACEPARENT}\r\nKey: other`, TRACEPARENT.toUpperCase(), 7])(
    'with the value %j becomes a warning and is not sent',
    async (traceparent) => {
      expect(await headWith(() => ({ traceparent: traceparent as string }))).not.toMatch(
        /traceparent/i,
      );
      expect(emitWarning.mock.calls).toEqual([
        ['The onRequest hook failed: traceparent is no value of that header'],
      ]);
    },
  );
});
