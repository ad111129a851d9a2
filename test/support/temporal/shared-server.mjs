import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choosePorts } from '../../../build/src/local-stack/processes/ports.js';
import { startCliHosts } from '../cli/hosts.mjs';
import { findTemporalCli } from '../../../build/src/local-stack/temporal-cli/find.js';
import { startTemporal } from '../../../build/src/local-stack/temporal/server.js';

/** Starts the server and what runs commands; tells tests about them, and about the bundle, by environment variables. Returns how to end them. */
export async function startShared(root) {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'));
  if (process.env.BURSAR_RECORD_HISTORIES !== undefined) {
    process.env.BURSAR_GATHER_HISTORIES = join(folder, 'histories');
  }
  process.env.BURSAR_TEST_WORKFLOW_BUNDLE = join(root, 'build/workflow-bundle.js');
  const [server, stopHosts] = await Promise.all([startServer(folder), startCliHosts(folder)]);
  return async () => {
    stopHosts();
    await recordIfWanted();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** `npm run histories` asks for it; servers that tests start for themselves put theirs in the same folder. */
async function recordIfWanted() {
  const folder = process.env.BURSAR_RECORD_HISTORIES;
  const gathered = process.env.BURSAR_GATHER_HISTORIES;
  if (folder === undefined || gathered === undefined) return;
  const { gatherHistories, keepFewest } = await import('../../replay/record.mjs');
  await gatherHistories({
    address: process.env.BURSAR_TEST_TEMPORAL_ADDRESS,
    folder: gathered,
  });
  keepFewest({ gathered, folder });
}

async function startServer(folder) {
  const any = { name: 'Temporal', host: '127.0.0.1', port: 0 };
  const [grpc, ui] = await choosePorts([any, any], 'free');
  process.env.BURSAR_TEST_TEMPORAL_ADDRESS = `127.0.0.1:${grpc}`;
  return startTemporal({
    cli: await findTemporalCli({ env: process.env, say: console.error }),
    ports: { grpc, ui },
    dbFile: join(folder, 'temporal.db'),
    log: join(folder, 'temporal.log'),
    env: process.env,
  });
}
