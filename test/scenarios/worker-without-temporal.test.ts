import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import { buildUrl } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WORKER = fileURLToPath(buildUrl('programs/worker.js'));

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** A worker that is told to find Temporal at an address. */
function startWorker(address: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), 'test-secret', { mode: 0o600 });
  const child = spawn(process.execPath, [WORKER], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TEMPORAL_ADDRESS: address,
      BURSAR_API_BASE_URL: 'http://127.0.0.1:1',
      BURSAR_API_KEY: 'test-key',
      BURSAR_API_SECRET_FILE: 'secret',
      BURSAR_API_ACCOUNT: `0x5a4db0c5${'0'.repeat(31)}1`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  child.stderr.on('data', (text) => {
    printed += String(text);
  });
  /** The exit code, or the signal that ended it. */
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, ended, printed: () => printed };
}

it.each(['http://ann:hidden-word@127.0.0.1:7233', 'http://127.0.0.1:7233', 'local host:7233'])(
  'a worker refuses the address %s of Temporal, and shows no password',
  async (address) => {
    const { ended, printed } = startWorker(address);
    expect(await ended).toBe(2);
    expect(printed()).toContain('SETTINGS_INVALID');
    expect(printed()).toContain('TEMPORAL_ADDRESS');
    expect(printed()).not.toContain('hidden-word');
  },
);

it('a worker reports that Temporal does not answer, waits, and stops on a signal', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { child, ended, printed } = startWorker(`127.0.0.1:${port}`);
  await eventually('it says so', () =>
    printed().includes(`waiting for Temporal at 127.0.0.1:${port}`) ? true : undefined,
  );
  child.kill('SIGTERM');
  expect(await ended).toBe('SIGTERM');
  for (const socket of sockets) socket.destroy();
  server.close();
});
