import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { makeKeyRing } from '../../src/config.ts';
import { startChild } from '../bridge/support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = new URL('../../src/codec-server/main.ts', import.meta.url);

// A process starts slowly on a busy machine.
jest.setTimeout(120_000);

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  makeKeyRing(join(folder, 'ring'), Date.now());
  env = {
    TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
    BURSAR_TEMPORAL_KEY_RING_FILE: 'ring',
    BURSAR_CODEC_LISTEN: '127.0.0.1:0',
  };
});

const LISTENING = 'codec server listening on ';

it('the codec server serves until SIGTERM, and prints no token', async () => {
  writeFileSync(join(folder, 'token'), `${'canary'.repeat(7)}\n`, { mode: 0o600 });
  const settings = { ...env, BURSAR_CODEC_TOKEN_FILE: 'token' };
  const server = startChild(MAIN, { cwd: folder, env: settings });
  const url = await server.line(LISTENING);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const headers = { 'x-namespace': 'default', 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: '{"payloads":[]}' };
  expect((await fetch(`${url}/${'canary'.repeat(7)}/decode`, request)).status).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.output()).not.toContain('canary');
});

it.each([
  ['without a key ring', { BURSAR_TEMPORAL_KEY_RING_FILE: '' }, 'SETTING_MISSING'],
  [
    'with tokens that others can read',
    { BURSAR_CODEC_TOKEN_FILE: 'open' },
    'CODEC_TOKEN_FILE_OPEN',
  ],
])('the codec server does not start %s', async (_what, other, code) => {
  writeFileSync(join(folder, 'open'), 'a'.repeat(43), { mode: 0o644 });
  const server = startChild(MAIN, { cwd: folder, env: { ...env, ...other } });
  await expect(server.line(LISTENING)).rejects.toThrow(code);
  expect(server.process.exitCode).toBe(2);
});
