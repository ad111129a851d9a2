import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/domain/access/role.ts';
import { type FakeWorld, fakeWorld } from '../cli/support/fake-world.ts';
import { address } from '../cli/support/files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ANN = address(1);
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
    expect(out).toMatch(/alice.*payees-import|payees-import.*alice/);
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
