import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { keyFile, TOTALS, worldThatWaits } from '../cli/support/approvals.ts';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playSettle } from '../cli/support/play.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Runs a command line at a server over the same store, by the token of a role. */
async function thereIn(made: FakeWorld, role = 'operate') {
  const api = await apiOf(made);
  closers.push(api.close);
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  Object.assign(made.world.env, { BURSAR_SERVER_TOKEN: tokenOf(role) });
  return (...args: string[]) => made.run('--server', url, ...args);
}

const paid = () =>
  payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'PAID' });
    await playEnd(store, 'payroll', { state: 'COMPLETED' });
  });

describe('a command with --server', () => {
  it.each([
    [['list']],
    [['list', '-o', 'json']],
    [['list', '-o', 'jsonl']],
    [['status', 'payroll']],
    [['status', 'payroll', '-o', 'json']],
    [['rows', 'payroll']],
    [['rows', 'payroll', '-o', 'json']],
    [['explain', 'payroll', '3']],
    [['find', 'mp-1']],
    [['watch', 'payroll']],
    [['watch', 'payroll', '--timeout', '1s']],
    [['inbox']],
    [['audit']],
    [['schedule', 'list']],
    [['schedule', 'show', 'nothing']],
    [['audit', 'payroll', '--all', '-o', 'json']],
    [['status', 'nobody']],
    [['pause', 'payroll', '--reason', 'lunch']],
  ])('%j prints byte for byte what it prints without', async (args) => {
    const made = await paid();
    const here = await made.run(...args);
    const there = await (await thereIn(made))(...args);
    expect(there).toEqual(here);
  });

  it('signs an approval on this machine', async () => {
    const made = await worldThatWaits();
    const there = await thereIn(made, 'read');
    const key = keyFile(made, 'bob');
    const { code, out } = await there('approve', 'payroll', '--key', key, '--confirm', TOTALS);
    expect([code, out]).toEqual([0, expect.stringContaining('bob approved batch payroll.')]);
    expect(made.engine.updates).toMatchObject([
      { approval: { person: 'bob', signature: expect.any(String) }, by: 'reader' },
    ]);
  });

  it('shows the place of the server with whoami', async () => {
    const made = await paid();
    const { code, out } = await (await thereIn(made))('whoami', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        schema: 'bursar.whoami/v1',
        server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
        environment: 'LIVE',
        service: 'https://service.example',
        account: ACCOUNT,
        profile: null,
        version: '9.9.9',
      },
    ]);
  });

  it('never uses the store of this machine', async () => {
    const made = await paid();
    const { code, err } = await (await thereIn(made))('archive', 'payroll', '--out', 'x');
    expect([code, err]).toEqual([2, expect.stringContaining('SERVER_CANNOT')]);
  });

  it('needs a token that the server knows, and of a role that may', async () => {
    const made = await paid();
    const act = ['pause', 'payroll', '--reason', 'x'] as const;
    expect((await (await thereIn(made, 'read'))(...act)).err).toContain('ROLE_TOO_LOW');
    expect((await (await thereIn(made, 'guess'))('list')).err).toContain('TOKEN_UNKNOWN');
    const there = await thereIn(made);
    Object.assign(made.world.env, { BURSAR_SERVER_TOKEN: '' });
    expect((await there('list')).err).toContain('SERVER_TOKEN_MISSING');
  });

  it.each([
    ['is no address', 'nowhere', 2, 'FLAG_INVALID'],
    ['does not answer', 'http://127.0.0.1:9', 6, 'SERVER_UNREACHABLE'],
  ])('names a server that %s', async (_what, url, exit, error) => {
    const made = await paid();
    Object.assign(made.world.env, { BURSAR_SERVER_TOKEN: 'x' });
    const { code, err } = await made.run('--server', url, 'list');
    expect([code, err]).toEqual([exit, expect.stringContaining(error)]);
  });

  it.each([
    ['no JSON', 'hello\n', 'is no JSON object'],
    ['half a list', '{"about":{}}\n{"item":{}}\n', 'was cut off'],
    ['nothing', '', 'was cut off'],
    ['a list without its head', '{"item":{}}\n{"end":true}\n', 'begins with no list'],
  ])('takes %s for no result', async (_what, body, reason) => {
    const other = createServer((_request, response) => void response.end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closers.push(async () => other.close());
    const { port } = other.address() as AddressInfo;
    const made = await paid();
    Object.assign(made.world.env, { BURSAR_SERVER_TOKEN: 'x' });
    const server = ['--server', `http://127.0.0.1:${port}`];
    const { code, out } = await made.run(...server, 'rows', 'payroll', '-o', 'jsonl');
    expect([code, out]).toEqual([6, expect.stringContaining(reason)]);
  });
});

it('a server of an earlier version does not keep a command from its result', async () => {
  const older = createServer(({ url }, response) => {
    const isList = url?.startsWith('/v1/batches') === true;
    response.statusCode = isList ? 200 : 404;
    const note = { code: 'PATH_UNKNOWN', what: 'a', why: 'b', fix: 'c' };
    response.end(isList ? '{"about":{}}\n{"end":true}\n' : JSON.stringify(note));
  });
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  closers.push(async () => older.close());
  const { port } = older.address() as AddressInfo;
  const made = await paid();
  Object.assign(made.world.env, { BURSAR_SERVER_TOKEN: 'x' });
  const { code, err } = await made.run('--server', `http://127.0.0.1:${port}`, 'list');
  expect([code, err]).toEqual([0, expect.stringContaining('is older than this command')]);
});
