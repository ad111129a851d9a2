import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { readTemporalCommand } from '../../src/local-stack/temporal/command.ts';
import { prepareNamespace } from '../../src/local-stack/temporal/namespace.ts';
import { type CommandEnd, runCommand } from '../support/cli/run-command.ts';
import { buildUrl } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startProcess, type TestProcess } from '../support/test-process.ts';

jest.setTimeout(300_000);

// Real processes: two accounts share a file of settings, a Temporal server and nothing else.
const BATCH = 'payroll';
const ACCOUNTS = {
  blocked: `0x${'0a'.repeat(20)}`,
  sound: `0x${'0b'.repeat(20)}`,
} as const;
type Account = keyof typeof ACCOUNTS;

const namespaceOf = (account: Account): string => `${account}-${run}`;
const run = randomUUID().slice(0, 8);
const folder = temporaryFolder();
const running: TestProcess[] = [];
let sandboxUrl: string;

const env = (account: Account): Record<string, string> => ({
  BURSAR_ACCOUNT: account,
  TEMPORAL_ADDRESS: sharedTemporal().address,
  TEMPORAL_CONFIG_FILE: join(folder, 'no-temporal.toml'),
  NO_COLOR: '1',
});

const settingsOf = (account: Account, baseUrl: string, bridge: number): string => `
[accounts.${account}.api]
base_url = "${baseUrl}"
key = "${account}-key"
secret_file = "${join(folder, `${account}-secret`)}"
account = "${ACCOUNTS[account]}"
[accounts.${account}.temporal]
namespace = "${namespaceOf(account)}"
[accounts.${account}.store]
url = "sqlite:${account}/store.db"
[accounts.${account}.blob]
url = "file:${account}/blobs"
[accounts.${account}.report]
dir = "${account}/runs"
[accounts.${account}.bridge]
token_file = "${account}/token"
listen = "127.0.0.1:${bridge}"
`;

async function start(program: string, ready: RegExp, own: Record<string, string>): Promise<void> {
  const module = fileURLToPath(buildUrl(`programs/${program}.js`));
  running.push(await startProcess({ module, env: own, ready, cwd: folder }));
}

beforeAll(async () => {
  const { searchAttributes } = readTemporalCommand();
  const ports = { sandbox: await freePort(), nothing: await freePort() };
  sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const nowhere = `http://127.0.0.1:${ports.nothing}`;
  writeFileSync(
    join(folder, 'bursar.toml'),
    settingsOf('blocked', nowhere, await freePort()) +
      settingsOf('sound', sandboxUrl, await freePort()),
  );
  for (const account of ['blocked', 'sound'] as const) {
    mkdirSync(join(folder, account));
    writeFileSync(join(folder, `${account}-secret`), `${account}-secret`, { mode: 0o600 });
    const namespace = namespaceOf(account);
    await prepareNamespace(sharedTemporal().address, { namespace, searchAttributes });
  }
  await start('sandbox', /sandbox listening on/, {
    BURSAR_SANDBOX_LISTEN: `127.0.0.1:${ports.sandbox}`,
    BURSAR_SANDBOX_STORE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
    BURSAR_SANDBOX_KEYS: `sound-key:sound-secret:${ACCOUNTS.sound}`,
    BURSAR_SANDBOX_STEP_MS: '50',
  });
  for (const account of ['blocked', 'sound'] as const) {
    await start('worker', /worker ready/, env(account));
  }
});
afterAll(async () => {
  for (const one of running.toReversed()) await one.stop();
});

const bursar = (account: Account, ...args: string[]): Promise<CommandEnd> =>
  runCommand({ args, env: env(account), cwd: folder });

/** Submits the same batch id for an account, with rows of its own. */
function submit(account: Account, from: number, ...flags: string[]): Promise<CommandEnd> {
  const file = join(folder, account, `${account}-people.csv`);
  writeSample(file, sampleRows({ rows: 4, from, currencies: ['USDT_TRC20'] }));
  return bursar(account, 'submit', file, '--id', BATCH, '--yes', ...flags);
}

/** The files below a folder that hold a text. */
const filesWith = (path: string, text: string): string[] =>
  (readdirSync(path, { recursive: true }) as string[]).filter((name) => {
    const file = join(path, name);
    return statSync(file).isFile() && readFileSync(file, 'latin1').includes(text);
  });

it('an account whose service is down slows no other one, and each sees its own batches alone', async () => {
  const waiting = await submit('blocked', 0, '--detach', '--no-preflight');
  expect([waiting.code, waiting.err]).toEqual([8, expect.any(String)]);
  const paid = await submit('sound', 10);
  expect([paid.code, paid.err]).toEqual([0, expect.any(String)]);
  expect(await ledgerWithdrawals(sandboxUrl)).toHaveLength(4);

  const listed = await bursar('sound', 'list', '-o', 'json');
  expect(JSON.parse(listed.out)).toMatchObject({
    batches: [{ batchId: BATCH, state: 'COMPLETED' }],
  });
  const other = JSON.parse((await bursar('blocked', 'list', '-o', 'json')).out) as {
    batches: { state: string }[];
  };
  expect(other.batches.map(({ state }) => state)).not.toContain('COMPLETED');
  expect(filesWith(join(folder, 'sound'), 'blocked-people')).toEqual([]);
  expect(filesWith(join(folder, 'blocked'), 'sound-people')).toEqual([]);
});

it('a command without an account is refused, and names both', async () => {
  const { BURSAR_ACCOUNT: _account, ...own } = env('sound');
  const { code, err } = await runCommand({ args: ['list'], env: own, cwd: folder });
  expect([code, err]).toEqual([2, expect.stringContaining('must be one of blocked, sound')]);
  const named = { args: ['--account-name', 'sound', 'list'], env: own, cwd: folder };
  expect(await runCommand(named)).toMatchObject({ code: 0 });
});
