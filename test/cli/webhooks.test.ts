import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ServiceAccess } from '../../src/operations/context.ts';
import { MerchantApiError, type WebhookSubscription } from '@bursar/merchant-api';
import { secretString } from '../../packages/merchant-api/src/secret-string.ts';
import { EVENT_TYPES_OF_GROUP, FUNDING_EVENT_TYPES } from '@bursar/merchant-api/spec';
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts';
import { createSpool } from '../../src/store/webhooks/spool.ts';
import { spoolUrlOf } from '../../src/store/webhooks/spool-glance.ts';
import { startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { ACCOUNT } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeService } from './support/fake-service.ts';
import { fakeWorld } from './support/fake-world.ts';
import { accessTo } from '../../src/store/database/decide.ts';

const TOKEN = 'tokentokentokentokentokentokentoken';
const BASE = 'https://hooks.example';
const SECRET = 'whsec-canary-0123456789';
const WANTED = [...EVENT_TYPES_OF_GROUP.PAYOUT, ...FUNDING_EVENT_TYPES];

let folder: string;
let listed: WebhookSubscription[];
let calls: string[];
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`, { mode: 0o600 });
  listed = [];
  calls = [];
});

const subscription = (more: Partial<WebhookSubscription> = {}): WebhookSubscription => ({
  requestId: `r${listed.length + 1}`,
  notificationEventTypes: [...WANTED],
  url: `${BASE}/hooks/${TOKEN}`,
  publicKey: 'p',
  secretKey: secretString(SECRET),
  createdDate: '2026-11-21T08:00:00Z',
  enabled: true,
  blockedByErrorCount: false,
  errorCount: 0,
  ...more,
});

const answer = <Value>(value: Value) => ({
  value,
  httpStatus: 200,
  timestampMs: 1,
  bodySha256: 'b',
});

/** A service that keeps subscriptions, and answers changes with as little as it may. */
const service = (more: Partial<ServiceAccess['api']> = {}): ServiceAccess =>
  fakeService({
    listWebhookSubscriptions: async () =>
      answer({ subscriptions: [...listed], unreadableParts: [] }),
    createWebhookSubscription: async ({ url, notificationEventTypes = [] }) => {
      calls.push('create');
      listed.push(subscription({ url, notificationEventTypes: [...notificationEventTypes] }));
      return answer({});
    },
    changeWebhookSubscription: async ({ requestId, url, notificationEventTypes = [] }) => {
      calls.push(`change ${requestId}`);
      listed = listed.map((one) =>
        one.requestId === requestId
          ? { ...one, url, notificationEventTypes: [...notificationEventTypes] }
          : one,
      );
      return answer({});
    },
    deleteWebhookSubscription: async ({ requestId }) => {
      calls.push(`delete ${requestId}`);
      listed = listed.filter((one) => one.requestId !== requestId);
      return answer({});
    },
    ...more,
  });

const world = (more: Partial<ServiceAccess['api']> = {}, env: Record<string, string> = {}) =>
  fakeWorld({
    cwd: folder,
    service: service(more),
    env: {
      BURSAR_BRIDGE_PUBLIC_URL: BASE,
      BURSAR_BRIDGE_TOKEN_FILE: join(folder, 'token'),
      ...env,
    },
  });

const ensure = (...args: string[]) => world().json('webhooks', 'ensure', ...args);

describe('bursar webhooks ensure', () => {
  it('makes the subscription, and to run it again does nothing', async () => {
    expect(await ensure()).toMatchObject({
      code: 0,
      value: {
        schema: 'bursar.webhooks-ensure/v1',
        act: 'create',
        requestId: 'r1',
        url: `${BASE}/hooks/...`,
        eventTypes: WANTED,
        condition: 'OK',
        duplicates: [],
      },
    });
    expect(listed).toMatchObject([{ url: `${BASE}/hooks/${TOKEN}` }]);
    expect(await ensure()).toMatchObject({ code: 0, value: { act: 'nothing', requestId: 'r1' } });
    expect(calls).toEqual(['create']);
  });

  it.each<[string, Partial<WebhookSubscription>, string[]]>([
    ['adds event types', { notificationEventTypes: ['PAYOUT_CONFIRMED'] }, ['change r1']],
    ['leads one here that led elsewhere', { url: `https://old/hooks/${TOKEN}` }, ['change r1']],
    ['leads one here that had an old token', { url: `${BASE}/hooks/old` }, ['change r1']],
    ['puts a new one in place of a disabled one', { enabled: false }, ['create', 'delete r1']],
  ])('%s', async (_name, more, done) => {
    listed = [subscription(more)];
    expect(await ensure()).toMatchObject({ code: 0, value: { condition: 'OK' } });
    expect(calls).toEqual(done);
    expect(await ensure()).toMatchObject({ value: { act: 'nothing' } });
  });

  it('prints its changes, and makes none, with --dry-run', async () => {
    const dry = await ensure('--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      value: { act: 'create', dryRun: true, requestId: null, secretFile: null },
    });
    const { out } = await world().run('webhooks', 'ensure', '--dry-run');
    expect(out).toContain('is missing and would be made');
    expect(calls).toEqual([]);
  });

  it('makes no token with --dry-run, and makes one without', async () => {
    const file = join(folder, 'new', 'token');
    const dry = await world({}, { BURSAR_BRIDGE_TOKEN_FILE: file }).json(
      ...['webhooks', 'ensure', '--dry-run'],
    );
    expect(dry.value).toMatchObject({ act: 'create', url: `${BASE}/hooks/...` });
    expect(existsSync(file)).toBe(false);
    await world({}, { BURSAR_BRIDGE_TOKEN_FILE: file }).run('webhooks', 'ensure');
    expect(listed[0]?.url).toBe(`${BASE}/hooks/${readFileSync(file, 'utf8').trim()}`);
  });

  it('leaves a blocked one to a person', async () => {
    listed = [subscription({ blockedByErrorCount: true, errorCount: 101 })];
    const { code, out } = await world().run('webhooks', 'ensure');
    expect(code).toBe(14);
    expect(out).toContain("in the service's own interface");
    expect(calls).toEqual([]);
  });

  it('names others that lead here, and removes none of them', async () => {
    listed = [subscription(), subscription({ requestId: 'r2' })];
    expect((await ensure()).value).toMatchObject({ act: 'nothing', duplicates: ['r2'] });
    const { out } = await world().run('webhooks', 'ensure');
    expect(out).toContain('bursar api delete-webhook r2');
    expect(calls).toEqual([]);
  });

  it('keeps the secret key in a file of its own, and prints neither it nor the token', async () => {
    const { out, err } = await world().run('webhooks', 'ensure');
    const { value } = await ensure();
    const file = String(value['secretFile']);
    expect(file).toBe(join(folder, 'webhook-secret'));
    expect(readFileSync(file, 'utf8')).toBe(`${SECRET}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of [SECRET, TOKEN]) {
      expect(`${out}${err}${JSON.stringify(value)}`).not.toContain(secret);
    }
  });

  it('keeps the new secret key when the subscription has another one', async () => {
    await ensure();
    listed = [subscription({ secretKey: secretString('another') })];
    await ensure();
    expect(readFileSync(join(folder, 'webhook-secret'), 'utf8')).toBe('another\n');
    expect(statSync(join(folder, 'webhook-secret')).mode & 0o777).toBe(0o600);
  });

  it('takes event types, and adds the one that reports changes', async () => {
    const wanted = await ensure('--events', 'payout_change_status,INVOICE_PAID');
    expect(wanted.value['eventTypes']).toEqual(['PAYOUT_CHANGE_STATUS', 'INVOICE_PAID']);
    const refused = await ensure('--events', 'INVOICE_PAID');
    expect(refused).toMatchObject({ code: 2, value: { code: 'FLAG_INVALID' } });
  });

  it('needs the address of the bridge', async () => {
    const refused = await world({}, { BURSAR_BRIDGE_PUBLIC_URL: '' }).json('webhooks', 'ensure');
    expect(refused).toMatchObject({ code: 2, value: { code: 'SETTING_MISSING' } });
  });

  it('needs an operator when the answer is lost, or when the list lacks the new subscription', async () => {
    const lost = () =>
      Promise.reject(
        new MerchantApiError('no-answer', { operation: 'WEBHOOK_CREATE', reason: 'ECONNRESET' }),
      );
    const unknown = await world({ createWebhookSubscription: lost }).json('webhooks', 'ensure');
    expect(unknown).toMatchObject({ code: 14, value: { code: 'CALL_OUTCOME_UNKNOWN' } });
    const unseen = await world({ createWebhookSubscription: async () => answer({}) }).json(
      ...['webhooks', 'ensure'],
    );
    expect(unseen).toMatchObject({ code: 14, value: { act: 'create', condition: 'MISSING' } });
  });

  it('is refused where the service lists no subscriptions', async () => {
    const none = () =>
      Promise.reject(new MerchantApiError('unavailable', { operation: 'WEBHOOK_LIST' }));
    const refused = await world({ listWebhookSubscriptions: none }).json('webhooks', 'ensure');
    expect(refused).toMatchObject({ code: 2, value: { code: 'SERVICE_LACKS_OPERATION' } });
  });
});

describe('bursar webhooks status', () => {
  const status = () => world().json('webhooks', 'status');

  it('shows the state of the subscription, and the time of the last webhook', async () => {
    listed = [
      subscription({ errorCount: 30, errorFirstDate: '2026-11-21T08:55:00Z' }),
      subscription({ requestId: 'x', url: `${BASE}/hooks/old` }),
    ];
    const bridge = await openSqlite(spoolUrlOf(`sqlite:${join(folder, '.bursar/store.db')}`));
    await createSpool(accessTo(bridge)).append(
      Buffer.from('{}'),
      Date.parse('2026-11-21T08:30:00Z'),
    );
    await bridge.destroy();
    expect(await status()).toEqual({
      code: 0,
      value: {
        schema: 'bursar.webhooks/v1',
        condition: 'NEAR_BLOCK',
        ours: {
          requestId: 'r1',
          url: `${BASE}/hooks/...`,
          enabled: true,
          blocked: false,
          errorCount: 30,
          failuresUntilBlocked: 71,
          failingSince: '2026-11-21T08:55:00.000Z',
        },
        duplicates: [],
        strays: [expect.objectContaining({ requestId: 'x', failingSince: null })],
        lastWebhookAt: '2026-11-21T08:30:00.000Z',
        watch: null,
      },
    });
    const { out } = await world().run('webhooks', 'status');
    expect(out).toContain('30 in a row since 2026-11-21 08:55:00 UTC; blocked after 71 more');
    expect(out).not.toContain(TOKEN);
  });

  it('shows the silence that housekeeping found', async () => {
    listed = [subscription()];
    const store = await world().store();
    const look = { condition: 'SILENT', atMs: 1_800_000_000_000, detail: 'nothing came' };
    await store.watches.note(`webhooks/${ACCOUNT}`, look);
    await store.close();
    expect((await status()).value).toMatchObject({
      condition: 'SILENT',
      watch: { condition: 'SILENT', detail: 'nothing came' },
    });
  });

  it.each([
    ['MISSING', [], 'bursar webhooks ensure'],
    ['BLOCKED', [{ blockedByErrorCount: true }], "service's own interface"],
    ['OK', [{}], 'Webhooks: healthy'],
  ] as const)('ends with 0 and prints the next step when it is %s', async (condition, of, text) => {
    listed = of.map((more) => subscription(more));
    const { code, out } = await world().run('webhooks', 'status');
    expect([code, out]).toEqual([0, expect.stringContaining(text)]);
    expect((await status()).value['condition']).toBe(condition);
  });

  it('shows that the sandbox of these settings notifies the bridge, and that another service does not', async () => {
    const text = async (token: string) => {
      const hook = `http://127.0.0.1:8090/hooks/${token}`;
      const { url } = await startSandbox({ settings: { WEBHOOK_URL: hook } });
      const api = { BURSAR_API_BASE_URL: url, BURSAR_SANDBOX_LISTEN: new URL(url).host };
      const made = world({}, { ...api, BURSAR_BRIDGE_PUBLIC_URL: '' });
      const { value } = await made.json('webhooks', 'status');
      expect(value['condition']).toBe('UNUSED');
      return (await made.run('webhooks', 'status')).out;
    };
    expect(await text(TOKEN)).toContain('healthy; subscription not used (local sandbox)');
    expect(await text('another-token')).toContain('no subscription');
  });

  it('works where the service lists none', async () => {
    const { value } = await world({ hasOperation: () => false }).json('webhooks', 'status');
    expect(value).toMatchObject({ condition: 'UNLISTED', ours: null });
  });
});
