import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSubscriptionCheck } from '../../../src/activities/housekeeping/subscription-check.ts';
import type { NotifiableEvent } from '../../../src/domain/notify/events.ts';
import type { UnreadableParts, WebhookSubscription } from '@bursar/merchant-api';
import { secretString } from '../../../packages/merchant-api/src/secret-string.ts';
import type { Store } from '../../../src/store/index.ts';
import { answer, failed, fakeService } from '../../support/fake-service.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const TOKEN = 'tokentokentokentokentokentokentoken';
const BASE = 'https://hooks.example';
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 21, 9);

let store: Store;
let world: {
  nowMs: number;
  listed: Partial<WebhookSubscription>[];
  isLosing: boolean;
  unreadable: UnreadableParts;
  publicUrl: string | null;
  receivedAtMs: number | null;
  lists: boolean;
  told: NotifiableEvent[];
  tells: boolean;
};
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  world = {
    nowMs: START_MS,
    listed: [{}],
    isLosing: false,
    unreadable: [],
    publicUrl: BASE,
    receivedAtMs: null,
    lists: true,
    told: [],
    tells: true,
  };
});
afterEach(() => store.close());

const subscription = (more: Partial<WebhookSubscription>): WebhookSubscription => ({
  requestId: 'r1',
  notificationEventTypes: ['PAYOUT_CHANGE_STATUS'],
  url: `${BASE}/hooks/${TOKEN}`,
  publicKey: 'p',
  secretKey: secretString('canary-secret'),
  createdDate: new Date(START_MS).toISOString(),
  enabled: true,
  blockedByErrorCount: false,
  errorCount: 0,
  ...more,
});

/** Lets a minute pass and runs the round once; answers with the events that were told. */
async function round(): Promise<string[]> {
  world.nowMs += MINUTE_MS;
  const told = world.told.length;
  const { run } = createSubscriptionCheck({
    store,
    service: fakeService(
      {
        listWebhookSubscriptions: async () => {
          if (world.isLosing) throw failed('no-answer');
          return answer({
            subscriptions: world.listed.map(subscription),
            unreadableParts: world.unreadable,
          });
        },
      },
      world.lists ? [] : ['WEBHOOK_LIST'],
    ),
    hooks: () => ({ publicUrl: world.publicUrl, tokens: [TOKEN] }),
    lastReceivedAtMs: async () => world.receivedAtMs,
    notify: async (news) => {
      if (!world.tells) throw new Error('the store is full');
      world.told.push(news);
    },
    nowMs: () => world.nowMs,
  });
  await asActivity().run(run);
  return world.told.slice(told).map(({ event }) => event);
}

const conditionNow = async () => (await store.watches.webhooks(ACCOUNT))?.condition;

describe('a change of the subscription', () => {
  it('is none while the subscription is in order', async () => {
    expect([await round(), await round()]).toEqual([[], []]);
    expect(await conditionNow()).toBe('OK');
  });

  it.each<[string, Partial<WebhookSubscription>[]]>([
    ['webhooks.near_block', [{ errorCount: 21 }]],
    ['webhooks.blocked', [{ errorCount: 101, blockedByErrorCount: true }]],
    ['webhooks.disabled', [{ enabled: false }]],
    ['webhooks.incomplete', [{ notificationEventTypes: ['PAYOUT_CONFIRMED'] }]],
    ['webhooks.missing', []],
    ['webhooks.missing', [{ url: 'https://shop.example/in' }]],
  ])('is notified as %s once, and again when it is over', async (event, listed) => {
    await round();
    world.listed = listed;
    expect(await round()).toEqual([event]);
    expect(await round()).toEqual([]);
    expect(await store.subscriptions.areDown(ACCOUNT, world.nowMs)).toBe(true);
    world.listed = [{}];
    expect(await round()).toEqual(['webhooks.recovered']);
    expect(await store.subscriptions.areDown(ACCOUNT, world.nowMs)).toBe(false);
  });

  it('is notified when it exists from the start', async () => {
    world.listed = [];
    expect([await round(), await round()]).toEqual([['webhooks.missing'], []]);
  });

  it('is notified again, under another key, when it comes back', async () => {
    for (const errorCount of [0, 50, 0, 50]) {
      world.listed = [{ errorCount }];
      await round();
    }
    const near = world.told.filter(({ event }) => event === 'webhooks.near_block');
    expect(new Set(near.map(({ key }) => key)).size).toBe(2);
  });

  it('warns before the blocking with the failures that are left, and then notifies the blocking', async () => {
    await round();
    const errorFirstDate = new Date(world.nowMs).toISOString();
    world.listed = [{ errorCount: 60, errorFirstDate, errorLastDate: errorFirstDate }];
    expect(await round()).toEqual(['webhooks.near_block']);
    expect(world.told[0]?.data).toEqual({
      subscription: 'r1',
      failures: 60,
      failuresUntilBlocked: 41,
    });
    world.listed = [{ errorCount: 101, blockedByErrorCount: true }];
    expect(await round()).toEqual(['webhooks.blocked']);
  });

  it('is notified under the same key after an interrupted notification', async () => {
    await round();
    world.listed = [{ blockedByErrorCount: true }];
    world.tells = false;
    await expect(round()).rejects.toThrow('full');
    world.tells = true;
    await round();
    world.nowMs -= MINUTE_MS;
    await store.watches.note(`webhooks/${ACCOUNT}`, {
      condition: 'OK',
      atMs: START_MS + MINUTE_MS,
      detail: '',
    });
    await round();
    expect(world.told.map(({ key }) => key)).toEqual([world.told[0]?.key, world.told[0]?.key]);
  });

  it('is not notified where the settings want no subscription', async () => {
    world.publicUrl = null;
    world.listed = [{ url: 'https://shop.example/in', blockedByErrorCount: true }];
    expect(await round()).toEqual([]);
    expect(await conditionNow()).toBe('UNUSED');
  });

  it('leaves the state unknown at a service that does not list subscriptions', async () => {
    world.lists = false;
    expect(await round()).toEqual([]);
    expect(await conditionNow()).toBe('UNLISTED');
  });

  it('is not called missing while a subscription of the list cannot be read', async () => {
    world.listed = [];
    world.unreadable = [{ path: 'subscriptions.0.url', problem: 'is missing' }];
    await expect(round()).rejects.toMatchObject({ code: 'SERVICE_ANSWER_UNREADABLE' });
    expect(world.told).toEqual([]);
  });

  it('is known by the subscriptions that can be read beside an odd one', async () => {
    world.unreadable = [{ path: 'subscriptions.1', problem: 'is not a record' }];
    expect(await round()).toEqual([]);
  });

  it('is not guessed when the service does not answer', async () => {
    await round();
    world.isLosing = true;
    await expect(round()).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' });
    expect(await conditionNow()).toBe('OK');
  });
});

it('stored states and notifications hold neither token nor secret key', async () => {
  world.listed = [{ errorCount: 50 }, { requestId: 'r2', url: 'https://shop.example/t/hush' }];
  await round();
  const kept = await store.subscriptions.list(ACCOUNT);
  expect(kept.map(({ id, ours }) => [id, ours])).toEqual([
    ['r1', true],
    ['r2', false],
  ]);
  const all = JSON.stringify([kept, world.told, await store.watches.webhooks(ACCOUNT)]);
  for (const secret of [TOKEN, 'canary-secret', 'hush']) expect(all).not.toContain(secret);
});

it('two subscriptions with the address of the bridge are named', async () => {
  world.listed = [{}, { requestId: 'r2' }];
  await round();
  expect((await store.watches.webhooks(ACCOUNT))?.detail).toContain('also r2');
});

describe('silence', () => {
  async function acceptAt(endedMs: number): Promise<void> {
    const { idempotencyKey } = await store.chunks.get('b', 0);
    await writableDb(store)
      .insertInto('attempt')
      .values({
        idempotency_key: idempotencyKey,
        n: endedMs - START_MS,
        timestamp_ms: endedMs,
        body_sha256: 'x',
        outcome: 'ACCEPTED',
        ended_ms: endedMs,
        http_status: 200,
        error_code: null,
        trace_id: null,
        retry_after_ms: null,
      })
      .execute();
  }

  beforeEach(async () => {
    await planBatch(store, 'b', 1);
    await round();
  });

  it('is notified when no webhook comes in five minutes after an accepted create, and again when one comes', async () => {
    await acceptAt(world.nowMs + 1);
    const first = [await round(), await round(), await round(), await round(), await round()];
    expect(first.flat()).toEqual([]);
    expect(await round()).toEqual(['webhooks.silent']);
    expect(world.told[0]?.data).toEqual({ lastWebhookAt: null });
    expect(await round()).toEqual([]);
    expect(await store.subscriptions.areDown(ACCOUNT, world.nowMs)).toBe(true);
    world.receivedAtMs = world.nowMs;
    expect(await round()).toEqual(['webhooks.recovered']);
  });

  it('does not end because a day has passed', async () => {
    await acceptAt(world.nowMs + 1);
    for (let minutes = 0; minutes < 7; minutes += 1) await round();
    world.nowMs += 3 * 86_400_000;
    expect(await round()).toEqual([]);
    expect(await conditionNow()).toBe('SILENT');
  });

  it('ends with any webhook', async () => {
    await acceptAt(world.nowMs + 1);
    world.receivedAtMs = world.nowMs;
    for (let minutes = 0; minutes < 10; minutes += 1) expect(await round()).toEqual([]);
  });

  it('is none when nothing was sent', async () => {
    world.nowMs += 86_400_000;
    expect(await round()).toEqual([]);
  });

  it('ignores events before the subscription existed', async () => {
    world.listed = [];
    await round();
    await acceptAt(world.nowMs + 1);
    world.nowMs += 30 * MINUTE_MS;
    world.listed = [{}];
    expect(await round()).toEqual(['webhooks.recovered']);
    for (let minutes = 0; minutes < 10; minutes += 1) expect(await round()).toEqual([]);
  });

  it('is not notified of a bridge that was never subscribed, and is where webhooks once came', async () => {
    world.lists = false;
    await round();
    await acceptAt(world.nowMs + 1);
    for (let minutes = 0; minutes < 7; minutes += 1) expect(await round()).toEqual([]);
    world.receivedAtMs = START_MS - 86_400_000;
    expect(await round()).toEqual(['webhooks.silent']);
  });
});
