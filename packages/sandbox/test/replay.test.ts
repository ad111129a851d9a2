import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { AdminCase } from '../src/admin/index.ts';
import { replayCase } from '../src/replay/replay.ts';
import { post, sign } from './support/client.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { create, createPayload, lookUp, PLAIN_ADDRESS, row } from './support/payouts.ts';
import { temporaryFolder } from './support/start.ts';

const MAIN = fileURLToPath(new URL('../build/main.js', import.meta.url));

/** A sandbox in which much has happened, as a case. */
async function eventfulCase(clock: 'system' | 'virtual'): Promise<AdminCase> {
  const { client, ...sandbox } = await ownSandbox({
    clock,
    // On a clock that goes by itself nothing moves here.
    stepMs: clock === 'virtual' ? 1_000 : 600_000,
    modes: { bodies: 'kept', numbers: 'exponent' },
    fates: [{ match: { position: 2 }, fate: 'fee-too-low' }],
    faults: [{ target: 'USER', kind: 'status-500', next: 1 }],
    settings: { FEE_PERCENT: '0.5' },
  });
  const advance = async (text: string) =>
    clock === 'virtual' ? sandbox.clock.advance(text) : undefined;
  await client.call('USER');
  await client.call('USER');
  const { id } = await create(client, [row('1'), row('2')]);
  await advance('1m');
  await lookUp(client, id);
  if (clock === 'virtual') await sandbox.admin('POST /mass-payouts/resend', { id });
  await sandbox.topUp('BTC', '0.5');
  await sandbox.setModes({ errorCode: 'one-for-all' });
  await client.call('ACCOUNT');
  await client.call('WEBHOOK_CREATE', {
    payload: '{"url":"http://127.0.0.1:8080/x","notificationEventTypes":["PAYOUT_CONFIRMED"]}',
  });
  await client.call('NO_SUCH' as 'USER').catch(() => undefined);
  await post(`${sandbox.url}/api/v1/account`, '{"no json', { Sign: sign('another body') });
  await post(`${sandbox.url}/api/v1/account`, Buffer.from([0xff, 0xfe]));
  await sandbox.addFault({ target: 'MASS_CREATE', kind: 'accept-then-drop', next: 1 });
  await client.call('MASS_CREATE', { payload: createPayload([row('3')]) }).catch(() => undefined);
  await sandbox.addFault({ target: 'ACCOUNT', kind: 'hang-before', next: 1 });
  const hanging = client.call('ACCOUNT').catch(() => undefined);
  while ((await sandbox.admin('GET /faults')).faults.at(-1)?.fired !== 1);
  await advance('1h');
  await lookUp(client, id);
  const played = await sandbox.admin('GET /case');
  await sandbox.stop();
  await hanging;
  return played;
}

describe('a case', () => {
  it.each(['system', 'virtual'] as const)(
    'of a sandbox on a %s clock has the same answers in a replay',
    async (clock) => {
      const played = await eventfulCase(clock);
      const requests = played.steps.filter(({ kind }) => kind === 'request').length;
      expect(await replayCase(JSON.parse(JSON.stringify(played)))).toEqual({
        requests,
        difference: null,
      });
    },
  );

  it('has no key, no secret, and no secret of a subscription', async () => {
    const text = JSON.stringify(await eventfulCase('virtual'));
    expect(text).not.toContain('sandbox-secret');
    expect(text).not.toContain('sandbox-key');
    expect(text).toContain(String.raw`\"secretKey\":\"removed\"`);
    expect(text).toContain(PLAIN_ADDRESS);
  });

  it('names the first answer that differs', async () => {
    const played = await eventfulCase('virtual');
    const changed = { ...played, settings: { ...played.settings, FEE_PERCENT: '2' } };
    const { difference } = await replayCase(changed);
    expect(difference).toMatchObject({ number: 3, operation: 'MASS_CREATE' });
    expect(difference?.expected).toContain('"totalFee":0.015,');
    expect(difference?.actual).toContain('"totalFee":0.06,');
  });

  it('needs the bodies of all requests', async () => {
    const { client, admin } = await ownSandbox();
    await client.call('USER');
    await expect(admin('GET /case')).rejects.toThrow('CASE_INCOMPLETE');
  });
});

it('bodies are in no store and in no case by default', async () => {
  const { client, snapshot, admin } = await ownSandbox();
  const address = 'an-address-that-no-withdrawal-has';
  await client.call('LOOKUP_ADDRESS', { payload: JSON.stringify({ address }) });
  await snapshot();
  expect(JSON.stringify(await admin('GET /requests'))).not.toContain(address);
});

describe('bursar-sandbox case replay', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [MAIN, ...args], (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });

  it('prints the result, and ends with 1 when an answer differs', async () => {
    const played = await eventfulCase('virtual');
    const file = join(await temporaryFolder(), 'case.json');
    await writeFile(file, JSON.stringify(played));
    expect(await run('case', 'replay', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ requests have the same answers\.\n$/),
    });
    const settings = { ...played.settings, FEE_PERCENT: '2' };
    await writeFile(file, JSON.stringify({ ...played, settings }));
    expect(await run('case', 'replay', file)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Request 3 of \d+ \(MASS_CREATE, .*\nexpected: .*\nactual: /),
    });
  });

  it.each([
    ['case', 'replay'],
    ['replay', 'x'],
    ['case', 'replay', 'no-such.json'],
    ['case', 'replay', MAIN],
  ])('ends with 2 for %s %s %s', async (...args) => expect((await run(...args)).code).toBe(2));
});
