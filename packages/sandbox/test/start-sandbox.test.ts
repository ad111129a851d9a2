import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SettingsInvalid } from '../src/settings.ts';
import { startSandboxIn } from '../src/start-sandbox.ts';
import { createClient, errorCodeOf } from './support/client.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { balance, create, read, row } from './support/payouts.ts';
import { temporaryFolder } from './support/start.ts';

describe('startSandbox', () => {
  it('gives an address, a key with its secret and account, and a clock', async () => {
    const { url, key, secret, account, clock, client } = await ownSandbox();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([key, secret]).toEqual(['sandbox-key', 'sandbox-secret']);
    expect(account).toBe('0x5a4db0c500000000000000000000000000000001');
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(60_000);
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });

  it('removes its data when it stops, and may be stopped twice', async () => {
    const parent = await temporaryFolder();
    const sandbox = await startSandboxIn(parent, {});
    const [folder = ''] = readdirSync(parent);
    expect(existsSync(join(parent, folder, 'sandbox.db'))).toBe(true);
    await sandbox.stop();
    await sandbox[Symbol.asyncDispose]();
    expect(readdirSync(parent)).toEqual([]);
    await expect(sandbox.topUp('BTC', '1')).rejects.toThrow('ECONNREFUSED');
  });

  it('keeps the data of a given path', async () => {
    const storePath = join(await temporaryFolder(), 'kept.db');
    const first = await ownSandbox({ storePath });
    await first.topUp('BTC', '1');
    await first.stop();
    const { client } = await ownSandbox({ storePath });
    expect(await balance(client, 'BTC')).toBe('1000001');
  });

  it('takes modes, faults, balances, endpoints, steps, keys and other settings', async () => {
    const account = `0x${'a'.repeat(40)}`;
    const { client, ...sandbox } = await ownSandbox({
      modes: { errorCode: 'one-for-all', withdrawalsMax: null },
      faults: [{ target: 'USER', kind: 'status-500', next: 1 }],
      balances: { BTC: '0.5' },
      endpoints: { OPCODES: '/codes' },
      stepMs: 7,
      keys: [{ key: 'k', secret: 's', accounts: [account] }],
      settings: { FEE_PERCENT: '0' },
    });
    expect(sandbox).toMatchObject({ key: 'k', secret: 's', account });
    expect(await balance(client, 'BTC')).toBe('0.5');
    expect(JSON.parse((await client.call('ACCOUNT')).text)).toMatchObject({ errorCode: 'ERROR' });
    const { operations } = await sandbox.admin('GET /operations');
    expect(operations).toContainEqual({
      operation: 'OPCODES',
      method: 'POST',
      path: '/codes',
    });
    expect((await sandbox.admin('GET /faults')).faults).toHaveLength(1);
    await sandbox.clearFaults();
    expect((await sandbox.admin('GET /faults')).faults).toEqual([]);
  });

  it('names a wrong option, and leaves no data behind', async () => {
    const parent = await temporaryFolder();
    await expect(startSandboxIn(parent, { stepMs: -1 })).rejects.toThrow(SettingsInvalid);
    await expect(startSandboxIn(parent, { settings: { NO_SUCH: '1' } })).rejects.toThrow(
      'no such setting',
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  it('changes some modes and keeps the others', async () => {
    const sandbox = await ownSandbox({ modes: { numbers: 'exponent' } });
    await sandbox.setModes({ lookupLagMs: 5 });
    await sandbox.setModes({ errorStatus: 'all-400' });
    const { modes } = await sandbox.admin('GET /modes');
    expect(modes).toMatchObject({
      numbers: 'exponent',
      lookupLagMs: 5,
      errorStatus: 'all-400',
    });
  });

  it('tells what a refused admin action lacks', async () => {
    const { admin } = await ownSandbox();
    await expect(admin('POST /top-up', { currency: 'BTC' })).rejects.toThrow(
      /POST \/top-up was refused with 400: .*amount/,
    );
  });
});

describe('reset', () => {
  it('leaves a sandbox as after its first start', async () => {
    const { client, ...sandbox } = await ownSandbox({ modes: { lookupLagMs: 1 } });
    const { id } = await create(client, [row('10')]);
    await sandbox.addFault({ target: 'USER', kind: 'status-500' });
    await sandbox.setModes({ lookupLagMs: 2 });
    await sandbox.admin('PUT /clock', { offsetMs: 5 });
    await sandbox.reset();
    expect((await client.call('LOOKUP', { payload: `{"id":"${id}"}` })).status).toBe(404);
    expect(await balance(client)).toBe('1000000');
    expect((await sandbox.admin('GET /modes')).overrides).toEqual({});
    expect((await sandbox.admin('GET /modes')).modes).toMatchObject({ lookupLagMs: 1 });
    expect((await sandbox.admin('GET /faults')).faults).toEqual([]);
    expect((await sandbox.admin('GET /clock')).override).toBeNull();
    expect((await sandbox.admin('GET /requests')).requests).toMatchObject([
      { operation: 'LOOKUP', status: 404 },
    ]);
  });

  it('gives the faults of the settings their counts back', async () => {
    const { client, ...sandbox } = await ownSandbox({
      faults: [{ target: 'USER', kind: 'status-500', next: 1 }],
    });
    expect((await client.call('USER')).status).toBe(500);
    expect((await client.call('USER')).status).toBe(200);
    await sandbox.reset();
    expect((await client.call('USER')).status).toBe(500);
  });

  it('ends requests that get no answer, and serves those that come meanwhile', async () => {
    const { client, ...sandbox } = await ownSandbox();
    await sandbox.addFault({ target: 'USER', kind: 'hang-before' });
    const hanging = client.call('USER').then(
      () => 'answered',
      () => 'cut',
    );
    while ((await sandbox.admin('GET /faults')).faults[0]?.fired !== 1);
    const resetting = sandbox.reset();
    expect((await client.call('USER')).status).toBe(200);
    await resetting;
    expect(await hanging).toBe('cut');
  });
});

describe('snapshots', () => {
  it('bring a whole state back, as often as wanted', async () => {
    const { client, ...sandbox } = await ownSandbox({ clock: 'virtual' });
    const { id } = await create(client, [row('10')]);
    await sandbox.clock.advance('1s');
    const atMs = sandbox.clock.nowMs();
    const snapshot = await sandbox.snapshot();
    for (const round of [1, 2]) {
      await sandbox.clock.advance('5s');
      await sandbox.topUp('BTC', String(round));
      expect((await read(client, id)).state).toBe('COMPLETED');
      await sandbox.restore(snapshot);
      expect(sandbox.clock.nowMs()).toBe(atMs);
      expect((await read(client, id)).state).toBe('CONFIRMED');
      expect(await balance(client, 'BTC')).toBe('1000000');
    }
    await sandbox.reset();
    await sandbox.restore(snapshot);
    expect((await read(client, id)).state).toBe('CONFIRMED');
  });

  it('are listed, removed, and refused once they are gone', async () => {
    const { admin, restore, ...sandbox } = await ownSandbox();
    const { id } = await sandbox.snapshot();
    expect((await admin('GET /snapshots')).snapshots).toMatchObject([{ id }]);
    expect((await admin('DELETE /snapshots', { id })).snapshots).toEqual([]);
    await expect(restore({ id })).rejects.toThrow('404');
  });

  it('are at most 100', async () => {
    const { snapshot } = await ownSandbox();
    for (let taken = 0; taken < 100; taken += 1) await snapshot();
    await expect(snapshot()).rejects.toThrow('There are 100 snapshots already.');
  });
});

describe('timestamps of requests', () => {
  const stale = (url: string) => createClient(url, () => Date.now()).call('ACCOUNT');

  it('are compared with the virtual clock', async () => {
    const { url, clock, client } = await ownSandbox({ clock: 'virtual' });
    expect((await stale(url)).status).toBe(200);
    await clock.advance('30h');
    expect((await client.call('ACCOUNT')).status).toBe(200);
    expect(errorCodeOf(await stale(url))).toBe('TIMESTAMP_OUT_OF_WINDOW');
  });

  it('or with the clock of the computer, where the options say so', async () => {
    const { url, clock, client } = await ownSandbox({ clock: 'virtual', timestamps: 'computer' });
    await clock.advance('30h');
    expect((await stale(url)).status).toBe(200);
    expect(errorCodeOf(await client.call('ACCOUNT'))).toBe('TIMESTAMP_OUT_OF_WINDOW');
  });
});
