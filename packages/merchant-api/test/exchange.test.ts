import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import {
  type ExchangeLimits,
  exchange,
  type RequestDispatcher,
  type WireRequest,
} from '../src/transport/exchange.ts';

/*
 * undici is free to take a request to a second socket. These tests play undici, to show that the
 * second time is stopped before a byte is written.
 */

const LIMITS: ExchangeLimits = { requestTimeoutMs: 60_000, responseBytesMax: 10, nowMs: () => 0 };
const REQUEST: WireRequest = { method: 'POST', path: '/', headers: {}, bytes: Buffer.from('{}') };

type FakeController = Dispatcher.DispatchController & { abortedWith: Error | undefined };

const fakeController = (): FakeController => ({
  abortedWith: undefined,
  aborted: false,
  paused: false,
  reason: null,
  abort(reason) {
    this.abortedWith = reason;
  },
  pause: () => undefined,
  resume: () => undefined,
});

type Play = (handler: Dispatcher.DispatchHandler) => void;

const playing = (play: Play): RequestDispatcher => ({
  dispatch(_options, handler) {
    play(handler);
    return true;
  },
});

describe('exchange', () => {
  it('stops a second write of the same request', async () => {
    const [first, second] = [fakeController(), fakeController()];
    const dispatcher = playing((handler) => {
      handler.onRequestStart?.(first, undefined);
      handler.onRequestStart?.(second, undefined);
      handler.onResponseError?.(second, new Error('aborted'));
    });
    const result = await exchange(dispatcher, REQUEST, LIMITS);
    expect(first.abortedWith).toBeUndefined();
    expect(second.abortedWith).toMatchObject({ code: 'sent-once' });
    expect(result).toMatchObject({ kind: 'failure', mayHaveLeft: true });
  });

  it('calls back once, before the first byte', async () => {
    const events: string[] = [];
    const dispatcher = playing((handler) => {
      events.push('connected');
      handler.onRequestStart?.(fakeController(), undefined);
      handler.onRequestStart?.(fakeController(), undefined);
      events.push('written');
      handler.onResponseError?.(fakeController(), new Error('reset'));
    });
    await exchange(dispatcher, { ...REQUEST, onLeave: () => events.push('leaves') }, LIMITS);
    expect(events).toEqual(['connected', 'leaves', 'written']);
  });

  it('sends nothing when the callback before the first byte throws', async () => {
    const controller = fakeController();
    const dispatcher = playing((handler) => handler.onRequestStart?.(controller, undefined));
    const onLeave = (): void => {
      throw new Error('disk I/O error');
    };
    const result = await exchange(dispatcher, { ...REQUEST, onLeave }, LIMITS);
    expect(controller.abortedWith).toMatchObject({ code: 'not-sent' });
    expect(result).toMatchObject({ mayHaveLeft: false, cause: { message: 'disk I/O error' } });
  });

  it('stops a request that gets its connection after the call was given up', async () => {
    const late = fakeController();
    const abort = new AbortController();
    let start: (() => void) | undefined;
    const dispatcher = playing((handler) => {
      start = () => handler.onRequestStart?.(late, undefined);
    });
    const call = exchange(dispatcher, { ...REQUEST, signal: abort.signal }, LIMITS);
    abort.abort();
    expect(await call).toMatchObject({ kind: 'failure', mayHaveLeft: false });
    start?.();
    expect(late.abortedWith).toMatchObject({ code: 'sent-once' });
  });

  it('knows that nothing left when the deadline passes without a connection', async () => {
    const waiting = playing(() => undefined);
    const result = await exchange(waiting, REQUEST, { ...LIMITS, requestTimeoutMs: 1 });
    expect(result).toMatchObject({ mayHaveLeft: false, cause: { code: 'time-out' } });
  });

  it('takes any error before the first byte as proof that nothing left', async () => {
    const dispatcher = playing((handler) =>
      handler.onResponseError?.(
        fakeController(),
        Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      ),
    );
    expect(await exchange(dispatcher, REQUEST, LIMITS)).toMatchObject({ mayHaveLeft: false });
  });

  it('takes any error after the start as a sign that bytes may have left', async () => {
    const dispatcher = playing((handler) => {
      handler.onRequestStart?.(fakeController(), undefined);
      handler.onResponseError?.(
        fakeController(),
        Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      );
    });
    expect(await exchange(dispatcher, REQUEST, LIMITS)).toMatchObject({ mayHaveLeft: true });
  });

  it('leaves no listener behind on the signal of its caller', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') return () => (listeners += 1);
        if (name === 'removeEventListener') return () => (listeners -= 1);
        return Reflect.get(target, name, target);
      },
    });
    const dispatcher = playing((handler) =>
      handler.onResponseError?.(fakeController(), new Error('refused')),
    );
    await exchange(dispatcher, { ...REQUEST, signal: counting }, LIMITS);
    expect(listeners).toBe(0);
  });
});
