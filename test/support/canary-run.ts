import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeKeyRing, readKeyRing } from '../../src/config.ts';
import { readWebhookSecret } from '../../src/config/webhook-secret.ts';
import { type FakeReceiver, fakeReceiver } from '../activities/support/fake-receiver.ts';
import { type Canary, canaryOf, watchCommandLines } from './canaries.ts';
import { buildUrl } from './child.ts';
import { eventually } from './eventually.ts';
import { fatedRowMaker } from './fated-rows.ts';
import { freePort } from './free-port.ts';
import { requestCount } from './oracle.ts';
import { readMetrics } from './read-metrics.ts';
import { type CollectedSpan, startSpanCollector } from './span-collector.ts';
import { startOwnTemporal } from './own-temporal.ts';
import { QUICK_FENCE } from './quick-fence.ts';
import { sandboxControl } from './sandbox-control.ts';
import { startProcess } from './test-process.ts';
import type { CommandEnd } from './cli/run-command.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

export const BATCH = 'payroll-2026-11';
const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';
const COMMENT = 'canary-of-a-comment';
const REFERENCE = 'CANARY-OF-A-REFERENCE';
const NAME = 'Canary Of A Name';
const NOTIFY_KEY = Buffer.from('canary-of-notifications-01234567');

/** Another run on this machine has other canaries, and may put them where these must not be. */
const RUN = randomBytes(6).toString('hex');

/** Secrets by what they are. Those of the webhooks and of the ring are made by the programs. */
export const SECRETS = {
  apiKey: `canary-of-the-api-key-${RUN}`,
  apiSecret: `canary-of-the-api-secret/${RUN}+u`,
  wrongSecret: `canary-of-a-wrong-secret-${RUN}`,
  bridgeToken: `canary_of_the_bridge_0123456789_${RUN}`,
  addressPassword: `canary-of-an-address-${RUN}`,
  codecToken: `canary_of_the_codec_server_0123456789_${RUN}`,
} as const;

/** Rows of which one fails, so that the batch ends PARTIAL. */
const ROWS = fatedRowMaker()(['0000', '0001', '0000', '0000', '0000', '0000', '0000', '0000']);

export type NamedEnd = CommandEnd & Readonly<{ name: string }>;

/** What was seen of a run in which all goes wrong. */
export type CanaryRun = Readonly<{
  folder: string;
  temporalAddress: string;
  secrets: readonly Canary[];
  /** Addresses, comments and references of the file. */
  personal: readonly Canary[];
  /** What the first row of the file pays to. */
  someAddress: string;
  /** Of the worker that was killed, the next one, bridge, sandbox and codec server. */
  logs: readonly string[];
  printed: readonly NamedEnd[];
  notifications: FakeReceiver['got'];
  /** The spans of worker and bridge, and the requests that brought them. */
  spans: readonly CollectedSpan[];
  spanRequests: readonly string[];
  /** The metrics of worker, bridge and codec server after the batch. */
  metrics: readonly string[];
  commandLines: readonly string[];
  /** Ends Temporal, the last one that runs. */
  stop(): Promise<void>;
}>;

/**
 * Plays a batch on a stack of its own whose every secret and row is a canary: a refusal, creates whose answers are lost, rows that
 * fail, a worker that is killed, strangers at every door, and commands with wrong secrets.
 */
export async function playCanaries(folder: string): Promise<CanaryRun> {
  const temporal = await startOwnTemporal(folder);
  const receiver = await fakeReceiver();
  const collector = await startSpanCollector();
  const logs: string[] = [];
  const printed: NamedEnd[] = [];
  const { stack, bridgeUrl, codecUrl } = await startEverything(folder, {
    temporalAddress: temporal.address,
    notifyUrl: receiver.url,
    collectorUrl: collector.url,
  });
  const codecServer = await startProcess({
    module: fileURLToPath(buildUrl('programs/codec-server.js')),
    cwd: folder,
    env: stack.env,
    ready: /codec server listening on/,
  });
  const watched = watchCommandLines();
  const metrics: string[] = [];
  const run = async (...args: string[]): Promise<CommandEnd> => {
    const end = await stack.bursar(...args);
    printed.push({ name: args[0] ?? '', ...end });
    return end;
  };
  try {
    await run('webhooks', 'ensure');
    logs.push(await payBadly(stack, run));
    await annoyServers(bridgeUrl, codecUrl);
    await askAround(run);
    printed.push(...(await mistakeSecrets(stack)));
    printed.push(...(await mistakeAddresses(stack)));
    const outputs = [stack.output('worker'), stack.output('bridge'), codecServer.output()];
    for (const output of outputs) metrics.push(await readMetrics(output));
  } finally {
    await stack.stop();
    await codecServer.stop();
    await collector.stop();
  }
  for (const name of ['worker', 'bridge', 'sandbox'] as const) logs.push(stack.output(name));
  logs.push(codecServer.output());
  return {
    folder,
    temporalAddress: temporal.address,
    logs,
    printed,
    secrets: secretCanaries(folder),
    personal: [
      ...ROWS.map(({ address }, at) => canaryOf(`address ${at}`, address)),
      canaryOf('comment', COMMENT),
      canaryOf('reference', REFERENCE),
      canaryOf('name', NAME),
    ],
    someAddress: ROWS[0]?.address ?? '',
    notifications: receiver.got,
    spans: collector.spans(),
    spanRequests: collector.bodies(),
    metrics,
    commandLines: watched.stop(),
    stop: () => temporal.stop(),
  };
}

function privateFile(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

type Servers = Readonly<{ temporalAddress: string; notifyUrl: string; collectorUrl: string }>;

async function startEverything(
  folder: string,
  { temporalAddress, notifyUrl, collectorUrl }: Servers,
) {
  const [bridge, codec] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const ring = join(folder, 'key-ring');
  makeKeyRing(ring, Date.now());
  privateFile(folder, 'bridge-token', SECRETS.bridgeToken);
  const notifyKey = privateFile(folder, 'notify-key', `whsec_${NOTIFY_KEY.toString('base64')}`);
  const stack = await startTestStack({
    folder,
    temporalAddress,
    subscribed: false,
    env: {
      ...QUICK_FENCE,
      BURSAR_LOG_LEVEL: 'debug',
      BURSAR_ADMIN_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
      BURSAR_BATCH_CHUNK_ROWS: '2',
      BURSAR_API_KEY: SECRETS.apiKey,
      BURSAR_API_SECRET_FILE: privateFile(folder, 'api-secret', SECRETS.apiSecret),
      BURSAR_API_ACCOUNT: ACCOUNT,
      BURSAR_SANDBOX_KEYS: `${SECRETS.apiKey}:${SECRETS.apiSecret}:${ACCOUNT}`,
      // Slow enough that the worker can be killed while creates are on their way.
      BURSAR_SANDBOX_DELAY_MS_CREATE: '300',
      BURSAR_BRIDGE_LISTEN: bridge,
      BURSAR_BRIDGE_PUBLIC_URL: `http://${bridge}`,
      BURSAR_CODEC_LISTEN: codec,
      BURSAR_CODEC_TOKEN_FILE: privateFile(folder, 'codec-token', SECRETS.codecToken),
      BURSAR_TEMPORAL_KEY_RING_FILE: ring,
      BURSAR_NOTIFY_TARGETS: JSON.stringify([
        { name: 'ops', url: notifyUrl, secret_file: notifyKey },
      ]),
    },
  });
  return { stack, bridgeUrl: `http://${bridge}`, codecUrl: `http://${codec}` };
}

type Run = (...args: string[]) => Promise<CommandEnd>;

/** Answers with what the worker wrote that was killed. */
async function payBadly(stack: TestStack, run: Run): Promise<string> {
  const lines = ROWS.map(
    ({ address, amount, currency }, at) =>
      `${address},${amount},${currency},${COMMENT},${REFERENCE}-${at},${NAME}`,
  );
  const file = join(stack.folder, 'payroll.csv');
  writeFileSync(file, ['address,amount,currency,comment,reference,name', ...lines, ''].join('\n'));
  const control = sandboxControl(stack.sandboxUrl);
  for (const fault of [
    { kind: 'accept-then-drop' },
    { kind: 'status', httpStatus: 400 },
    { kind: 'status', httpStatus: 500, page: 'html' },
  ]) {
    await control.fault({ target: 'MASS_CREATE', next: 1, ...fault });
  }
  const submitted = run('submit', file, '--id', BATCH, '--yes');
  await eventually('a create arrives', async () =>
    (await requestCount(stack.sandboxUrl, 'MASS_CREATE')) > 0 ? true : undefined,
  );
  await stack.kill('worker');
  const log = stack.output('worker');
  await stack.start('worker');
  await submitted;
  const fired = await control.fired();
  if (fired !== 3) throw new Error(`only ${fired} of 3 faults have fired`);
  return log;
}

/** Strangers, and mistakes, at every door. */
async function annoyServers(bridgeUrl: string, codecUrl: string): Promise<void> {
  const expectStatus = async (
    status: number,
    url: string,
    { body, headers }: Readonly<{ body: string; headers?: Record<string, string> }>,
  ): Promise<void> => {
    const type = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body });
    if (answer.status !== status) throw new Error(`${url}: ${answer.status} and not ${status}`);
  };
  const forged = JSON.stringify({ id: ROWS[0]?.address, comment: COMMENT });
  const hook = `${bridgeUrl}/hooks/${SECRETS.bridgeToken}`;
  await expectStatus(404, `${hook}x`, { body: forged });
  await expectStatus(200, hook, { body: forged, headers: { sign: 'deadbeef' } });
  await expectStatus(200, hook, { body: `not JSON ${ROWS[1]?.address}` });
  const codec = `${codecUrl}/${SECRETS.codecToken}`;
  const headers = { 'x-namespace': 'default', origin: 'http://127.0.0.1:8233' };
  const body = JSON.stringify({ payloads: [{ data: Buffer.from(COMMENT).toString('base64') }] });
  await expectStatus(200, `${codec}/encode`, { body, headers });
  await expectStatus(404, `${codec}x/encode`, { body, headers });
  const elsewhere = { ...headers, origin: 'http://evil.example' };
  await expectStatus(403, `${codec}/encode`, { body, headers: elsewhere });
}

/** Everything that a person may ask for without asking for rows. */
async function askAround(run: Run): Promise<void> {
  for (const args of [
    ...[['status', BATCH], ['list'], ['report', BATCH], ['funds'], ['webhooks', 'status']],
    ...[['support-bundle', BATCH], ['audit', BATCH], ['keys', 'ring'], ['doctor']],
    ['api', 'balance'],
  ]) {
    const { code, err } = await run(...args);
    if ([1, 2].includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
  }
}

/** A secret in a file that others can read, and one that is wrong. */
async function mistakeSecrets(stack: TestStack): Promise<NamedEnd[]> {
  const openFile = join(stack.folder, 'open-secret');
  writeFileSync(openFile, SECRETS.wrongSecret, { mode: 0o644 });
  const ask = (file: string) =>
    stack.bursarWith({ BURSAR_API_SECRET_FILE: file }, 'api', 'balance');
  const refused = await ask(openFile);
  rmSync(openFile);
  const unsigned = await ask(privateFile(stack.folder, 'wrong-secret', SECRETS.wrongSecret));
  return [
    { name: 'open secret', ...refused },
    { name: 'wrong secret', ...unsigned },
  ];
}

/** Addresses that hold a user name and a password. Programs refuse or mask them. */
async function mistakeAddresses(stack: TestStack): Promise<NamedEnd[]> {
  const user = `ann:${SECRETS.addressPassword}@`;
  const target = { name: 'ops', url: `https://${user}127.0.0.1:9`, secret_file: 'notify-key' };
  const cases: Readonly<Record<string, string>>[] = [
    { BURSAR_STORE_URL: `postgres://${user}127.0.0.1:9/bursar` },
    { BURSAR_STORE_URL: `sqlite://${user}127.0.0.1:9/bursar` },
    { BURSAR_BLOB_URL: `file://${user}127.0.0.1/blobs` },
    { BURSAR_API_BASE_URL: `https://${user}127.0.0.1:9` },
    { BURSAR_BRIDGE_PUBLIC_URL: `https://${user}127.0.0.1:9` },
    { BURSAR_TEMPORAL_UI_URL: `https://${user}127.0.0.1:9` },
    { BURSAR_NOTIFY_TARGETS: JSON.stringify([target]) },
    { TEMPORAL_ADDRESS: `${user}127.0.0.1:9` },
    { TEMPORAL_ADDRESS: `http://${user}127.0.0.1:9` },
  ];
  const printed: NamedEnd[] = [];
  for (const one of cases) {
    const [variable = ''] = Object.keys(one);
    for (const command of [
      ['doctor'],
      ['list', '--debug'],
      ['status', 'no-such-batch', '--debug'],
    ]) {
      const end = await stack.bursarWith(one, ...command);
      printed.push({ name: `${variable} ${command[0]}`, ...end });
    }
  }
  return printed;
}

const secretCanaries = (folder: string): Canary[] => [
  ...Object.entries(SECRETS).map(([name, value]) => canaryOf(name, value)),
  canaryOf('notifyKey', NOTIFY_KEY),
  canaryOf('webhookSecret', readWebhookSecret(join(folder, 'bridge-token')) ?? ''),
  canaryOf('ringKey', readKeyRing(join(folder, 'key-ring'))[0].key),
];
