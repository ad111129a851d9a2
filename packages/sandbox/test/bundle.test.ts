import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { createClient } from './support/client.ts';
import { onCleanup, temporaryFolder } from './support/start.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/bundle-sandbox.mjs', import.meta.url));

const MEGABYTES_MAX = 30;

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0);

it('the bundled sandbox runs without the repository, has its console, and is small', async () => {
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  execFileSync(process.execPath, [SCRIPT, folder]);
  expect(sizeOf(folder) / 1_000_000).toBeLessThan(MEGABYTES_MAX);
  const child = spawn(process.execPath, [join(folder, 'bursar-sandbox.mjs')], {
    cwd: elsewhere,
    env: { BURSAR_SANDBOX_LISTEN: '127.0.0.1:0' },
  });
  onCleanup(async () => void child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve) => {
    child.stdout.on('data', (text: Buffer) => resolve(text.toString('utf8')));
    child.on('close', () => resolve('it ended'));
  });
  const url = /^sandbox listening on (\S+)\n/.exec(line)?.[1] ?? '';
  const client = createClient(url, () => Date.now());
  expect((await client.call('ACCOUNT')).status).toBe(200);
  const page = await client.get('/sandbox/console');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>')]);
  expect((await client.get('/sandbox/console/main.js')).status).toBe(200);
});
