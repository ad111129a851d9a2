import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Delivered, Message, Target } from '../../../src/activities/notifications/target.ts';
import { createNotifyActivities } from '../../../src/activities/notifications/notify.ts';
import { createDeliveryCheck } from '../../../src/activities/housekeeping/delivery-check.ts';
import type { NotifiableEvent } from '../../../src/domain/notify/events.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let store: Store;
let nowMs: number;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  nowMs = Date.UTC(2026, 10, 21, 9);
});
afterEach(() => store.close());

const DELIVERED: Delivered = { kind: 'delivered' };
const FAILED: Delivered = { kind: 'failed', why: 'status 500' };

type FakeTarget = Target & { says: Delivered; readonly got: Message[] };

function fakeTarget(name: string, events: readonly string[] = []): FakeTarget {
  const target: FakeTarget = {
    name,
    events,
    says: DELIVERED,
    got: [],
    deliver: async (message) => {
      target.got.push(message);
      return target.says;
    },
  };
  return target;
}

const NEWS: NotifiableEvent = {
  event: 'batch.held',
  batchId: 'b',
  key: '1',
  data: { reason: 'paused by ann' },
};

function house(...targets: readonly Target[]) {
  const deps = {
    store,
    targets,
    sender: { account: 'a', pageOf: (batchId: string) => `http://ui/${batchId}` },
    nowMs: () => nowMs,
  };
  const { tell } = createNotifyActivities(deps);
  return {
    notify: (news: NotifiableEvent = NEWS) => asActivity().run(tell, news),
    round: () => asActivity().run(createDeliveryCheck(deps).run),
  };
}

const eventsOf = ({ got }: FakeTarget): string[] => got.map(({ event }) => event);

describe('a notification', () => {
  it.each(['awaiting-approval', 'constructor', '', undefined])(
    'of an unknown event (%s) is refused once, and is not stored',
    async (event) => {
      const { notify } = house();
      await expect(notify({ ...NEWS, event } as never)).rejects.toMatchObject({
        type: 'INPUT_INVALID',
        nonRetryable: true,
      });
      const rows = await writableDb(store).selectFrom('notification').selectAll().execute();
      expect(rows).toEqual([]);
    },
  );

  it('reaches every subscribed target once, however often the event is repeated', async () => {
    const [ops, failures] = [fakeTarget('ops'), fakeTarget('failures', ['batch.failed'])];
    const { notify } = house(ops, failures);
    await notify();
    await notify();
    await notify({ ...NEWS, data: { reason: 'said in other words' } });
    await notify({ ...NEWS, event: 'batch.failed' });
    expect(eventsOf(ops)).toEqual(['batch.held', 'batch.failed']);
    expect(eventsOf(failures)).toEqual(['batch.failed']);
    expect(ops.got[0]?.body).toContain('paused by ann');
  });

  it('does not fail when one target cannot be reached, and reaches the others', async () => {
    const [down, up] = [fakeTarget('down'), fakeTarget('up')];
    down.says = FAILED;
    await house(down, up).notify();
    expect(eventsOf(up)).toEqual(['batch.held']);
    expect(await store.notifications.failing({ sinceMs: 0, limit: 10 })).toMatchObject([
      { target: 'down', state: 'WAITING', attempts: 1, error: 'status 500' },
    ]);
  });

  it('needs no target', async () => {
    await expect(house().notify()).resolves.toBeUndefined();
  });

  it('fails, to be tried again, when it cannot be stored', async () => {
    const { notify } = house(fakeTarget('ops'));
    await store.close();
    await expect(notify()).rejects.toMatchObject({ type: 'INTERNAL' });
    store = await openTestStore(temporaryFolder());
  });
});

describe('a notification that waits', () => {
  it('is tried again when it is due, with the same bytes and the same id', async () => {
    const ops = fakeTarget('ops');
    const { notify, round } = house(ops);
    ops.says = FAILED;
    await notify();
    expect(await round()).toBe('nothing waits');
    nowMs += 6_000;
    expect(await round()).toBe('0 delivered, 1 not');
    ops.says = DELIVERED;
    nowMs += 400_000;
    expect(await round()).toBe('1 delivered, 0 not');
    expect(await round()).toBe('nothing waits');
    expect(ops.got).toHaveLength(3);
    expect(new Set(ops.got.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  it('is sent again after the time that the receiver demands', async () => {
    const ops = fakeTarget('ops');
    const { notify, round } = house(ops);
    ops.says = { ...FAILED, askedDelayMs: 3_600_000 };
    await notify();
    nowMs += 3_599_999;
    expect(await round()).toBe('nothing waits');
    nowMs += 1;
    expect(await round()).toBe('0 delivered, 1 not');
  });

  it('is given up after days, and the other targets are notified of that once', async () => {
    const [gone, ops] = [fakeTarget('gone'), fakeTarget('ops')];
    const { notify, round } = house(gone, ops);
    gone.says = FAILED;
    await notify();
    for (let hour = 0; hour < 24 * 10; hour += 1) {
      nowMs += 3_600_000;
      await round();
    }
    expect(gone.got.filter(({ event }) => event === 'batch.held')).toHaveLength(10);
    expect(eventsOf(ops)).toEqual(['batch.held', 'notify.given_up']);
    expect(JSON.parse(ops.got[1]?.body ?? '')).toMatchObject({
      data: { of: 'batch.held', target: 'gone', attempts: 10, batchId: 'b' },
    });
    const states = (await store.notifications.failing({ sinceMs: 0, limit: 10 })).map(
      ({ event, state }) => [event, state],
    );
    expect(states).toEqual([
      ['notify.given_up', 'GIVEN_UP'],
      ['batch.held', 'GIVEN_UP'],
    ]);
  });

  it('is given up at once when the receiver wants no more, or is no longer in the settings', async () => {
    const [ops, gone] = [fakeTarget('ops'), fakeTarget('gone')];
    gone.says = { ...FAILED, gone: true };
    const removed = fakeTarget('removed');
    removed.says = FAILED;
    await house(ops, gone, removed).notify();
    expect(eventsOf(ops)).toEqual(['batch.held', 'notify.given_up']);
    nowMs += 86_400_000;
    await house(ops).round();
    const failing = await store.notifications.failing({ sinceMs: 0, limit: 10 });
    expect(failing.filter(({ event }) => event === 'batch.held')).toMatchObject([
      { target: 'gone', state: 'GIVEN_UP' },
      { target: 'removed', state: 'GIVEN_UP', error: expect.stringContaining('no such target') },
    ]);
  });

  it('is tried a few at a time, so that a round has an end', async () => {
    const ops = fakeTarget('ops');
    const { round } = house(ops);
    for (let n = 0; n < 50; n += 1) {
      const notification = { id: `m${n}`, event: 'batch.held', batchId: null, body: '{}' };
      await store.notifications.put(notification, { targets: ['ops'], atMs: nowMs });
    }
    expect(await round()).toBe('40 delivered, 0 not');
    expect(await round()).toBe('10 delivered, 0 not');
  });
});
