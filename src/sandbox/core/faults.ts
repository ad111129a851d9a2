import type { Operation } from '../../spec/endpoints.ts';
import { random } from './random.ts';

/** What can go wrong with the answer to an operation. See README.md, "Faults". */
export const OPERATION_FAULTS = [
  'drop-before',
  'accept-then-drop',
  'status-500',
  'status-500-after',
  'delay-before-ms',
  'delay-ms',
  'truncate-body',
] as const;

export type OperationFault = (typeof OPERATION_FAULTS)[number];

/** What can go wrong with the webhooks of one event. */
export const WEBHOOK_FAULTS = ['drop', 'duplicate', 'shuffle'] as const;

export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export type FaultTarget = Operation | 'WEBHOOK';

/**
 * A fault that was asked for. Without `next` it never ends; without `probability` it fires every
 * time.
 */
export type FaultRule = Readonly<{
  target: FaultTarget;
  kind: OperationFault | WebhookFault;
  /** Fires at most this often. */
  next?: number | undefined;
  /** Fires with this chance, drawn from `seed`. */
  probability?: number | undefined;
  seed?: number | undefined;
  /** Length of a delay; for `shuffle` the longest one. */
  delayMs?: number | undefined;
  /** For `duplicate`: how often each webhook is sent in all. */
  copies?: number | undefined;
}>;

/** A rule with its history: how often it was asked, and how often it fired. */
export type Fault = Readonly<{ id: number; rule: FaultRule; drawn: number; fired: number }>;

export type FaultDraw = Readonly<{
  /** The faults that were asked, with their new counts. */
  drawn: readonly Fault[];
  fired: Fault | null;
}>;

/** Asks the faults of a target in their order until one fires. */
export function drawFault(
  faults: readonly Fault[],
  target: FaultTarget,
  kind?: FaultRule['kind'],
): FaultDraw {
  const drawn: Fault[] = [];
  for (const fault of faults) {
    if (fault.rule.target !== target || (kind !== undefined && fault.rule.kind !== kind)) continue;
    if (fault.fired >= (fault.rule.next ?? Number.POSITIVE_INFINITY)) continue;
    const fires = random(fault.rule.seed ?? 0, fault.drawn) < (fault.rule.probability ?? 1);
    const counted = { ...fault, drawn: fault.drawn + 1, fired: fault.fired + (fires ? 1 : 0) };
    drawn.push(counted);
    if (fires) return { drawn, fired: counted };
  }
  return { drawn, fired: null };
}
