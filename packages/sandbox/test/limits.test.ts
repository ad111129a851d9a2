import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { SomeModes } from '../src/core/modes.ts';
import { json } from './support/client.ts';
import { ownSandbox } from './support/own-sandbox.ts';

const channel = (url: string): string =>
  JSON.stringify({ url, notificationEventTypes: ['PAYOUT_CONFIRMED'] });

const page = (pageSize: number): string =>
  JSON.stringify({ pageNumber: 1, pageSize, sort: 'ASC', properties: 'name' });

describe('a limit that the specification does not have', () => {
  it.each<[SomeModes, number]>([
    [{}, 400],
    [{ webhookPortMin: 90 }, 200],
    [{ webhookPortMin: null }, 200],
  ])('of the ports of receivers is a mode: %j', async (modes, status) => {
    const { client } = await ownSandbox({ modes });
    const payload = channel('http://127.0.0.1:90/hooks');
    expect((await client.call('WEBHOOK_CREATE', { payload })).status).toBe(status);
  });

  it('of the ports holds for attempts as well, and for the setting WEBHOOK_URL', async () => {
    const settings = { WEBHOOK_URL: 'http://127.0.0.1:90/hooks' };
    await expect(ownSandbox({ settings })).rejects.toThrow('BURSAR_SANDBOX_WEBHOOK_URL');
    const options = { settings, clock: 'virtual', modes: { webhookPortMin: null } } as const;
    const { admin, clock, setModes } = await ownSandbox(options);
    await setModes({ webhookPortMin: 1_000 });
    await admin('POST /events', { type: 'PAYOUT_CONFIRMED' });
    await clock.advance(0);
    const [delivery] = (await admin('GET /deliveries')).deliveries;
    expect(delivery?.attempts).toMatchObject([{ reason: 'the address is not allowed' }]);
  });

  it.each<[SomeModes, number[]]>([
    [{ subscriptionsMax: 1 }, [200, 400]],
    [{ subscriptionsMax: null }, [200, 200]],
  ])('of the subscriptions of an account is a mode: %j', async (modes, statuses) => {
    const { client } = await ownSandbox({ modes });
    const payload = channel('http://127.0.0.1:8080/hooks');
    const answers = [
      await client.call('WEBHOOK_CREATE', { payload }),
      await client.call('WEBHOOK_CREATE', { payload }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it.each<[SomeModes, number, number]>([
    [{}, 1_000, 200],
    [{}, 1_001, 400],
    [{ pageSizeMax: 10 }, 11, 400],
    [{ pageSizeMax: null }, 2_000_000, 200],
  ])('of the objects on a page is a mode: %j, a page of %d', async (modes, size, status) => {
    const { client } = await ownSandbox({ modes });
    expect((await client.call('WALLET_LIST', { payload: page(size) })).status).toBe(status);
  });

  it('of the objects on a page can be chosen for one request', async () => {
    const { client } = await ownSandbox();
    const headers = { 'Sandbox-Modes': 'pageSizeMax=none' };
    const { status } = await client.call('WALLET_LIST', { payload: page(5_000) }, headers);
    expect(status).toBe(200);
  });
});

describe('a body over the limit', () => {
  const large = json({ text: JSON.stringify('x'.repeat(5_000_000)) });

  it.each<[SomeModes, number, string]>([
    [{ bodyBytesMax: 1_000 }, 413, 'BODY_TOO_LARGE'],
    [{ bodyBytesMax: 1_000, errorStatus: 'all-400', errorCode: 'one-for-all' }, 400, 'ERROR'],
    [{ bodyBytesMax: null }, 401, 'KEY_UNKNOWN'],
  ])('is refused in the form of the modes: %j', async (modes, status, errorCode) => {
    const { url } = await ownSandbox({ modes });
    const response = await fetch(`${url}/api/v1/account`, { method: 'POST', body: large });
    expect([response.status, await response.json()]).toEqual([
      status,
      { traceId: expect.any(String), errorCode, message: expect.any(String) },
    ]);
  });

  it('gets its answer and no broken connection while the client still sends', async () => {
    const { url } = await ownSandbox({ modes: { bodyBytesMax: 1_000 } });
    const send = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${url}/api/v1/account`, { method: 'POST', agent: false, headers });
        sent.on('error', reject);
        sent.on('response', (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        for (let at = 0; at < 50; at += 1)
          sent.write(large.slice(at * 100_000, (at + 1) * 100_000));
        sent.end(large.slice(5_000_000));
      });
    for (let round = 0; round < 10; round += 1) {
      expect(await send({})).toBe(413);
      expect(await send({ 'Content-Length': String(large.length) })).toBe(413);
    }
  });
});
