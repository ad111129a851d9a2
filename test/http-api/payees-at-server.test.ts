import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/domain/access/role.ts';
import { type FakeWorld, fakeWorld } from '../cli/support/fake-world.ts';
import { address } from '../cli/support/files.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playSettle } from '../cli/support/play.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ANN = address(1);
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const FILE = `address,currency,name,labels\n${ANN},USDT_TRC20,"Lee, Ann",staff\n${address(2)},TRX,,\n`;

const worldOf = (env: Record<string, string> = {}): FakeWorld =>
  fakeWorld({ cwd: temporaryFolder(), env });

/** A machine without settings and store, at a server over this world. */
async function machineAt(server: FakeWorld, role: Role = 'operate') {
  const api = await apiOf(server, { names: { operate: 'alice' } });
  closers.push(api.close);
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  return worldOf({ BURSAR_SERVER: url, BURSAR_SERVER_TOKEN: tokenOf(role) });
}

const COMMANDS = [
  ['import', 'payees.csv'],
  ['list'],
  ['list', '--search', 'ann', '-o', 'json'],
  ['deny', ANN, '--reason', 'stolen'],
  ['name', ANN, 'Ann'],
  ['label', ANN, 'b', 'a'],
  ['show', ANN],
  ['export'],
  ['allow', 'no-address', '--reason', 'x'],
  ['import', 'nowhere.csv'],
  ['import', 'bad.csv'],
];

it('bursar payees at a server prints what it prints there', async () => {
  const [local, remote] = [worldOf(), worldOf()];
  for (const made of [local, remote]) await made.run('list');
  const there = await machineAt(remote);
  for (const { world } of [local, there]) {
    writeFileSync(join(world.cwd, 'payees.csv'), FILE);
    writeFileSync(join(world.cwd, 'bad.csv'), 'address,currency\nnone,TRX\n');
  }
  for (const args of COMMANDS) {
    const here = await local.run('payees', ...args);
    expect(await there.run('payees', ...args)).toEqual(here);
  }
});

describe('the list of payees over HTTP', () => {
  it('has pages, each behind the last payee of the one before', async () => {
    const server = worldOf();
    const addresses = [1, 2, 3, 4, 5].map(address).toSorted();
    for (const one of addresses) await server.run('payees', 'allow', one, '--reason', 'known');
    const api = await apiOf(server);
    closers.push(api.close);
    const page = async (query: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${tokenOf('read')}` };
      const { body } = await api.server.inject({ url: `/v1/payees?${query}`, headers });
      const { payees, code } = JSON.parse(body) as {
        payees?: { address: string }[];
        code?: string;
      };
      return payees?.map((payee) => payee.address) ?? code;
    };
    expect(await page('limit=2')).toEqual(addresses.slice(0, 2));
    expect(await page(`limit=2&after=tron:${addresses[1]}`)).toEqual(addresses.slice(2, 4));
    expect(await page(`after=tron:${addresses[3]}`)).toEqual(addresses.slice(4));
    expect(await page(`after=tron:${addresses[4]}`)).toEqual([]);
    expect(await page(`after=eth:${EVM}`)).toEqual(addresses);
    expect(await page('after=nowhere')).toBe('FLAG_INVALID');
  });

  it('has the first and the last payment of each, where they are asked for', async () => {
    const server = await payrollWorld(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'PAID' });
    });
    const file = readFileSync(join(server.world.cwd, 'good.csv'), 'utf8');
    const paid = /^T\w+/m.exec(file)?.[0] ?? '';
    for (const one of [paid, EVM]) await server.run('payees', 'allow', one, '--reason', 'known');
    const api = await apiOf(server);
    closers.push(api.close);
    const headers = { authorization: `Bearer ${tokenOf('read')}` };
    const list = async (query: string): Promise<unknown> =>
      JSON.parse((await api.server.inject({ url: `/v1/payees${query}`, headers })).body);
    expect(await list('?withPayments=true')).toMatchObject({
      payees: [
        { address: EVM, payments: 0, firstPaid: null, lastPaid: null },
        {
          ...{ address: paid, payments: 1 },
          firstPaid: { batchId: 'payroll', row: 2, at: expect.any(String) },
          lastPaid: { batchId: 'payroll', row: 2 },
        },
      ],
    });
    expect(JSON.stringify(await list(''))).not.toContain('firstPaid');
  });
});

describe('an import over HTTP', () => {
  it('leaves no copy of the file, and the audit log names the caller', async () => {
    const server = worldOf();
    await server.run('list');
    const there = await machineAt(server);
    writeFileSync(join(there.world.cwd, 'payees.csv'), FILE);
    expect((await there.run('payees', 'import', 'payees.csv')).code).toBe(0);
    const blobs = readdirSync(server.world.cwd, { recursive: true }) as string[];
    expect(blobs.filter((path) => /[0-9a-f]{64}/.test(path))).toEqual([]);
    const { out } = await server.run('audit');
    expect(out).toContain('alice imported payees');
  });

  it.each([
    ['read', 'POST /v1/payees/T/decision', { decision: 'ALLOWED', reason: 'x' }],
    ['submit', 'POST /v1/payees/T/decision', { decision: 'ALLOWED', reason: 'x' }],
    ['submit', 'POST /v1/payees/T/name', { name: 'x' }],
    ['submit', 'POST /v1/payees/T/labels', { labels: [] }],
    ['submit', 'POST /v1/payee-imports', { file: { sha256: '0'.repeat(64), name: 'x.csv' } }],
  ] as const)('and each change is refused for the role %s: %s', async (role, place, body) => {
    const api = await apiOf(worldOf());
    closers.push(api.close);
    expect(await api.call(role, place, { body })).toMatchObject({
      status: 403,
      value: { code: 'ROLE_TOO_LOW' },
    });
  });

  it.each([
    ['name', { name: '=1+1' }, 'FLAG_INVALID'],
    ['name', { name: 'Ann\u202e' }, 'FLAG_INVALID'],
    ['email', { email: 'Ann <ann@example.com>' }, 'FLAG_INVALID'],
    ['labels', { labels: ['=x'] }, 'FLAG_INVALID'],
    ['name', { name: 'x'.repeat(201) }, 'REQUEST_INVALID'],
    ['decision', { decision: 'LISTED', reason: 'x' }, 'REQUEST_INVALID'],
    ['decision', { decision: 'DENIED', reason: ' ' }, 'REQUEST_INVALID'],
  ])('a %s of another form is refused: %j', async (field, body, code) => {
    const api = await apiOf(worldOf());
    closers.push(api.close);
    const answer = await api.call('operate', `POST /v1/payees/${ANN}/${field}`, { body });
    expect(answer.value).toMatchObject({ code });
  });
});
