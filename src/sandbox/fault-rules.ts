import { z } from 'zod';
import { OPERATIONS } from '../spec/endpoints.ts';
import { OPERATION_FAULTS, WEBHOOK_FAULTS } from './core/faults.ts';

/** When a fault fires. */
const Firing = {
  next: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
};

const DelayMs = z.int().min(1).max(600_000);

const isDelay = (kind: string): boolean => kind.startsWith('delay');

const OperationFaultRule = z
  .strictObject({
    target: z.enum(OPERATIONS),
    kind: z.enum(OPERATION_FAULTS),
    delayMs: DelayMs.optional(),
    ...Firing,
  })
  .refine(({ kind, delayMs }) => isDelay(kind) === (delayMs !== undefined), {
    error: 'delayMs belongs to delays, and to nothing else',
  });

const WebhookFaultRule = z
  .strictObject({
    target: z.literal('WEBHOOK'),
    kind: z.enum(WEBHOOK_FAULTS),
    delayMs: DelayMs.optional(),
    copies: z.int().min(2).max(100).optional(),
    ...Firing,
  })
  .refine(({ kind, delayMs }) => (kind === 'shuffle') === (delayMs !== undefined), {
    error: 'delayMs belongs to shuffle, and to nothing else',
  })
  .refine(({ kind, copies }) => (kind === 'duplicate') === (copies !== undefined), {
    error: 'copies belongs to duplicate, and to nothing else',
  });

/** A fault as the admin API and the settings take it. */
export const FaultRuleInput = z.discriminatedUnion('target', [
  OperationFaultRule,
  WebhookFaultRule,
]);
