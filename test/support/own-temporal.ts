import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { findTemporalCli } from '../../src/local-stack/temporal-cli/find.ts';
import { freePort } from './free-port.ts';

/** How long a server may take to come up on a busy machine, in milliseconds. */
const START_MS_MAX = 60_000;

export type OwnTemporal = Awaited<ReturnType<typeof startOwnTemporal>>;

/** A Temporal dev server with its database in a file, for tests that kill it or set it up in their own way. */
export async function startOwnTemporal(folder: string, ...extraArgs: string[]) {
  const cli = await findTemporalCli({ env: process.env, say: () => undefined });
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const args = [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--headless'],
    ...['--log-level', 'error', '--db-filename', join(folder, 'temporal.db')],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...extraArgs,
  ];
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(cli, args, { stdio: 'ignore' });
    await untilServing(address);
  };
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isGone()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    address,
    start,
    kill: () => end('SIGKILL'),
    async stop(): Promise<void> {
      if (!isGone()) await gatherIfWanted(address);
      await end('SIGTERM');
    },
  };
}

/** `npm run histories` asks for it. */
async function gatherIfWanted(address: string): Promise<void> {
  const folder = process.env['BURSAR_GATHER_HISTORIES'];
  if (folder === undefined) return;
  const { gatherHistories } = await import('../replay/record.mjs');
  await gatherHistories({ address, folder });
}

async function untilServing(address: string): Promise<void> {
  const deadline = Date.now() + START_MS_MAX;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '1s' });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      await connection.close();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
