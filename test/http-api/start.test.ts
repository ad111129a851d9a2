import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readSettings } from '../../src/config.ts';
import { startHttpApi } from '../../src/start-http-api.ts';
import { fakeWorld } from '../cli/support/fake-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Asks a started server for a challenge, from a page. */
async function challengeAt(
  env: Readonly<Record<string, string>>,
  pageOf: (port: string) => string,
) {
  const { world } = fakeWorld({ cwd: temporaryFolder() });
  const settings = readSettings({
    env: { BURSAR_SERVE_LISTEN: '127.0.0.1:0', BURSAR_LOG_LEVEL: 'error', ...env },
    cwd: world.cwd,
  });
  const api = await startHttpApi(world, settings);
  try {
    const origin = pageOf(new URL(api.url).port);
    const answer = await fetch(`${api.url}/v1/session/challenge`, {
      method: 'POST',
      headers: { origin },
    });
    return [answer.status, await answer.json()] as const;
  } finally {
    await api.close();
  }
}

const here = (port: string): string => `http://localhost:${port}`;

it('a server on this machine lets people sign in under the name of this machine', async () => {
  const [status, challenge] = await challengeAt({}, here);
  expect([status, challenge]).toMatchObject([200, { rpId: 'localhost' }]);
  expect(await challengeAt({}, (port) => `http://127.0.0.1:${port}`)).toMatchObject([
    403,
    { code: 'ORIGIN_WRONG', fix: expect.stringContaining('http://localhost:') },
  ]);
});

it('a server with an address of its own lets people sign in there alone', async () => {
  const env = { BURSAR_SERVE_ORIGIN: 'https://pay.example.com' };
  const [status, challenge] = await challengeAt(env, () => 'https://pay.example.com');
  expect([status, challenge]).toMatchObject([200, { rpId: 'pay.example.com' }]);
  expect(await challengeAt(env, here)).toMatchObject([403, { code: 'ORIGIN_WRONG' }]);
});

it('a server on all addresses lets nobody sign in until it has an address', async () => {
  const answer = await challengeAt({ BURSAR_SERVE_LISTEN: '0.0.0.0:0' }, here);
  expect(answer).toMatchObject([409, { code: 'WEB_ORIGIN_MISSING' }]);
});

it.each([
  [0o600, { name: 'login.example.com' }],
  [0o644, 'SECRET_FILE_OPEN'],
] as const)(
  'a server reads the secret of its provider, of mode %o, when it starts',
  async (mode, is) => {
    const { world } = fakeWorld({ cwd: temporaryFolder() });
    const file = join(world.cwd, 'oidc-secret');
    writeFileSync(file, 'secret\n', { mode });
    const env = {
      BURSAR_SERVE_LISTEN: '127.0.0.1:0',
      BURSAR_LOG_LEVEL: 'error',
      BURSAR_SERVE_OIDC_ISSUER: 'https://login.example.com',
      BURSAR_SERVE_OIDC_CLIENT_ID: 'bursar',
      BURSAR_SERVE_OIDC_CLIENT_SECRET_FILE: file,
    };
    const start = () => startHttpApi(world, readSettings({ env, cwd: world.cwd }));
    if (typeof is === 'string') return expect(start()).rejects.toMatchObject({ code: is });
    const api = await start();
    const answer: unknown = await (await fetch(`${api.url}/v1/session/oidc`)).json();
    await api.close();
    expect(answer).toMatchObject(is);
  },
);
