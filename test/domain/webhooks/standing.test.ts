import { describe, expect, it } from '@jest/globals';
import { planEnsure } from '../../../src/domain/webhooks/ensure.ts';
import {
  hookUrl,
  isOurs,
  shownHookUrl,
  wasOurs,
} from '../../../src/domain/webhooks/hook-address.ts';
import { isSilent, judgeSubscriptions } from '../../../src/domain/webhooks/standing.ts';
import {
  conditionOf,
  failuresUntilBlock,
  type SubscriptionFacts,
} from '../../../src/domain/webhooks/subscription.ts';

const TOKEN = 'tokentokentokentokentokentokentoken';
const OLD_TOKEN = 'oldoldoldoldoldoldoldoldoldoldoldold';
const BASE = 'https://hooks.example';
const URL = hookUrl(BASE, TOKEN);
const HOOKS = { publicUrl: BASE, tokens: [TOKEN] };
const EVENTS = ['PAYOUT_CHANGE_STATUS', 'PAYOUT_CONFIRMED'];
const NOW_MS = Date.UTC(2026, 10, 21, 9);
const MINUTE_MS = 60_000;

const subscription = (more: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  id: 'a',
  url: URL,
  eventTypes: EVENTS,
  enabled: true,
  blocked: false,
  errorCount: 0,
  errorFirstMs: null,
  errorLastMs: null,
  ...more,
});

describe('the condition of a subscription', () => {
  it.each<[string, Partial<SubscriptionFacts>]>([
    ['OK', {}],
    ['OK', { errorCount: 20 }],
    ['NEAR_BLOCK', { errorCount: 21 }],
    ['INCOMPLETE', { eventTypes: ['PAYOUT_CONFIRMED'], errorCount: 99 }],
    ['DISABLED', { enabled: false, errorCount: 99, eventTypes: [] }],
    ['BLOCKED', { blocked: true, enabled: false, errorCount: 101 }],
  ])('is %s for %j', (condition, more) => {
    expect(conditionOf(subscription(more))).toBe(condition);
  });
});

describe('the failures until a subscription is blocked', () => {
  const failing = (errorCount: number, firstMinutes: number, lastMinutes: number) =>
    failuresUntilBlock(
      subscription({
        errorCount,
        errorFirstMs: NOW_MS - firstMinutes * MINUTE_MS,
        errorLastMs: NOW_MS - lastMinutes * MINUTE_MS,
      }),
      NOW_MS,
    );

  it('are 101 when none failed', () => {
    expect(failuresUntilBlock(subscription(), NOW_MS)).toBe(101);
  });

  it('are exact while the first failure is younger than ten minutes', () => {
    expect(failing(21, 9, 0)).toBe(80);
    expect(failing(100, 10, 0)).toBe(1);
  });

  it('count only webhooks that must have come in the last ten minutes when failures are older', () => {
    // 240 failures in two hours: 20 of them in ten minutes.
    expect(failing(240, 120, 0)).toBe(81);
    expect(failing(240, 120, 30)).toBe(101);
  });

  it('are never below zero', () => {
    expect(failing(5_000, 5, 0)).toBe(0);
  });
});

describe('the owner of an address', () => {
  it('is ours only with our host and a token that counts', () => {
    expect(isOurs(URL, HOOKS)).toBe(true);
    expect(isOurs(hookUrl(BASE, OLD_TOKEN), HOOKS)).toBe(false);
    expect(isOurs(hookUrl('https://other.example', TOKEN), HOOKS)).toBe(false);
    expect(isOurs(`${URL}x`, HOOKS)).toBe(false);
  });

  it('is decided by the token alone where the outside address is unknown', () => {
    const hooks = { publicUrl: null, tokens: [TOKEN] };
    expect(isOurs(hookUrl('https://other.example', TOKEN), hooks)).toBe(true);
    expect(isOurs(hookUrl(BASE, OLD_TOKEN), hooks)).toBe(false);
  });

  it('is no address of ours while there is no token', () => {
    expect(isOurs(`${BASE}/hooks/`, { publicUrl: BASE, tokens: [] })).toBe(false);
  });

  it('was ours with another host, or with a token of the past', () => {
    expect(wasOurs(hookUrl(BASE, OLD_TOKEN), HOOKS)).toBe(true);
    expect(wasOurs(hookUrl('https://old.example', TOKEN), HOOKS)).toBe(true);
    expect(wasOurs(URL, HOOKS)).toBe(false);
    expect(wasOurs('https://shop.example/hooks/orders', HOOKS)).toBe(false);
  });

  it.each([
    [URL, `${BASE}/hooks/...`],
    ['https://shop.example/secret?token=1', 'https://shop.example/...'],
    ['https://ann:pw@shop.example/x', 'https://shop.example/...'],
    ['nonsense', '/...'],
  ])('is shown without secrets: %s', (url, shown) => {
    expect(shownHookUrl(url)).toBe(shown);
  });
});

describe('the state of webhooks', () => {
  it('are missing without a subscription of ours, and unused where the bridge has no outside address', () => {
    const others = [subscription({ url: 'https://shop.example/in' })];
    expect(judgeSubscriptions(others, HOOKS).condition).toBe('MISSING');
    expect(judgeSubscriptions(others, { ...HOOKS, publicUrl: null }).condition).toBe('UNUSED');
  });

  it('is as good as the best of our subscriptions, and names the others', () => {
    const blocked = subscription({ id: 'blocked', blocked: true });
    const good = subscription({ id: 'good' });
    const failing = subscription({ id: 'failing', errorCount: 50 });
    const standing = judgeSubscriptions([blocked, failing, good], HOOKS);
    expect(standing.condition).toBe('OK');
    expect(standing.ours).toBe(good);
    expect(standing.duplicates.map(({ id }) => id)).toEqual(['failing', 'blocked']);
  });

  it('names subscriptions with our former address', () => {
    const stray = subscription({ url: hookUrl(BASE, OLD_TOKEN) });
    expect(judgeSubscriptions([stray], HOOKS)).toMatchObject({
      condition: 'MISSING',
      strays: [stray],
    });
  });
});

describe('the step that puts a subscription in order', () => {
  const wanted = { url: URL, eventTypes: EVENTS };
  const plan = (...subscriptions: SubscriptionFacts[]) =>
    planEnsure(judgeSubscriptions(subscriptions, HOOKS), wanted);

  it('is to create one where there is none', () => {
    expect(plan()).toEqual({ act: 'create', ...wanted });
    expect(plan(subscription({ url: 'https://shop.example/in' }))).toMatchObject({ act: 'create' });
  });

  it('is none when it is in order, with more event types too', () => {
    expect(plan(subscription())).toEqual({ act: 'nothing', id: 'a' });
    const more = subscription({ eventTypes: ['INVOICE_PAID', ...EVENTS] });
    expect(plan(more)).toEqual({ act: 'nothing', id: 'a' });
  });

  it('is to add the missing event types, and to remove none', () => {
    expect(plan(subscription({ eventTypes: ['INVOICE_PAID', 'PAYOUT_CONFIRMED'] }))).toEqual({
      act: 'change',
      id: 'a',
      url: URL,
      eventTypes: ['INVOICE_PAID', 'PAYOUT_CONFIRMED', 'PAYOUT_CHANGE_STATUS'],
    });
  });

  it('is to change the address of one that had our address once', () => {
    const stray = subscription({ url: hookUrl(BASE, OLD_TOKEN) });
    expect(plan(stray)).toEqual({ act: 'change', id: 'a', ...wanted });
    expect(plan({ ...stray, blocked: true })).toEqual({ act: 'create', ...wanted });
    expect(plan({ ...stray, enabled: false })).toEqual({ act: 'create', ...wanted });
  });

  it('is to move to the first token while two count', () => {
    const hooks = { publicUrl: BASE, tokens: [TOKEN, OLD_TOKEN] };
    const old = subscription({ url: hookUrl(BASE, OLD_TOKEN) });
    const step = planEnsure(judgeSubscriptions([old], hooks), wanted);
    expect(step).toEqual({ act: 'change', id: 'a', ...wanted });
  });

  it('is a new one in place of one that is disabled', () => {
    expect(plan(subscription({ enabled: false }))).toEqual({ act: 'replace', id: 'a', ...wanted });
  });

  it("is a person's work when it is blocked", () => {
    expect(plan(subscription({ blocked: true, enabled: false }))).toEqual({
      act: 'unblock',
      id: 'a',
    });
  });
});

describe('silence', () => {
  const at = (minutesAgo: number): number => NOW_MS - minutesAgo * MINUTE_MS;

  it.each([
    ['nothing changed', null, null, false],
    ['nothing changed, and a webhook came long ago', null, at(9_999), false],
    ['something changed, and none ever came', at(10), null, true],
    ['something changed, and the last one came long before', at(10), at(60), true],
    ['something changed, and one came just before', at(10), at(10.9), false],
    ['something changed, and one came after', at(10), at(2), false],
  ])('when %s: %s', (_name, changedAtMs, lastReceivedAtMs, silent) => {
    expect(isSilent({ changedAtMs, lastReceivedAtMs })).toBe(silent);
  });
});
