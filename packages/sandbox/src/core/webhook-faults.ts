import type { Fault, WebhookFault } from './faults.ts';
import { random } from './random.ts';

/** One copy of the webhooks of an event. A delay of null: it is never sent. */
export type PlannedCopy = Readonly<{ delayMs: number | null; fault: string | null }>;

export type DrawWebhookFault = (kind: WebhookFault) => Fault | null;

/** Returns the copies of the webhooks of one event. Without faults, one copy at once. */
export function planCopies(draw: DrawWebhookFault): PlannedCopy[] {
  if (draw('drop') !== null) return [{ delayMs: null, fault: 'drop' }];
  const duplicate = draw('duplicate');
  return Array.from({ length: duplicate?.rule.copies ?? 1 }, () => {
    const late = draw('late');
    const shuffle = draw('shuffle');
    const fired = [duplicate, late, shuffle].flatMap((fault) => fault?.rule.kind ?? []);
    return {
      delayMs: (late?.rule.delayMs ?? 0) + shuffledMs(shuffle),
      fault: fired.length === 0 ? null : fired.join('+'),
    };
  });
}

function shuffledMs(fault: Fault | null): number {
  if (fault === null) return 0;
  const { seed = 0, delayMs = 0 } = fault.rule;
  return Math.floor(random(seed, fault.drawn) * delayMs);
}
