import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServiceAccess } from '../../src/operations/context.ts';
import { checkNode } from '../../src/doctor/machine-checks.ts';
import { checkApproval } from '../../src/doctor/people-checks.ts';
import type {
  NamespaceClient,
  NamespaceFacts,
} from '../../src/operations/engine/namespace-client.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contract/names.ts';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { MerchantApiError, type ProbeChoices, type ProbeReport } from '@bursar/merchant-api';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { secretString } from '../../packages/merchant-api/src/secret-string.ts';
import { startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { publicKeyOf } from '../support/approvers.ts';
import { writeKeyFile } from '../support/signing-people.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeApi } from './support/fake-api.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld, NOW, type WorldOptions } from './support/fake-world.ts';

const DAY_MS = 86_400_000;
const TOKEN = 'tokentokentokentokentokentokentoken';

type FoundCheck = Readonly<{ name: string; result: string; says: string; fix: string | null }>;

let folder: string;
let health: object;
let closeBridge: () => Promise<void>;
let bridgePort: number;
beforeEach(async () => {
  folder = temporaryFolder();
  health = { status: 'ok', temporal: 'up', spoolWaiting: 0 };
  const server = createServer((_request, response) => void response.end(JSON.stringify(health)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  bridgePort = (server.address() as AddressInfo).port;
  closeBridge = () => new Promise((resolve) => void server.close(() => resolve()));
  write('secret', 'canary-secret');
  write('token', TOKEN);
});
afterEach(() => closeBridge());

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const facts = (more: Partial<NamespaceFacts> = {}): NamespaceFacts => ({
  address: '127.0.0.1:7233',
  namespace: 'default',
  retentionMs: 90 * DAY_MS,
  searchAttributes: new Map(Object.entries(SEARCH_ATTRIBUTES)),
  workers: { workflows: true, activities: true },
  served: undefined,
  stuck: [],
  access: { isLocal: true, hasTls: false, isOpen: true },
  ...more,
});

const desk = (more: Partial<NamespaceFacts> = {}, calls = async () => true): NamespaceClient => ({
  read: async () => facts(more),
  callHousekeeping: calls,
  close: async () => undefined,
});

const service = (more: Partial<ServiceAccess['api']> = {}): ServiceAccess =>
  fakeService({
    ...fakeApi().api,
    listWebhookSubscriptions: async () => ({
      value: {
        subscriptions: [
          {
            requestId: 'r1',
            notificationEventTypes: ['PAYOUT_CHANGE_STATUS'],
            url: `https://hooks.example/hooks/${TOKEN}`,
            publicKey: 'p',
            secretKey: secretString('canary-secret'),
            createdDate: NOW,
            enabled: true,
            blockedByErrorCount: false,
            errorCount: 0,
          },
        ],
        unreadableParts: [],
      },
      httpStatus: 200,
      timestampMs: 1,
      bodySha256: 'b',
    }),
    ...more,
  });

/** A service that is as the settings have it. */
const GOOD_PROBE: ProbeReport = {
  shapes: { massGetAccepts: 'reference', accountIn: 'most' },
  endpoints: DEFAULT_ENDPOINTS,
  findings: [],
  open: [],
  forbidden: [],
  requests: 24,
};

const LACKING = { point: 'FEE_CALCULATION', value: 'not served', by: 'status 404' };
const UNCLEAR = { point: 'WALLET_LIST', cost: 'Payments to own wallets are not found.' };

/** A service without LOOKUP that takes keys alone in MASS_GET. */
const KEYS_ALONE: Partial<ProbeReport> = {
  shapes: { massGetAccepts: 'key-only' },
  endpoints: { MASS_GET: '/api/v1/payout/mass', LOOKUP: '' },
};

/** A set-up whose service was probed with another result. */
const probed = (report: Partial<ProbeReport>): Setup => ({
  open: { probe: async () => ({ ...GOOD_PROBE, ...report }) },
});

/** Every batch needs an approval of bob. */
const POLICY = {
  BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '0', approvals: 1, roles: [] }]),
  BURSAR_APPROVAL_PEOPLE: JSON.stringify([{ name: 'bob', public_key: publicKeyOf('bob') }]),
};

const NO_POLICY = { BURSAR_APPROVAL_TIERS: '[]', BURSAR_APPROVAL_PEOPLE: '[]' };

type Setup = Omit<Partial<WorldOptions>, 'cwd'> &
  Readonly<{ namespace?: () => Promise<NamespaceClient>; housekeepingAgoMs?: number | null }>;

/** A set-up in which all is well, but for what a test changes. */
async function examine(
  { namespace, housekeepingAgoMs = 1_000, ...more }: Setup,
  ...args: string[]
) {
  const world = fakeWorld({
    cwd: folder,
    service: service(),
    ...more,
    open: {
      namespace: namespace ?? (async () => desk()),
      probe: async () => GOOD_PROBE,
      ...more.open,
    },
    env: {
      BURSAR_API_BASE_URL: 'https://service.test',
      BURSAR_API_KEY: 'k',
      BURSAR_API_SECRET_FILE: join(folder, 'secret'),
      BURSAR_BRIDGE_LISTEN: `127.0.0.1:${bridgePort}`,
      BURSAR_BRIDGE_PUBLIC_URL: 'https://hooks.example',
      BURSAR_BRIDGE_TOKEN_FILE: join(folder, 'token'),
      ...POLICY,
      ...more.env,
    },
  });
  if (housekeepingAgoMs !== null) {
    const store = await world.store();
    const atMs = Date.parse(NOW) - housekeepingAgoMs;
    await store.watches.note('housekeeping', { condition: 'OK', atMs, detail: '' });
    await store.close();
  }
  const { code, value } = await world.json('doctor', ...args);
  const checks = value['checks'] as FoundCheck[];
  return {
    world,
    code,
    result: value['result'],
    checks,
    of: (name: string) => checks.find((check) => check.name === name),
    /** Those that are not well, but for what the machine of the test is like. */
    ill: checks
      .filter(({ name, result }) => result !== 'ok' && name !== 'disk space')
      .map(({ name, result }) => [name, result]),
  };
}

const refused = (httpStatus: number, documented: boolean) => () =>
  Promise.reject(new MerchantApiError('refused', { operation: 'LOOKUP', httpStatus, documented }));

describe('the doctor', () => {
  it('finds nothing where all is well, and prints no secret', async () => {
    const { code, result, checks, ill, world } = await examine({});
    expect(ill).toEqual([]);
    expect(code).toBe(0);
    expect(result).toMatch(/ok|warn/);
    expect(checks.map(({ name }) => name)).toEqual([
      'Node.js',
      'settings',
      'secret',
      'copies of files',
      'reports',
      'temporary files',
      'disk space',
      'private files',
      'store',
      'folder of schedules',
      'Temporal',
      'retention',
      'search attributes',
      'worker',
      'connection to Temporal',
      'access to Temporal',
      'payloads',
      'identity of the store',
      'housekeeping',
      'bridge',
      'address of the bridge',
      'service',
      'account',
      'clock',
      'operations',
      'webhook subscription',
      'approval',
      'notifications',
    ]);
    const { out, err } = await world.run('doctor');
    expect(out).toMatch(/Everything works|with warnings/);
    expect(`${out}${err}${JSON.stringify(checks)}`).not.toMatch(/canary-secret|tokentoken/);
  });

  it('sees schedules that are paused in Temporal alone, or unknown there, and holidays that end soon', async () => {
    const { world } = await examine({ env: NO_POLICY });
    write('days.txt', '2026-12-25 Christmas\n');
    write('years.txt', '2026-12-25 Christmas\n2027-12-25 Christmas\n');
    const rule = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'a.csv', '--yes'];
    const create = (id: string, ...more: string[]) =>
      world.run('schedule', 'create', id, ...rule, ...more);
    const found = async () => {
      const checks = (await world.json('doctor')).value['checks'] as FoundCheck[];
      return checks.filter(({ name }) => name === 'schedules');
    };
    await create('well', '--shift', 'before', '--holidays', 'years.txt');
    await create('held');
    await world.run('schedule', 'pause', 'held', '--note', 'an audit');
    expect(await found()).toMatchObject([
      { result: 'ok', says: '2 schedules, active or paused as in the store' },
    ]);
    await create('ending', '--shift', 'before', '--holidays', 'days.txt');
    await create('stopped');
    await create('lost');
    Object.assign(world.engine.timetables.get('stopped') ?? {}, { paused: true });
    world.engine.timetables.delete('lost');
    expect((await found()).map(({ result, says }) => [result, says])).toEqual([
      [
        'warn',
        'the holidays of ending (days.txt) are known until 2026-12-25. Later runs do not move',
      ],
      ['warn', 'Temporal does not have lost: no run begins'],
      ['warn', 'stopped is paused in Temporal, and not by Bursar: no run begins'],
    ]);
    world.engine.isDown = true;
    expect(await found()).toMatchObject([{ says: expect.stringContaining('holidays of ending') }]);
  });

  it('sees that nothing can be planned where no temporary file can be written', async () => {
    const { code, checks } = await examine({ temporaryDir: '/nowhere' });
    expect(code).toBe(2);
    expect(checks.find(({ name }) => name === 'temporary files')).toMatchObject({
      result: 'fail',
      says: '/nowhere is missing, or cannot be written',
      fix: 'Make /nowhere, or name another folder with TMPDIR.',
    });
  });

  it('has a fix for each fault', async () => {
    const { checks } = await examine({
      env: { BURSAR_API_SECRET_FILE: '/nowhere', BURSAR_BRIDGE_PUBLIC_URL: '' },
      namespace: async () => desk({ searchAttributes: new Map(), retentionMs: DAY_MS }),
      housekeepingAgoMs: null,
    });
    const ill = checks.filter(({ result }) => result !== 'ok');
    expect(ill.length).toBeGreaterThan(4);
    for (const { fix } of ill) expect(fix).toMatch(/\S.{10,}/);
  });

  it('runs every other check when one fails', async () => {
    const down = new BursarError('TEMPORAL_UNREACHABLE', { address: 'x:7233', reason: 'down' });
    const { of, code } = await examine({ namespace: () => Promise.reject(down) });
    expect(of('Temporal')).toMatchObject({ result: 'fail', says: down.note.what });
    expect(of('service')?.result).toBe('ok');
    expect(code).toBe(6);
  });

  it('stops at settings that cannot be used', async () => {
    const { checks, code } = await examine({
      env: { BURSAR_API_RESEND: 'always' },
      housekeepingAgoMs: null,
    });
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ['Node.js', 'ok'],
      ['settings', 'fail'],
    ]);
    expect(code).toBe(2);
  });

  it('ends with the exit code of the first failed check', async () => {
    const down = new BursarError('TEMPORAL_UNREACHABLE', { address: 'x', reason: 'down' });
    const both = await examine({
      namespace: () => Promise.reject(down),
      env: { BURSAR_API_SECRET_FILE: '/nowhere' },
    });
    expect(both.code).toBe(2);
    const wrongKey = await examine({ service: service({ readBalance: refused(401, true) }) });
    expect(wrongKey.code).toBe(4);
    const noWorker = { workflows: true, activities: false };
    expect((await examine({ namespace: async () => desk({ workers: noWorker }) })).code).toBe(6);
  });

  it.each<[string, Setup, string, string]>([
    ['an odd setting', { env: { BURSAR_BASE: 'x' } }, 'settings', 'warn'],
    [
      'a short memory',
      { namespace: async () => desk({ retentionMs: DAY_MS }) },
      'retention',
      'warn',
    ],
    [
      'an unknown memory',
      { namespace: async () => desk({ retentionMs: null }) },
      'retention',
      'warn',
    ],
    [
      'attributes that may not be read',
      { namespace: async () => desk({ searchAttributes: null }) },
      'search attributes',
      'warn',
    ],
    ['no rounds yet', { housekeepingAgoMs: null }, 'housekeeping', 'warn'],
    ['rounds of long ago', { housekeepingAgoMs: 301_000 }, 'housekeeping', 'warn'],
    [
      'no outside address',
      { env: { BURSAR_BRIDGE_PUBLIC_URL: '' } },
      'address of the bridge',
      'warn',
    ],
    [
      'an open address',
      { env: { BURSAR_BRIDGE_PUBLIC_URL: 'http://hooks.example' } },
      'address of the bridge',
      'warn',
    ],
    ['a clock that is off', { service: service({ clockSkewMs: () => 30_000 }) }, 'clock', 'warn'],
    [
      'a clock that is far off',
      { service: service({ clockSkewMs: () => -90_000 }) },
      'clock',
      'fail',
    ],
    ['no clock', { service: service({ clockSkewMs: () => undefined }) }, 'clock', 'warn'],
    [
      'no reads of mass payouts',
      probed({ shapes: {}, endpoints: { LOOKUP: '' } }),
      'operations',
      'fail',
    ],
    [
      'a stated shape in which nothing can be read, without LOOKUP',
      {
        ...probed({
          shapes: { massGetAccepts: 'flat-id-only' },
          endpoints: { MASS_GET: '/api/v1/payout/mass', LOOKUP: '' },
        }),
        env: { BURSAR_API_SHAPE_MASS_GET_ACCEPTS: 'flat-key-only', BURSAR_API_ENDPOINT_LOOKUP: '' },
      },
      'operations',
      'fail',
    ],
    [
      'a stated shape that reads in one of two ways, without LOOKUP',
      {
        ...probed({
          shapes: { massGetAccepts: 'flat-id-only' },
          endpoints: { MASS_GET: '/api/v1/payout/mass', LOOKUP: '' },
        }),
        env: { BURSAR_API_SHAPE_MASS_GET_ACCEPTS: 'flat', BURSAR_API_ENDPOINT_LOOKUP: '' },
      },
      'operations',
      'warn',
    ],
    ['reads by keys alone, none of which is proven', probed(KEYS_ALONE), 'operations', 'fail'],
    [
      'reads by keys alone that a person has set',
      {
        ...probed(KEYS_ALONE),
        env: { BURSAR_API_SHAPE_MASS_GET_ACCEPTS: 'key-only', BURSAR_API_ENDPOINT_LOOKUP: '' },
      },
      'operations',
      'ok',
    ],
    [
      'reads by keys alone, one of which has found a mass payout',
      {
        ...probed({
          ...KEYS_ALONE,
          findings: [{ point: 'lookupByKey', value: 'available', by: 'MASS_GET' }],
        }),
        env: { BURSAR_API_ENDPOINT_LOOKUP: '' },
      },
      'operations',
      'warn',
    ],
    ['no fees', probed({ findings: [LACKING] }), 'operations', 'warn'],
    ['wallets without a clear answer', probed({ open: [UNCLEAR] }), 'operations', 'warn'],
    ['another shape', probed({ shapes: { massGetAccepts: 'flat' } }), 'operations', 'warn'],
  ])('sees %s', async (_name, setup, name, result) => {
    expect((await examine(setup)).of(name)?.result).toBe(result);
  });

  it('names workflows that no worker can carry on', async () => {
    const stuck = [{ workflowId: 'batch/payroll', failedTasks: 7 }];
    const { of } = await examine({ namespace: async () => desk({ stuck }) });
    expect(of('workflows')).toMatchObject({
      result: 'fail',
      says: 'workers fail each task of 1 workflow: batch/payroll',
      fix: expect.stringContaining('"Failing workflow task"'),
    });
  });

  it('names operations that are lost, unclear, off or elsewhere, and the command that finds them', async () => {
    const { of } = await examine({
      ...probed({
        endpoints: { MASS_GET: '/api/v1/payout/mass', LOOKUP: '/found', FEE_CALCULATION: '' },
        shapes: { massGetAccepts: 'flat', accountIn: ['MASS_GET', 'ACCOUNT'] },
        findings: [LACKING],
        open: [
          UNCLEAR,
          { point: 'WEBHOOK_LIST', cost: 'Subscriptions are not checked.' },
          { point: 'MASS_CREATE', cost: 'A probe creates nothing.' },
        ],
        forbidden: ['WEBHOOK_LIST'],
      }),
      env: { BURSAR_API_ENDPOINT_USER: '' },
    });
    expect(of('operations')).toMatchObject({
      result: 'fail',
      says: 'no read of a mass payout is understood as the settings have it; served: MASS_GET, LOOKUP; not at their paths: FEE_CALCULATION; not for this key: WEBHOOK_LIST; no clear answer: WALLET_LIST; switched off: USER; other than set: api.endpoints.lookup = "/found", api.shapes.mass_get_accepts = "flat", api.shapes.account_in = "MASS_GET,ACCOUNT"',
      fix: expect.stringContaining('bursar probe --write'),
    });
  });

  it('probes with few requests', async () => {
    const asked: ProbeChoices[] = [];
    await examine({
      open: {
        probe: async (_, choices) => {
          asked.push(choices);
          return GOOD_PROBE;
        },
      },
    });
    expect(asked).toEqual([expect.objectContaining({ requestsMax: 30, requestsPerSecond: 10 })]);
  });

  it('names missing and wrong search attributes with the command that mends them', async () => {
    const all = Object.entries(SEARCH_ATTRIBUTES);
    const some = await examine({
      namespace: async () => desk({ searchAttributes: new Map(all.slice(1)) }),
    });
    expect(some.of('search attributes')).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('--name BursarBatch --type Keyword'),
    });
    const wrong = new Map<string, string>([...all, ['BursarRows', 'KEYWORD']]);
    const mixed = await examine({ namespace: async () => desk({ searchAttributes: wrong }) });
    expect(mixed.of('search attributes')?.says).toBe('BursarRows is KEYWORD and not INT');
  });

  it.each([
    ['ok', 'ok'],
    ['alarm', 'warn'],
    ['failing', 'fail'],
  ])('reports a bridge that is %s: %s', async (status, result) => {
    health = { status, temporal: 'up', spoolWaiting: 5 };
    expect((await examine({})).of('bridge')?.result).toBe(result);
  });

  it('passes without a bridge', async () => {
    await closeBridge();
    closeBridge = () => Promise.resolve();
    expect((await examine({})).of('bridge')?.result).toBe('warn');
  });

  it('counts the sandbox on this machine as notifying the bridge, and misses no subscription', async () => {
    const hook = (token: string) => `http://127.0.0.1:${bridgePort}/hooks/${token}`;
    const told = async (webhookUrl: string) => {
      const { url } = await startSandbox({ settings: { WEBHOOK_URL: webhookUrl } });
      const env = {
        BURSAR_API_BASE_URL: url,
        BURSAR_SANDBOX_LISTEN: new URL(url).host,
        BURSAR_BRIDGE_PUBLIC_URL: '',
      };
      const listWebhookSubscriptions = async () => ({
        value: { subscriptions: [], unreadableParts: [] },
        httpStatus: 200,
        timestampMs: 1,
        bodySha256: 'b',
      });
      return examine({ env, service: service({ listWebhookSubscriptions }) });
    };
    const well = await told(hook(TOKEN));
    expect(well.of('webhook subscription')).toMatchObject({
      result: 'ok',
      says: 'subscription not used (local sandbox)',
    });
    expect(well.of('address of the bridge')?.result).toBe('ok');
    const elsewhere = await told(hook('another-token'));
    expect(elsewhere.of('webhook subscription')?.says).toContain('no subscription');
    expect(elsewhere.of('address of the bridge')?.result).toBe('warn');
  });

  it('takes a server that is no sandbox for none', async () => {
    const url = `http://127.0.0.1:${bridgePort}`;
    const { of } = await examine({
      env: {
        BURSAR_API_BASE_URL: url,
        BURSAR_SANDBOX_LISTEN: new URL(url).host,
        BURSAR_BRIDGE_PUBLIC_URL: '',
      },
    });
    expect(of('address of the bridge')?.result).toBe('warn');
  });

  it('reports a secret that others can read', async () => {
    chmodSync(join(folder, 'secret'), 0o644);
    const { of, code } = await examine({});
    expect(of('secret')).toMatchObject({ result: 'fail', fix: expect.stringContaining('chmod') });
    expect(code).toBe(2);
  });

  it('reports a store that cannot be opened', async () => {
    mkdirSync(join(folder, 'a-folder'));
    const { of } = await examine({
      env: { BURSAR_STORE_URL: `sqlite:${join(folder, 'a-folder')}` },
      housekeepingAgoMs: null,
    });
    expect(of('store')).toMatchObject({ result: 'fail' });
    expect(of('service')?.result).toBe('ok');
  });
});

describe('the doctor warns of each part of docs/security.md that is missing:', () => {
  const ring = () => write('ring', `mine ${'A'.repeat(43)}=\n`);
  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['approval', () => NO_POLICY],
    [
      'encryption',
      () => ({
        BURSAR_TEMPORAL_KEY_RING_FILE: ring(),
        BURSAR_ENCRYPTION_REQUIRED: 'false',
      }),
    ],
    [
      'separate accounts',
      () => {
        writeKeyFile(folder, 'bob');
        return { BURSAR_OPERATOR_KEY_FILE: join(folder, 'bob.key') };
      },
    ],
    [
      'timestamp window',
      () => ({
        BURSAR_API_BASE_URL: 'http://127.0.0.1:1',
        BURSAR_API_TIMESTAMP_WINDOW_MS: '60000',
      }),
    ],
  ])('%s', async (name, env) => {
    expect((await examine({})).of(name)?.result ?? 'ok').toBe('ok');
    expect((await examine({ env: env() })).of(name)?.result).toBe('warn');
  });

  it.each(['secret', 'token', 'codec-token', 'notify-secret', 'ring', 'bob.key'])(
    'private files, %s',
    async (file) => {
      const targets = [{ name: 'ops', url: 'https://ops.example', secret_file: 'notify-secret' }];
      writeKeyFile(folder, 'bob');
      ring();
      write('codec-token', TOKEN);
      write('notify-secret', `whsec_${'A'.repeat(43)}=`);
      chmodSync(join(folder, file), 0o644);
      const { of } = await examine({
        env: {
          BURSAR_CODEC_TOKEN_FILE: 'codec-token',
          BURSAR_NOTIFY_TARGETS: JSON.stringify(targets),
          BURSAR_TEMPORAL_KEY_RING_FILE: 'ring',
          BURSAR_OPERATOR_KEY_FILE: 'bob.key',
        },
      });
      expect(of('private files')).toMatchObject({
        result: 'warn',
        says: expect.stringContaining(file),
      });
    },
  );
});

describe('the doctor on the key ring', () => {
  const env = (file: string) => ({ BURSAR_TEMPORAL_KEY_RING_FILE: file });
  const text = `mine ${'A'.repeat(43)}=\nold ${'A'.repeat(43)}=\n`;

  it('names the key that encrypts, and prints nothing where there is none', async () => {
    const { of } = await examine({ env: env(write('ring', text)) });
    expect(of('key ring')).toMatchObject({
      result: 'ok',
      says: 'encrypts with mine, decrypts with 1 other key too',
    });
    expect((await examine({})).of('key ring')).toBeUndefined();
  });

  it('reports that it cannot be used, without any part of a key', async () => {
    const { of } = await examine({ env: env(write('ring', `${text}mine ${'A'.repeat(43)}=`)) });
    expect(of('key ring')).toMatchObject({ result: 'fail' });
    expect(JSON.stringify(of('key ring'))).not.toContain('AAAA');
  });
});

describe('the doctor on notifications', () => {
  const targets = (...list: object[]) => ({ BURSAR_NOTIFY_TARGETS: JSON.stringify(list) });
  const secretText = `whsec_${randomBytes(32).toString('base64')}`;
  const url = 'https://hooks.example/in';

  it('reports whether secrets and programs can be used', async () => {
    const { of } = await examine({
      env: targets(
        { name: 'good', url, secret_file: write('good', secretText) },
        { name: 'bad', url, secret_file: write('bad', 'hush') },
        { name: 'pager', command: [process.execPath] },
        { name: 'gone', command: ['/nowhere/pager'] },
      ),
    });
    expect(['good', 'bad', 'pager', 'gone'].map((name) => of(`notify ${name}`)?.result)).toEqual([
      'ok',
      'fail',
      'ok',
      'fail',
    ]);
    expect(JSON.stringify(of('notify bad'))).not.toContain('hush');
  });

  it('lists notifications that did not arrive', async () => {
    const first = await examine({});
    const store = await first.world.store();
    const failed = { id: 'm', event: 'batch.failed', batchId: 'b', body: '{}' };
    await store.notifications.put(failed, { targets: ['ops'], atMs: Date.parse(NOW) });
    const end = { state: 'GIVEN_UP', error: 'status 410' } as const;
    await store.notifications.end({ id: 'm', target: 'ops' }, end);
    await store.close();
    expect((await examine({})).of('notify ops')).toMatchObject({
      result: 'warn',
      says: 'batch.failed did not arrive (status 410, 0 tries, given up)',
    });
  });

  describe('after a test', () => {
    const env = () =>
      targets({ name: 'ops', command: ['true'] }, { name: 'pager', command: ['x'] });

    /** A worker that tries each delivery once, when it is called. */
    const worker = (outcomes: Record<string, string>) => async () => {
      const store = await fakeWorld({ cwd: folder }).store();
      for (const { id, target } of await store.notifications.take({ nowMs: 2e12, limit: 10 })) {
        const outcome = outcomes[target] ?? 'DELIVERED';
        await store.notifications.end(
          { id, target },
          outcome === 'DELIVERED'
            ? { state: 'DELIVERED' }
            : { state: 'WAITING', error: outcome, nextAtMs: 3e12 },
        );
      }
      await store.close();
      return true;
    };

    it('names the target that has it, after the try of a worker', async () => {
      const { of, code } = await examine(
        { env: env(), namespace: async () => desk({}, worker({ pager: 'exit code 1' })) },
        '--send-test',
      );
      expect(of('test of ops')).toMatchObject({ result: 'ok', says: 'delivered' });
      expect(of('test of pager')).toMatchObject({
        result: 'fail',
        says: 'not delivered: exit code 1',
      });
      expect(code).toBe(6);
    });

    it('reports that nothing was sent, and then sends nothing', async () => {
      const { of, world } = await examine(
        { env: env(), namespace: async () => desk({}, async () => false) },
        '--send-test',
      );
      expect(of('test of ops')).toMatchObject({
        result: 'fail',
        says: 'no background jobs run',
      });
      const store = await world.store();
      expect(await store.notifications.take({ nowMs: 9e12, limit: 10 })).toEqual([]);
      await store.close();
    });
  });
});

describe('the doctor on a policy', () => {
  const person = (name: string, roles: string[], publicKey: string | null = 'ed25519:x') => ({
    name,
    roles,
    publicKey,
    users: [],
  });
  const tier = (more: object) => ({
    currency: null,
    above: '0',
    approvals: 1,
    roles: [],
    mustInclude: [],
    ...more,
  });
  const real = { baseUrl: 'https://service.test' };
  const results = (tiers: object[], people: ReturnType<typeof person>[], mode = 'signed') =>
    checkApproval(
      { mode: mode as 'signed', expiresAfterMs: 1, people, tiers: tiers.map(tier) },
      real,
    ).map(({ result }) => result);

  const ann = person('ann', ['finance']);
  const bob = person('bob', ['board']);

  it('warns that there is none, unless the service is on this machine', () => {
    const local = { baseUrl: 'http://127.0.0.1:8091' };
    expect(checkApproval(null, local)).toMatchObject([{ result: 'ok', says: 'none is needed' }]);
    expect(checkApproval(null, real)).toMatchObject([
      { result: 'warn', fix: expect.stringContaining('approval.tiers') },
    ]);
  });

  it('names batches that need no approval', () => {
    const policy = { mode: 'signed', expiresAfterMs: 1, people: [ann] } as const;
    expect(checkApproval({ ...policy, tiers: [tier({ above: '1000' })] }, real)).toMatchObject([
      { result: 'ok', says: '1 tier, 1 person; batches below them need no approval' },
    ]);
  });

  it('reports that there are enough people', () => {
    expect(
      results([{ approvals: 2 }, { roles: ['board'], mustInclude: ['finance'] }], [ann, bob]),
    ).toEqual(['ok']);
  });

  it('uses the singular for one', () => {
    const policy = { mode: 'signed', expiresAfterMs: 1, people: [ann] } as const;
    expect(checkApproval({ ...policy, tiers: [tier({})] }, real)).toMatchObject([
      { says: '1 tier, 1 person' },
    ]);
    expect(
      checkApproval({ ...policy, people: [ann, bob], tiers: [tier({}), tier({})] }, real),
    ).toEqual([expect.objectContaining({ says: '2 tiers, 2 people' })]);
  });

  it.each([
    ['too few', [{ approvals: 3 }]],
    ['none with the role', [{ roles: ['audit'] }]],
    ['none who must be there', [{ mustInclude: ['audit'] }]],
  ])('reports that there are %s', (_name, tiers) => {
    expect(results(tiers, [ann, bob])).toEqual(['fail']);
  });

  it('counts only people with a key, unless approvals are unsigned, which it warns of', () => {
    const keyless = [person('ann', [], null)];
    expect(results([{}], keyless)).toEqual(['fail']);
    expect(results([{}], keyless, 'unsigned')).toEqual(['warn']);
  });
});

describe('the version of Node.js', () => {
  it.each([
    ['v20.19.0', 'ok'],
    ['v22.0.0', 'ok'],
    ['v20.18.3', 'fail'],
    ['v18.20.0', 'fail'],
  ])('%s: %s', (version, result) => {
    expect(checkNode(version).result).toBe(result);
  });
});
