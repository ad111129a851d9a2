import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerchantApiError, type MerchantClient, signRequest } from '@bursar/merchant-api';
import { failureOf, MASS_PAYOUT, noting, openClient, openServer } from './support/fixtures.ts';
import { answerBytes, type RawRequest } from './support/raw-server.ts';

const SECRET = 'CANARY-secret-4711';
const KEY = 'CANARY-key-4712';

/** Every way in which a value is likely to end up in a log, a history or a report. */
const printed = (value: unknown): string =>
  [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    value instanceof Error ? value.stack : '',
    value instanceof Error ? printedCause(value) : '',
  ].join('\n');

const printedCause = ({ cause }: Error): string =>
  cause === undefined ? '' : `${JSON.stringify(cause)}${inspect(cause, { showHidden: true })}`;

const canaryClient = (url: string): MerchantClient => openClient(url, { secret: SECRET, key: KEY });

const signOf = ({ head }: RawRequest): string => /^Sign: (.*)$/m.exec(head)?.[1] ?? 'none';

/** Ways in which a service can throw our own request back at us. */
const ECHOES: readonly (readonly [string, (socket: Socket, request: RawRequest) => void])[] = [
  [
    'in an error body',
    (socket, { text, head }) => {
      const body = JSON.stringify({ traceId: head, errorCode: head, message: text });
      socket.write(answerBytes({ status: 401, body }));
    },
  ],
  ['in the status line', (socket, { head }) => socket.end(`HTTP/1.1 ${head}`)],
  ['as the whole answer', (socket, { text }) => socket.end(text)],
  ['as a body', (socket, { text }) => socket.write(answerBytes({ body: text }))],
  [
    'as JSON',
    (socket, { head }) => socket.write(answerBytes({ body: JSON.stringify({ [head]: head }) })),
  ],
  [
    'as numbers in JSON',
    (socket, { head }) => socket.write(answerBytes({ body: `{"id":-${head}}` })),
  ],
  [
    'as a state of the wrong type',
    (socket, { head }) =>
      socket.write(answerBytes({ body: JSON.stringify({ id: 'x', state: [head] }) })),
  ],
  [
    'in headers',
    (socket, request) =>
      socket.write(
        answerBytes({
          status: 500,
          headers: { Date: signOf(request), 'Retry-After': signOf(request) },
        }),
      ),
  ],
];

describe('the secret, the key and the signature', () => {
  it.each(ECHOES)('are in no error when the service echoes the request %s', async (_what, echo) => {
    const signs: string[] = [];
    const server = await openServer({
      onRequest: (socket, request) => {
        signs.push(signOf(request));
        echo(socket, request);
      },
    });
    const error = await failureOf(canaryClient(server.url).createMassPayout(MASS_PAYOUT));
    expect(signs).toEqual([expect.stringMatching(/^[0-9a-f]{128}$/)]);
    expect(printed(error)).not.toContain('CANARY');
    for (const sign of signs) expect(printed(error)).not.toContain(sign);
  });

  it('are in no error of a call that was not sent', async () => {
    const client = canaryClient('http://127.0.0.1:1');
    const errors = await Promise.all([
      failureOf(client.createMassPayout(MASS_PAYOUT)),
      failureOf(client.createMassPayout({ ...MASS_PAYOUT, currency: '' })),
      failureOf(client.readBalance({ account: SECRET })),
      failureOf(client.lookup({ id: '1' }, { signal: AbortSignal.abort() })),
    ]);
    for (const error of errors) expect(printed(error)).not.toContain('CANARY');
  });

  it('are not in the client, however it is printed', () => {
    const client = canaryClient('http://127.0.0.1:1');
    expect(printed(client)).not.toContain('CANARY');
    expect(JSON.stringify(client)).toBe('{}');
  });

  it('are not in what a hook gets', async () => {
    const notes: unknown[] = [];
    const options = { secret: SECRET, key: KEY, onRequest: noting(notes) };
    const client = openClient('http://127.0.0.1:1', options);
    await failureOf(client.createMassPayout(MASS_PAYOUT));
    expect(notes).toHaveLength(2);
    expect(printed(notes)).not.toContain('CANARY');
  });

  it('are in no error whatever the service answers around an echo of them', async () => {
    let reply = '';
    const server = await openServer({
      onRequest: (socket, request) => {
        const body = reply.replace('@', `${signOf(request)} ${KEY}`);
        socket.write(answerBytes({ status: body.length % 2 === 0 ? 200 : 400, body }));
      },
    });
    const client = canaryClient(server.url);
    const echo = fc.string().map((around) => `${around}@`);
    const field = fc.oneof(echo, fc.jsonValue());
    const body = fc.oneof(
      echo,
      fc
        .record({ id: field, state: field, message: field, traceId: field, errorCode: field })
        .map((record) => JSON.stringify(record)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        reply = text;
        const outcome = await client
          .createMassPayout(MASS_PAYOUT, { timestampMs: 1 })
          .catch((error: unknown) => error);
        if (!(outcome instanceof MerchantApiError)) return;
        expect(printed(outcome)).not.toContain('CANARY');
        for (const { head } of server.requests.slice(-1)) {
          const sign = /^Sign: (.*)$/m.exec(head)?.[1] ?? '';
          expect(printed(outcome)).not.toContain(sign);
        }
      }),
    );
  });

  it('would be found by these tests: the canaries are really used', async () => {
    const server = await openServer({ onRequest: (socket) => socket.end() });
    await failureOf(canaryClient(server.url).createMassPayout(MASS_PAYOUT));
    expect(server.requests.map((request) => [request.head.includes(KEY), signOf(request)])).toEqual(
      server.requests.map(({ body }) => [true, signRequest(SECRET, body)]),
    );
    expect(server.requests).toHaveLength(1);
  });
});

describe('a secret that cannot be read', () => {
  it.each([
    [
      'fails',
      () => {
        throw new Error('no such file');
      },
      'the secret cannot be read',
    ],
    ['is empty', () => '', 'the secret is empty'],
  ])('ends the call before anything is sent when it %s', async (_what, secret, reason) => {
    const server = await openServer({});
    const error = await failureOf(openClient(server.url, { secret }).readBalance());
    expect(error).toMatchObject({ kind: 'invalid-input', operation: 'ACCOUNT', reason });
    expect(server.connectionCount()).toBe(0);
  });
});
