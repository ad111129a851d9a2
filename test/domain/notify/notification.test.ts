import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isNotifyEvent,
  type NotifiableEvent,
  NOTIFY_EVENTS,
  type NotifyEvent,
} from '../../../src/domain/notify/events.ts';
import { notificationOf } from '../../../src/domain/notify/notification.ts';

const TELLER = {
  account: '0xaccount',
  pageOf: (batchId: string) => `http://ui/batch/${batchId}`,
};
const AT = '2026-11-21T09:00:00.000Z';

const news = (more: Partial<NotifiableEvent> = {}): NotifiableEvent => ({
  event: 'batch.awaiting_funds',
  batchId: 'payroll-1',
  key: '1',
  data: { needed: '10.5 TRX', available: '3 TRX' },
  ...more,
});

const write = (more: Partial<NotifiableEvent> = {}, teller = TELLER) =>
  notificationOf(news(more), teller, AT);
const dataOf = (more: Partial<NotifiableEvent> = {}) =>
  (JSON.parse(write(more).body) as { data: Record<string, unknown> }).data;

describe('the payload of a notification', () => {
  it('has type, timestamp and data, with the batch, its page and the commands that help', () => {
    expect(JSON.parse(write().body)).toEqual({
      type: 'batch.awaiting_funds',
      timestamp: AT,
      data: {
        needed: '10.5 TRX',
        available: '3 TRX',
        batchId: 'payroll-1',
        url: 'http://ui/batch/payroll-1',
        tells: NOTIFY_EVENTS['batch.awaiting_funds'].tells,
        commands: ['bursar status payroll-1'],
      },
    });
  });

  it('fills in the commands of a schedule, and leaves out a command with a missing part', () => {
    const missed = { event: 'schedule.missed', batchId: null } as const;
    expect(dataOf({ ...missed, data: { scheduleId: 'payroll' } })['commands']).toEqual([
      'bursar schedule show payroll',
    ]);
    expect(dataOf({ ...missed, data: {} })['commands']).toEqual([]);
  });

  it.each([
    ['an address of EVM', 'pay 0xdEADbeEF00000000000000000000000000000001 later'],
    ['an address of TRON', 'row 3 (TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK)'],
    ['an address of Solana', '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'],
    ['an address in bech32', 'to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq!'],
    ['an address of TON', 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'],
  ])('never carries %s, wherever it was written', (_name, text) => {
    const [word = ''] = text.match(/\w[\w-]{25,}/) ?? [];
    const { body } = write({ data: { reason: text, list: [text] } });
    expect(word).not.toBe('');
    expect(body).not.toContain(word);
  });

  it('never carries an e-mail address, wherever it was written', () => {
    const reason = 'ask ann.lee+pay@house.example (or <bob@x.example>) first';
    expect(dataOf({ data: { reason, list: [reason] } })).toMatchObject({
      reason: 'ask ... (or <...>) first',
      list: ['ask ... (or <...>) first'],
    });
  });

  it('keeps texts that are no addresses: digests, ids and batches', () => {
    const data = {
      digest: `sha256:${'ab12'.repeat(16)}`,
      id: '3f6f2a8e-5f0b-4d0c-9a57-0e6f6a2f3c11',
      reason: 'Payroll-2026-November-Berlin-Office-Run2 is held',
      rows: 1_000_000,
    };
    expect(dataOf({ data })).toMatchObject(data);
  });

  it('stays small and in one line each, for any text', () => {
    const reason = `${'long '.repeat(5_000)}\u0000\u001b[31m\n`;
    const { body } = write({ data: { reason, list: Array.from({ length: 999 }, () => reason) } });
    expect(body.length).toBeLessThan(20_000);
    expect(body).not.toMatch(/\\u00|\\n/);
  });
});

describe('the id of a notification', () => {
  it('is the same for the same event, at any time and with any data', () => {
    const later = notificationOf(news({ data: {} }), TELLER, '2027-01-01T00:00:00.000Z');
    expect(later.id).toBe(write().id);
  });

  it.each<[string, Partial<NotifiableEvent>]>([
    ['another event', { event: 'batch.held' }],
    ['another batch', { batchId: 'payroll-2' }],
    ['another key', { key: '2' }],
    ['no batch', { batchId: null }],
  ])('is another one for %s', (_name, more) => {
    expect(write(more).id).not.toBe(write().id);
  });

  it('is another one for another account', () => {
    expect(write({}, { ...TELLER, account: '0xother' }).id).not.toBe(write().id);
  });

  it('holds no full stop, which would let a signature fit another text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (batchId, key) => {
        expect(write({ batchId, key }).id).toMatch(/^msg_[0-9a-f]{32}$/);
      }),
    );
  });

  it('cannot be made equal by moving text from the batch to the key', () => {
    expect(write({ batchId: 'a', key: 'b|c' }).id).not.toBe(write({ batchId: 'a|b', key: 'c' }).id);
  });
});

describe('the list of events', () => {
  it.each(Object.keys(NOTIFY_EVENTS) as NotifyEvent[])('describes %s', (event) => {
    expect(event).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(NOTIFY_EVENTS[event].tells).toMatch(/^\S.{10,}[^.]$/);
    expect(isNotifyEvent(event)).toBe(true);
  });

  it('has no event by the name of a property of every object', () => {
    expect(['toString', 'constructor', '__proto__'].some(isNotifyEvent)).toBe(false);
  });
});
