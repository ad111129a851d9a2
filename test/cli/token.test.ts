import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hashOfToken, readTokens } from '../../src/app/tokens/tokens.ts';
import { REPOSITORY } from '../local-stack/support/folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const FILE = '.bursar/api-tokens.json';

describe('bursar token', () => {
  it('prints a new token once, and keeps its hash where only its owner can read it', async () => {
    const made = fakeWorld({ cwd: temporaryFolder() });
    const args = ['payroll-backend', '--role', 'submit', '--expires', '90d'];
    const { code, value } = await made.json('token', 'create', ...args);
    const { token } = value as { token: string };
    expect([code, value]).toEqual([
      0,
      {
        schema: 'bursar.token/v1',
        name: 'payroll-backend',
        role: 'submit',
        account: null,
        createdAt: '2026-11-21T09:00:00.000Z',
        expiresAt: '2027-02-19T09:00:00.000Z',
        token: expect.stringMatching(/^bursar_[\w-]{43}$/),
      },
    ]);
    const path = join(made.world.cwd, FILE);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(token);
    expect(text).toContain(hashOfToken(token));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('lists tokens without hashes, and revokes one by its name', async () => {
    const made = fakeWorld({ cwd: temporaryFolder() });
    await made.run('token', 'create', 'one');
    await made.run('token', 'create', 'two', '--role', 'operate');
    const { out } = await made.run('token', 'list');
    expect(out).toContain('two                       operate   -             never');
    expect(await made.json('token', 'revoke', 'one')).toEqual({
      code: 0,
      value: { schema: 'bursar.token-revoke/v1', name: 'one', role: 'read' },
    });
    const { value } = await made.json('token', 'list');
    expect(value).toMatchObject({ tokens: [{ name: 'two' }] });
    expect(JSON.stringify(value)).not.toContain('sha256');
    expect((await made.run('token', 'list')).out).not.toContain('one');
  });

  it.each([
    [['create', 'one'], 2, 'TOKEN_NAME_TAKEN'],
    [['create', 'One'], 2, 'FLAG_INVALID'],
    [['create', 'three', '--role', 'approve'], 2, 'FLAG_INVALID'],
    [['revoke', 'nobody'], 5, 'TOKEN_NOT_FOUND'],
  ])('refuses %j', async (args, exit, error) => {
    const made = fakeWorld({ cwd: temporaryFolder() });
    await made.run('token', 'create', 'one');
    const { code, value } = await made.json('token', ...args);
    expect([code, value['code']]).toEqual([exit, error]);
  });

  it('refuses a file that others can read, or that it did not write', async () => {
    const made = fakeWorld({ cwd: temporaryFolder() });
    await made.run('token', 'create', 'one');
    const path = join(made.world.cwd, FILE);
    writeFileSync(path, '{"tokens": "none"}');
    expect((await made.json('token', 'list')).value).toMatchObject({
      code: 'TOKEN_FILE_UNREADABLE',
    });
    chmodSync(path, 0o644);
    expect((await made.json('token', 'list')).value).toMatchObject({ code: 'TOKEN_FILE_OPEN' });
  });
});

it('tokens that several commands make at once are all there', async () => {
  const { cwd } = fakeWorld({ cwd: temporaryFolder() }).world;
  const names = Array.from({ length: 6 }, (_, at) => `program-${at}`);
  await Promise.all(names.map((name) => commandIn(cwd, 'token', 'create', name)));
  const tokens = readTokens(join(cwd, FILE)).map(({ name }) => name);
  expect(tokens.sort()).toEqual(names);
});

async function commandIn(cwd: string, ...args: string[]): Promise<void> {
  const starter = join(REPOSITORY, 'build/src/starter.js');
  const program = spawn(process.execPath, [starter, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(program, 'exit')).toEqual([0, null]);
}
