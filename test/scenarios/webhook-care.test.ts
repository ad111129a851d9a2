import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { fakeReceiver } from '../activities/support/fake-receiver.ts';
import { eventually } from '../support/eventually.ts';
import { fatedRowMaker } from '../support/fated-rows.ts';
import { freePort } from '../support/free-port.ts';
import { requestsOf } from '../support/oracle.ts';
import { writeSample } from '../support/sample-file.ts';
import { sandboxAdmin } from '../support/sandbox-admin.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop());

/** Polls come too late for any test: what is learnt in time is learnt from webhooks. */
const NO_POLLS = { BURSAR_POLL_MIN_MS: '3600000', BURSAR_POLL_MAX_MS: '3600000' };

type Told = Readonly<{ id: string; type: string; data: Record<string, unknown> }>;

/** A stack without a subscription, and people who are told: by a webhook that is checked, and by a command. */
async function startWatched() {
  const folder = temporaryFolder();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const secretFile = join(folder, 'notify-secret');
  writeFileSync(secretFile, secret, { mode: 0o600 });
  const hook = await fakeReceiver();
  const log = join(folder, 'told.jsonl');
  const port = await freePort();
  stack = await startTestStack({
    folder,
    subscribed: false,
    env: {
      ...NO_POLLS,
      BURSAR_BRIDGE_LISTEN: `127.0.0.1:${port}`,
      BURSAR_BRIDGE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      BURSAR_WATCH_EVERY_MS: '200',
      BURSAR_NOTIFY_TARGETS: JSON.stringify([
        { name: 'ops', url: hook.url, secret_file: secretFile },
        { name: 'log', command: ['sh', '-c', `cat >> '${log}'; echo >> '${log}'`] },
      ]),
    },
  });
  return {
    stack,
    folder,
    /** What was told so far, each checked by the reference library. */
    told: (): Told[] =>
      hook.got.map(({ body, headers }) => ({
        id: String(headers['webhook-id']),
        ...(new Webhook(secret).verify(body, headers) as Omit<Told, 'id'>),
      })),
    logged: (): string[] =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Told).type),
  };
}

it('the subscription is made, watched, and its burst is caught after it was blocked', async () => {
  const { stack: running, folder, told, logged } = await startWatched();
  const admin = sandboxAdmin(running.sandboxUrl);
  const control = sandboxControl(running.sandboxUrl);
  const types = () => told().map(({ type }) => type);
  const untilTold = (type: string, times = 1) =>
    eventually(`${type} is told`, () =>
      types().filter((one) => one === type).length >= times ? true : undefined,
    );
  const condition = async () =>
    (await running.json('webhooks', 'status')).value['condition'] as string;

  await untilTold('webhooks.missing');
  const made = await running.json('webhooks', 'ensure');
  expect(made).toMatchObject({ code: 0, value: { act: 'create', condition: 'OK' } });
  const again = await running.json('webhooks', 'ensure');
  expect(again).toMatchObject({ code: 0, value: { act: 'nothing' } });
  await untilTold('webhooks.recovered');

  // The bridge is down: first a warning, then the service blocks.
  await running.stopOne('bridge');
  const announce = async (times: number, data: object = {}): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      await admin.post('events', { type: 'PAYOUT_CHANGE_STATUS', ...data });
    }
  };
  await announce(40);
  await untilTold('webhooks.near_block');
  expect(types()).not.toContain('webhooks.blocked');
  await announce(70);
  await untilTold('webhooks.blocked');
  expect(await condition()).toBe('BLOCKED');
  expect((await running.json('webhooks', 'ensure')).code).toBe(14);

  // Meanwhile a mass payout waits for a person, who ends it; nobody is told of it.
  await running.start('bridge');
  const file = join(folder, 'payroll.csv');
  writeSample(file, fatedRowMaker()(['0000', '0007']));
  const { batchId } = running;
  await running.bursar('submit', file, '--id', batchId, '--yes', '--detach');
  const payout = await eventually('the mass payout waits', async () => {
    const found = await control.massPayoutOf(batchId, 0);
    return found?.state === 'WAITING_COMPLETION_ERRORS' ? found : undefined;
  });
  await announce(300, { overrides: { id: payout.id } });
  await admin.post('mass-payouts/end-waiting', { id: payout.id });
  const readsBefore = (await requestsOf(running.sandboxUrl, 'MASS_GET')).length;

  // A person unblocks: hundreds of webhooks come at once, and few reads follow.
  const [subscription] = await control.subscriptions();
  await admin.post('webhooks/unblock', { id: subscription?.id });
  const ended = await running.json('watch', batchId);
  expect(ended.value['state']).toMatch(/COMPLETED|PARTIAL/);
  await eventually('every webhook is delivered', async () => {
    const [now] = await control.subscriptions();
    const { DELIVERED: delivered = 0, ...others } = now?.deliveries ?? {};
    const isDone = Object.values(others).every((count) => count === 0);
    return isDone && delivered > 400 ? true : undefined;
  });
  const reads = (await requestsOf(running.sandboxUrl, 'MASS_GET')).length - readsBefore;
  expect(reads).toBeLessThan(40);
  await untilTold('webhooks.recovered', 2);
  await untilTold('batch.completed');
  expect(await condition()).toBe('OK');

  const ids = told().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // The end of the batch and the health of the subscription are told by two that know nothing of each other.
  expect(types().filter((type) => type !== 'batch.completed')).toEqual([
    'webhooks.missing',
    'webhooks.recovered',
    'webhooks.near_block',
    'webhooks.blocked',
    'webhooks.recovered',
  ]);
  expect(types().filter((type) => type === 'batch.completed')).toHaveLength(1);
  await eventually('the log has it all', () => logged().length >= ids.length || undefined);
  expect(logged().sort()).toEqual(types().sort());
});

it('the doctor finds a whole set-up well, and a worker delivers its test', async () => {
  const { stack: running, told } = await startWatched();
  await running.bursar('webhooks', 'ensure');
  await eventually('housekeeping was seen', async () => {
    const { value } = await running.json('webhooks', 'status');
    return value['watch'] === null ? undefined : true;
  });
  const { code, value } = await running.json('doctor', '--send-test');
  const checks = value['checks'] as { name: string; result: string; says: string }[];
  const ill = checks.filter(({ name, result }) => result !== 'ok' && name !== 'disk space');
  expect(ill).toEqual([expect.objectContaining({ name: 'address of the bridge', result: 'warn' })]);
  expect(code).toBe(0);
  expect(checks.filter(({ name }) => name.startsWith('test of')).map(({ name }) => name)).toEqual([
    'test of log',
    'test of ops',
  ]);
  expect(told().map(({ type }) => type)).toContain('notify.test');
});
