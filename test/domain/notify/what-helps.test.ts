import { describe, expect, it } from '@jest/globals';
import { notificationOf } from '../../../src/domain/notify/notification.ts';
import { helpOfEnd, helpOfHold } from '../../../src/domain/notify/what-helps.ts';
import type { NotifyData, NotifyEvent } from '../../../src/domain/notify/events.ts';

const TELLER = { account: '0xaccount', pageOf: () => 'http://ui' };

function commandsOf(event: NotifyEvent, data: NotifyData): readonly string[] {
  const news = { event, batchId: 'pay', key: '1', data };
  const { body } = notificationOf(news, TELLER, '2026-11-21T09:00:00.000Z');
  return (JSON.parse(body) as { data: { commands: string[] } }).data.commands;
}

const HOLD = { n: 1, reason: 'r', by: 'rule', since: '2026-11-21T09:00:00.000Z', facts: {} };

describe('the commands that a notification names', () => {
  it.each([
    { kind: 'STOP_LOSS', isAsked: true, goesOnBy: 'approve' },
    { kind: 'STOP_LOSS', isAsked: false, goesOnBy: 'resume' },
    { kind: 'PAUSE', isAsked: true, goesOnBy: 'resume' },
  ] as const)('lift a $kind of a batch by $goesOnBy', ({ kind, isAsked, goesOnBy }) => {
    expect(commandsOf('batch.held', helpOfHold({ ...HOLD, kind }, isAsked))).toEqual([
      'bursar status pay',
      `bursar ${goesOnBy} pay`,
    ]);
  });

  const NOTHING = { total: 4, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 };
  const UNSENT = { ...NOTHING, notSent: 4 };
  const FRESH = { hasError: false, isResend: false, wasDeclined: false };
  const REPORT = 'bursar report pay';
  const RESEND = 'bursar resend pay';

  it.each([
    ['whose rows all failed', { ...NOTHING, failed: 4 }, FRESH, [REPORT, RESEND]],
    [
      'of which nothing was sent',
      UNSENT,
      { ...FRESH, hasError: true },
      [REPORT, 'bursar submit FILE --id pay-2'],
    ],
    ['that was declined', UNSENT, { ...FRESH, wasDeclined: true }, [REPORT, RESEND]],
    [
      'that is a resend, of which nothing was sent',
      UNSENT,
      { ...FRESH, hasError: true, isResend: true },
      [REPORT, RESEND],
    ],
    ['with unknown rows', { ...NOTHING, failed: 3, unknown: 1 }, FRESH, [REPORT]],
  ])('pay the rest of a batch %s', (_what, rows, more, commands) => {
    const data = { batchId: 'pay', ...helpOfEnd('pay', { state: 'FAILED', rows, ...more }) };
    expect(commandsOf('batch.failed', data)).toEqual(commands);
  });
});
