import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSpoolGlance, spoolUrlOf } from '../../../src/store/webhooks/spool-glance.ts';
import { createSpool } from '../../../src/store/webhooks/spool.ts';
import { accessTo } from '../../../src/store/database/decide.ts';
import { openConnection } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/index.ts';
import { HEALTH_CHECKS } from '../../../src/store/housekeeping/health-checks.ts';
import { ACCOUNT, planBatch } from '../../support/store-fixtures.ts';
import { openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
});
afterEach(() => store.close());

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

describe('the subscriptions of an account', () => {
  const one = {
    id: 'a',
    url: 'https://h/...',
    ours: true,
    enabled: true,
    blocked: false,
    errorCount: 0,
  };

  it('are those of the last list, and those of other accounts stay', async () => {
    await store.subscriptions.replace('x', [one, { ...one, id: 'b' }], NOW_MS);
    await store.subscriptions.replace('y', [one], NOW_MS);
    await store.subscriptions.replace('x', [{ ...one, blocked: true, errorCount: 101 }], NOW_MS);
    expect(await store.subscriptions.list('x')).toEqual([
      { ...one, blocked: true, errorCount: 101 },
    ]);
    expect(await store.subscriptions.list('y')).toEqual([one]);
  });

  it('are kept when a service lists one twice', async () => {
    await store.subscriptions.replace('x', [one, { ...one, enabled: false }], NOW_MS);
    expect(await store.subscriptions.list('x')).toEqual([{ ...one, enabled: false }]);
  });
});

describe('the last check of a subject', () => {
  const look = (condition: string, atMs: number) =>
    store.watches.note('s', { condition, atMs, detail: `at ${atMs}` });

  it('is null at first', async () => {
    expect(await store.watches.find('s')).toBeUndefined();
  });

  it('keeps the time of its first result, and restarts with each change', async () => {
    await look('OK', 1);
    await look('OK', 2);
    expect(await store.watches.find('s')).toEqual({
      condition: 'OK',
      sinceMs: 1,
      seenAtMs: 2,
      detail: 'at 2',
    });
    await look('BLOCKED', 3);
    await look('OK', 4);
    expect(await store.watches.find('s')).toMatchObject({ sinceMs: 4, seenAtMs: 4 });
  });
});

describe('whether webhooks are down', () => {
  const note = (condition: string, atMs: number) =>
    store.watches.note(HEALTH_CHECKS.webhooks(ACCOUNT), { condition, atMs, detail: '' });

  it('is unknown before the first check', async () => {
    expect(await store.subscriptions.areDown(ACCOUNT, NOW_MS)).toBe(false);
  });

  it.each([
    ['OK', false],
    ['UNUSED', false],
    ['UNLISTED', false],
    ['NEAR_BLOCK', true],
    ['INCOMPLETE', true],
    ['DISABLED', true],
    ['BLOCKED', true],
    ['MISSING', true],
    ['SILENT', true],
  ])('is, for %s: %s', async (condition, down) => {
    await note(condition, NOW_MS);
    expect(await store.subscriptions.areDown(ACCOUNT, NOW_MS + 9 * MINUTE_MS)).toBe(down);
  });

  it('is unknown again ten minutes after the last check', async () => {
    await note('BLOCKED', NOW_MS);
    expect(await store.subscriptions.areDown(ACCOUNT, NOW_MS + 10 * MINUTE_MS)).toBe(false);
  });
});

describe('the newest change that a webhook must report', () => {
  const between = { fromMs: NOW_MS, untilMs: NOW_MS + 100 };
  const lastChange = (account = ACCOUNT) => store.subscriptions.lastChange(account, between);

  async function accept(chunk: number, endedMs: number, outcome = 'ACCEPTED'): Promise<void> {
    const { idempotencyKey } = await store.chunks.get('b', chunk);
    await writableDb(store)
      .insertInto('attempt')
      .values({
        idempotency_key: idempotencyKey,
        n: 1,
        timestamp_ms: endedMs,
        body_sha256: 'x',
        outcome,
        ended_ms: endedMs,
        http_status: 200,
        error_code: null,
        trace_id: null,
        retry_after_ms: null,
      })
      .execute();
  }

  async function move(chunk: number, atMs: number): Promise<void> {
    const { idempotencyKey } = await store.chunks.get('b', chunk);
    const payout = { id: `mp-${chunk}`, state: 'CONFIRMED', fee: null, differences: [] };
    await store.sends.setPayout({ batchId: 'b', chunk, idempotencyKey }, payout);
    const watch = { openSinceMs: atMs, stateSinceMs: atMs, unreadSinceMs: null };
    await store.settlements.setTimes({ batchId: 'b', chunk }, watch, undefined);
  }

  beforeEach(() => planBatch(store, 'b', 4));

  it('is none when nothing was sent', async () => {
    expect(await lastChange()).toBeNull();
  });

  it('is the newest create that was accepted in between', async () => {
    await accept(0, NOW_MS - 1);
    await accept(1, NOW_MS + 10);
    await accept(2, NOW_MS + 20, 'AMBIGUOUS');
    await accept(3, NOW_MS + 101);
    expect(await lastChange()).toBe(NOW_MS + 10);
    expect(await lastChange('0xother')).toBeNull();
  });

  it('is the newest state that a read showed, when that is newer', async () => {
    await accept(0, NOW_MS + 10);
    await move(0, NOW_MS + 30);
    await move(1, NOW_MS + 20);
    await move(2, NOW_MS + 101);
    expect(await lastChange()).toBe(NOW_MS + 30);
    expect(await lastChange('0xother')).toBeNull();
  });
});

describe('a glance at the spool', () => {
  it('returns the time of the newest webhook, and nothing while none came', async () => {
    const url = await testStoreUrl(folder);
    const glance = await openSpoolGlance(url);
    expect(await glance.lastReceivedAtMs()).toBeNull();
    const bridge = await openConnection(spoolUrlOf(url));
    const spool = createSpool(accessTo(bridge));
    await spool.append(Buffer.from('one'), NOW_MS);
    const second = await spool.append(Buffer.from('two'), NOW_MS + 5);
    await spool.settle([second], { state: 'IGNORED', atMs: NOW_MS + 6 });
    expect(await glance.lastReceivedAtMs()).toBe(NOW_MS + 5);
    await glance.close();
    await bridge.destroy();
  });
});
