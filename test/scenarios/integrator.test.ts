import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ROOT } from '../architecture/repository.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { expectRowsFitLedger } from '../support/row-outcomes.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';
import { startServe } from './support/served.ts';

jest.setTimeout(600_000);

/*
 * The project of examples/integrator as it stands, in a folder of its own. Its packages come from npm: without the registry the
 * tests are skipped, and fail where CI is set.
 */
const run = promisify(execFile);
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd });
const isOnline = await npm(ROOT, 'view', 'openapi-fetch@0.17.0', 'name').then(
  () => true,
  () => false,
);
const describeOnline =
  isOnline || process.env['CI'] !== undefined ? describe : (describe.skip as typeof describe);

let stack: TestStack;
let served: Awaited<ReturnType<typeof startServe>>;
let project: string;
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const receiverPort = await freePort();

/** Runs a program of the project. */
const example = (name: string, env: Readonly<Record<string, string>>, ...args: string[]) =>
  run(process.execPath, [`build/${name}.js`, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });

async function install(): Promise<void> {
  cpSync(join(ROOT, 'examples', 'integrator'), project, { recursive: true });
  await npm(project, 'install');
  symlinkSync(ROOT, join(project, 'node_modules', 'bursar'));
  const env = { ...process.env, BURSAR_SERVER: served.url };
  await run('npm', ['run', 'generate'], { cwd: project, env });
  await run('npm', ['run', 'build'], { cwd: project });
}

describeOnline('the example of an integrator, with the types of its OpenAPI document', () => {
  beforeAll(async () => {
    const folder = sharedFolder();
    const secretFile = join(folder, 'webhook-secret');
    writeFileSync(secretFile, secret, { mode: 0o600 });
    const url = `http://127.0.0.1:${receiverPort}`;
    stack = await startTestStack({
      folder,
      env: {
        BURSAR_SERVE_LISTEN: '127.0.0.1:0',
        BURSAR_NOTIFY_TARGETS: JSON.stringify([
          { name: 'integrator', url, secret_file: secretFile, events: ['batch.completed'] },
        ]),
      },
    });
    served = await startServe(stack.env, folder);
    project = join(folder, 'project');
    await install();
  });
  afterAll(async () => {
    await served?.stop();
    await stack?.stop();
  });

  it('pays rows by the library, and waits for their end', async () => {
    const batchId = newBatchId();
    const { stdout } = await example('pay-rows', stack.env, batchId);
    expect(stdout).toMatch(/COMPLETED: 2 of 2 paid\n$/);
    const { value } = await stack.json('status', batchId);
    expect(value).toMatchObject({ state: 'COMPLETED', rows: { total: 2, paid: 2 } });
    const paid = await ledgerWithdrawals(stack.sandboxUrl);
    expect(new Set(paid.map(({ amount, state }) => `${amount} ${state}`))).toEqual(
      new Set(['120.5 COMPLETED', '80 COMPLETED']),
    );
    expect(paid).toHaveLength(2);
  });

  it('pays a file over HTTP, and learns the end by a signed webhook', async () => {
    const batchId = newBatchId();
    const rows = sampleRows({ rows: 5, currencies: ['USDT_TRC20'] });
    const file = join(stack.folder, 'payroll.csv');
    writeSample(file, rows);
    const created = await stack.json('token', 'create', 'integrator', '--role', 'submit');
    const env = {
      BURSAR_SERVER: served.url,
      BURSAR_TOKEN: String(created.value['token']),
      BURSAR_WEBHOOK_SECRET: secret,
      PORT: String(receiverPort),
    };
    const paying = example('pay-over-http', env, file, batchId);
    const { stdout } = await paying;
    expect(stdout).toContain(`${batchId} is submitted\nbatch.completed `);
    const outcomes = await expectRowsFitLedger(
      stack.sandboxUrl,
      join(stack.folder, 'runs', batchId),
      rows,
    );
    expect(new Set(outcomes)).toEqual(new Set(['PAID']));
  });

  it('takes no notification that Bursar did not sign', async () => {
    const batchId = newBatchId();
    const file = join(stack.folder, 'other.csv');
    writeSample(file, sampleRows({ rows: 2, from: 50, currencies: ['USDT_TRC20'] }));
    await stack.stopOne('worker');
    const created = await stack.json('token', 'create', 'another', '--role', 'submit');
    const paying = example(
      'pay-over-http',
      {
        BURSAR_SERVER: served.url,
        BURSAR_TOKEN: String(created.value['token']),
        BURSAR_WEBHOOK_SECRET: secret,
        PORT: String(receiverPort),
      },
      file,
      batchId,
    );
    const body = JSON.stringify({ type: 'batch.completed', data: { batchId } });
    const forged = await forgedAnswer(body);
    expect(forged).toBe(401);
    await stack.start('worker');
    const { stdout } = await paying;
    expect(stdout).toContain('batch.completed ');
  });
});

/** The status for a notification with the signature of another secret, once the receiver listens. */
async function forgedAnswer(body: string): Promise<number> {
  const headers = {
    'webhook-id': 'msg_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
  };
  return eventually('the receiver answers', () =>
    fetch(`http://127.0.0.1:${receiverPort}`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => undefined,
    ),
  );
}
