import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, failureOf, openClient, openServer } from './support/fixtures.ts';
import { answering } from './support/raw-server.ts';

const DATE = 'Fri, 20 Nov 2026 10:00:00 GMT';
const DATE_MS = Date.UTC(2026, 10, 20, 10);
const BALANCES = `{"account":"${ACCOUNT}","name":"Main","balances":[],"traceId":"t-1"}`;

/** A clock that goes on by `stepMs` whenever it is read. */
function steppingClock(startMs: number, stepMs: number): () => number {
  let nextMs = startMs - stepMs;
  return () => (nextMs += stepMs);
}

describe('clockSkewMs', () => {
  it('is unknown before the first answer', () => {
    expect(openClient('http://127.0.0.1:1').clockSkewMs()).toBeUndefined();
  });

  it('is the Date header minus the local clock halfway of the call', async () => {
    const server = await openServer({
      onRequest: answering({ body: BALANCES, headers: { Date: DATE } }),
    });
    // Read three times: for the timestamp, at the start of the request, at the head of the answer.
    const client = openClient(server.url, { nowMs: steppingClock(DATE_MS - 5_000, 1_000) });
    const answer = await client.readBalance();
    expect(answer.serverDateMs).toBe(DATE_MS);
    expect(client.clockSkewMs()).toBe(3_500);
  });

  it('goes with what the service shows at the least: the smallest of its newest Dates', async () => {
    let dateMs = Date.UTC(2026, 10, 20, 10);
    const server = await openServer({
      onRequest: (socket) =>
        answering({ body: BALANCES, headers: { Date: new Date(dateMs).toUTCString() } })(socket),
    });
    const client = openClient(server.url);
    expect(client.serverMsAtLeast()).toBeUndefined();
    await client.readBalance();
    dateMs += 40_000;
    await client.readBalance();
    const soonMs = dateMs - 40_000;
    expect(client.serverMsAtLeast()).toBeGreaterThanOrEqual(soonMs);
    expect(client.serverMsAtLeast()).toBeLessThan(soonMs + 30_000);
    // One that was behind is forgotten after as many answers as are kept.
    for (let n = 0; n < 63; n += 1) await client.readBalance();
    expect(client.serverMsAtLeast()).toBeGreaterThanOrEqual(dateMs);
  });

  it('is measured by documented refusals, too', async () => {
    const body = '{"traceId":"t","errorCode":"STALE","message":"too old"}';
    const server = await openServer({
      onRequest: answering({ status: 400, body, headers: { Date: DATE } }),
    });
    const client = openClient(server.url, { nowMs: () => DATE_MS + 181_000 });
    await failureOf(client.readBalance());
    expect(client.clockSkewMs()).toBe(-181_000);
  });

  it.each<[string, (socket: Socket) => unknown]>([
    [
      'the error page of a proxy',
      answering({ status: 502, body: '<html>', headers: { Date: DATE } }),
    ],
    ['a refusal without the documented body', answering({ status: 400, headers: { Date: DATE } })],
    ['an answer that cannot be read', answering({ body: '{"a', headers: { Date: DATE } })],
    [
      'an answer that breaks off',
      (socket) => socket.end(`HTTP/1.1 200 X\r\nDate: ${DATE}\r\nContent-Length: 9\r\n\r\n`),
    ],
  ])('is not measured by %s, whose Date may be anything', async (_what, onRequest) => {
    const server = await openServer({ onRequest });
    const client = openClient(server.url);
    await failureOf(client.readBalance());
    expect([client.clockSkewMs(), client.serverMsAtLeast()]).toEqual([undefined, undefined]);
  });

  it.each(['yesterday', '2026-11-20T10:00:00Z', '1763632800'])(
    'takes no notice of the Date header "%s"',
    async (date) => {
      const server = await openServer({
        onRequest: answering({ body: BALANCES, headers: { Date: date } }),
      });
      const client = openClient(server.url);
      expect(await client.readBalance()).not.toHaveProperty('serverDateMs');
      expect(client.clockSkewMs()).toBeUndefined();
    },
  );
});
