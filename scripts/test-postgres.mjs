// Runs the tests of the store, and the main scenarios, on PostgreSQL. The server is that of BURSAR_TEST_POSTGRES
// (postgres://USER@HOST/DATABASE, with the right to make databases), else one that this script starts and stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { startPostgres } from '../build/bench/support/postgres-server.js';
import { makeTestFolder } from '../test/support/jest/test-folder.mjs';

const TESTS = [
  'test/store',
  'test/chaos/tables.test.ts',
  'test/scenarios/pay-a-file.test.ts',
  'test/scenarios/resend.test.ts',
  'test/scenarios/approvals.test.ts',
  'test/scenarios/kill.test.ts',
  'test/scenarios/two-batches-one-balance.test.ts',
  'test/scenarios/killed-bridge.test.ts',
  'test/scenarios/schedules.test.ts',
];

process.exitCode = await main(process.argv.slice(2));

async function main(flags) {
  const given = process.env.BURSAR_TEST_POSTGRES;
  if (given !== undefined) return runJest(given, flags);
  const folder = makeTestFolder();
  const server = await startPostgres(folder);
  try {
    return await runJest(server.urlOf('postgres'), flags);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runJest(url, flags) {
  const jest = [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const args = [...jest, '--maxWorkers', '4', ...flags, '--', ...TESTS];
  const env = { ...process.env, BURSAR_TEST_POSTGRES: url };
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit');
  return code ?? 1;
}
