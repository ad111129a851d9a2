import { describe, expect, it } from '@jest/globals';
import { buildMassPayoutPayload } from '@bursar/merchant-api';
import { IDEMPOTENCY_KEY, MASS_PAYOUT, openClient, openServer } from './support/fixtures.ts';
import { answerBytes, answering, type RawRequest } from './support/raw-server.ts';

const timestampMs = 1_763_678_400_000;
const CREATED = answering({ body: '{"id":"mp-1","state":"CREATION_IN_PROGRESS"}' });

describe('a request on the wire', () => {
  it('is exactly these bytes', async () => {
    const server = await openServer({ onRequest: CREATED });
    const client = openClient(server.url);
    const answer = await client.createMassPayout(MASS_PAYOUT, { timestampMs });
    // Signature and digest were computed with OpenSSL and sha256sum.
    expect(server.requests.map(({ text }) => text)).toEqual([
      'POST /api/v1/payout/mass/create HTTP/1.1\r\n' +
        `host: 127.0.0.1:${server.port}\r\n` +
        'connection: keep-alive\r\n' +
        'Key: test-public-key\r\n' +
        'Sign: 2654bbd9794dd5224dd3fc113de188ffed7ae2a29df625fbb1037d583608a394' +
        '3afb7807a639a2724c527bf04f369671d4ea4c4c5e45e4f0758b74ecb426ae9b\r\n' +
        'Content-Type: application/json\r\n' +
        'Accept-Encoding: identity\r\n' +
        'content-length: 291\r\n' +
        '\r\n' +
        '{"timestamp":1763678400000,"account":"0x52908400098527886E0F7030069857D2E4169EE7",' +
        '"payload":{"currency":"USDT_TRC20","massAddresses":' +
        '[{"depositAddress":"TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj","amount":12.5,' +
        '"comment":"Miete für März"}],"idempotencyKey":"3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11"}}',
    ]);
    expect(answer).toEqual({
      value: {
        id: 'mp-1',
        state: 'CREATION_IN_PROGRESS',
        withdrawalErrors: [],
        unreadableParts: [],
      },
      httpStatus: 200,
      timestampMs: 1_763_678_400_000,
      bodySha256: 'f80013483f147ce00e9be9585214dfbd51bc5867a9b2a1cb97cc1411ec66d524',
    });
  });

  it('carries a stored payload byte for byte, with the digest known before', async () => {
    const server = await openServer({ onRequest: CREATED });
    const client = openClient(server.url);
    const payloadText = buildMassPayoutPayload(MASS_PAYOUT)
      .replace('12.5', '12.50')
      .replace(',', ' , ');
    const account = '0x0000000000000000000000000000000000000001';
    const prepared = client.prepareBody({ timestampMs, account, payloadText });
    const answer = await client.createMassPayout({ payloadText }, { timestampMs, account });
    expect(server.requests.map(({ body }) => body)).toEqual([prepared.bytes.toString('utf8')]);
    expect(answer.bodySha256).toBe(prepared.bodySha256);
  });

  it('carries a prepared body byte for byte, whatever the options say', async () => {
    const server = await openServer({ onRequest: CREATED });
    const client = openClient(server.url);
    const payloadText = buildMassPayoutPayload(MASS_PAYOUT);
    const account = '0x0000000000000000000000000000000000000001';
    const body = client.prepareBody({ timestampMs, account, payloadText });
    const answer = await client.createMassPayout({ body }, { timestampMs: 1 });
    expect(server.requests.map(({ body: text }) => text)).toEqual([body.bytes.toString('utf8')]);
    expect(answer).toMatchObject({ timestampMs, bodySha256: body.bodySha256 });
  });

  it('is stamped by the local clock at the time of the call', async () => {
    const server = await openServer({ onRequest: CREATED });
    const clock = { nowMs: 1_000 };
    const client = openClient(server.url, { nowMs: () => clock.nowMs });
    await client.createMassPayout(MASS_PAYOUT);
    clock.nowMs = 2_000;
    await client.createMassPayout(MASS_PAYOUT);
    expect(server.requests.map(timestampOf)).toEqual(['1000', '2000']);
  });

  it.each(['', '/', '//'])(
    'goes to the same path when the base address ends in %j',
    async (end) => {
      const server = await openServer({ onRequest: CREATED });
      await openClient(server.url + end).createMassPayout(MASS_PAYOUT);
      expect(server.requests.map(pathOf)).toEqual(['/api/v1/payout/mass/create']);
    },
  );

  it.each(['/gate/way', '/gate/way/'])('goes below the path prefix %s', async (prefix) => {
    const server = await openServer({ onRequest: CREATED });
    await openClient(server.url + prefix).createMassPayout(MASS_PAYOUT);
    expect(server.requests.map(pathOf)).toEqual(['/gate/way/api/v1/payout/mass/create']);
  });

  it('goes to a path of our own choice', async () => {
    const server = await openServer({ onRequest: CREATED });
    const client = openClient(server.url, { endpoints: { MASS_GET: '/v9/read' } });
    await client.readMassPayout({ idempotencyKey: IDEMPOTENCY_KEY });
    expect(server.requests.map(pathOf)).toEqual(['/v9/read']);
  });

  it('asks for the secret anew each time', async () => {
    const server = await openServer({ onRequest: CREATED });
    const secrets = ['old', 'new'];
    const client = openClient(server.url, { secret: () => secrets.shift() ?? 'none' });
    await client.createMassPayout(MASS_PAYOUT, { timestampMs });
    await client.createMassPayout(MASS_PAYOUT, { timestampMs });
    expect(new Set(server.requests.map(signOf)).size).toBe(2);
  });

  it('takes an answer that follows an announcement', async () => {
    const server = await openServer({
      onRequest: (socket) => {
        socket.write('HTTP/1.1 102 Processing\r\n\r\n');
        socket.write(answerBytes({ status: 201, body: '{"id":"mp-1","state":"CONFIRMED"}' }));
      },
    });
    const answer = await openClient(server.url).createMassPayout(MASS_PAYOUT);
    expect(answer).toMatchObject({ httpStatus: 201, value: { state: 'CONFIRMED' } });
  });
});

const pathOf = ({ text }: RawRequest): string | undefined => text.split(' ')[1];
const signOf = ({ head }: RawRequest): string | undefined => /^Sign: (.*)$/m.exec(head)?.[1];
const timestampOf = ({ body }: RawRequest): string | undefined =>
  /"timestamp":(\d+)/.exec(body)?.[1];
