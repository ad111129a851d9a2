import { describe, expect, it } from '@jest/globals';
import { NOTIFY_EVENTS, type NotifyEvent } from '../../../src/domain/notify/events.ts';
import { notificationOf } from '../../../src/domain/notify/notification.ts';
import { notificationText, plainLines } from '../../../src/domain/notify/notification-text.ts';

const EVENTS = Object.keys(NOTIFY_EVENTS) as NotifyEvent[];

const textOf = (event: NotifyEvent, data = {}, webUrl?: string) => {
  const batchId = event.startsWith('batch.') || event === 'report.changed' ? 'b' : null;
  const all = { ...(batchId && { batchId }), scheduleId: 's', ...data };
  const sender = { account: 'a', pageOf: () => 'http://ui', webUrl };
  const at = '2026-11-21T09:00:00.000Z';
  return notificationText(notificationOf({ event, batchId, key: '1', data: all }, sender, at).body);
};

describe('the text of a notification', () => {
  it.each(EVENTS)('of %s has a subject whose places are filled', (event) => {
    expect(textOf(event).subject).toMatch(/^[A-Z][^{}]+$/);
  });

  it.each(EVENTS)('of %s repeats nothing that a person typed', (event) => {
    const typed = {
      reason: 'CANARY',
      by: 'CANARY',
      comment: 'CANARY',
      fix: 'CANARY',
      what: 'CANARY',
    };
    expect(plainLines(textOf(event, typed)).join('\n')).not.toContain('CANARY');
  });

  it('has the totals of a batch that ended', () => {
    const data = { rows: 3, paid: 2, failed: 1, unknown: 0, notSent: 0, amounts: ['2 of 3 BTC'] };
    expect(textOf('batch.partial', data).facts).toContainEqual(['Payments failed', '1']);
    expect(textOf('batch.partial', data).facts).toContainEqual(['Paid', '2.00 of 3.00 BTC']);
  });

  it('has a link only where the address of the web app is set', () => {
    expect(textOf('batch.held').link).toBeNull();
    expect(textOf('batch.held', {}, 'https://w').link).toBe('https://w/#/batches/b');
    expect(textOf('schedule.missed', {}, 'https://w').link).toBe('https://w/#/schedules');
    expect(textOf('webhooks.blocked', {}, 'https://w').link).toBeNull();
  });
});
