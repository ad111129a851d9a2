import { z } from 'zod';
import type { AdminFaultKind } from './admin/index.ts';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import {
  FAULT_PAGES,
  type FaultRule,
  OPERATION_FAULTS,
  type OperationFault,
  WEBHOOK_FAULTS,
  type WebhookFault,
} from './core/faults.ts';

/** The fields that decide when a fault fires. */
const Firing = {
  skip: z.int().min(0).optional(),
  next: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
};

const DelayMs = z.int().min(1).max(600_000);

const SIZE_BYTES_MAX = 2_000_000_000;

/** Fields that belong to some kinds only. A rule of the kind must have those of `needs`. */
type KindFields = Readonly<{
  needs: readonly (keyof FaultRule)[];
  may?: readonly (keyof FaultRule)[];
}>;

const PLAIN: KindFields = { needs: [] };
const LATE: KindFields = { needs: ['delayMs', 'timestampAt'] };
const STATUS: KindFields = { needs: ['httpStatus'], may: ['page', 'retryAfterS', 'location'] };

const FIELDS_OF_KIND: Readonly<Partial<Record<OperationFault, KindFields>>> = {
  'delay-before-ms': { needs: ['delayMs'] },
  'delay-ms': { needs: ['delayMs'] },
  'drop-then-accept': LATE,
  'hang-then-accept': LATE,
  status: STATUS,
  'status-after': STATUS,
  'oversize-body': { needs: ['sizeBytes'] },
};

/** The fields of each kind of fault, besides those that every fault has. */
export const FAULT_KINDS = [
  ...OPERATION_FAULTS.map((kind) => kindRecord('operation', kind, FIELDS_OF_KIND[kind] ?? PLAIN)),
  ...WEBHOOK_FAULTS.map((kind) => kindRecord('WEBHOOK', kind, { needs: webhookFields(kind) })),
];

function kindRecord(
  target: 'operation' | 'WEBHOOK',
  kind: FaultRule['kind'],
  { needs, may = [] }: KindFields,
): AdminFaultKind {
  return { target, kind, needs, may };
}

function webhookFields(kind: WebhookFault): (keyof FaultRule)[] {
  if (kind === 'duplicate') return ['copies'];
  return isDelayed(kind) ? ['delayMs'] : [];
}

const OperationFaultRule = z
  .strictObject({
    target: z.enum(OPERATIONS),
    kind: z.enum(OPERATION_FAULTS),
    account: z.string().max(100).optional(),
    idempotencyKey: z.string().max(100).optional(),
    delayMs: DelayMs.optional(),
    timestampAt: z.enum(['arrival', 'acceptance']).optional(),
    httpStatus: z.int().min(300).max(599).optional(),
    page: z.enum(FAULT_PAGES).optional(),
    retryAfterS: z.int().min(0).max(1_000_000).optional(),
    location: z.url().max(2_000).optional(),
    sizeBytes: z.int().min(1).max(SIZE_BYTES_MAX).optional(),
    ...Firing,
  })
  .superRefine(checkFieldsOfKind);

const KIND_FIELDS = [...new Set(Object.values(FIELDS_OF_KIND).flatMap(fieldsOf))];

function fieldsOf({ needs, may = [] }: KindFields): (keyof FaultRule)[] {
  return [...needs, ...may];
}

function checkFieldsOfKind(
  rule: FaultRule & { kind: OperationFault },
  context: z.RefinementCtx,
): void {
  const fields = FIELDS_OF_KIND[rule.kind] ?? PLAIN;
  const problem = (field: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });
  for (const field of fields.needs) {
    if (rule[field] === undefined) problem(field, `${rule.kind} needs it`);
  }
  for (const field of KIND_FIELDS) {
    const isStray = rule[field] !== undefined && !fieldsOf(fields).includes(field);
    if (isStray) problem(field, `${rule.kind} has no use for it`);
  }
}

function isDelayed(kind: WebhookFault): boolean {
  return kind === 'shuffle' || kind === 'late';
}

const WebhookFaultRule = z
  .strictObject({
    target: z.literal('WEBHOOK'),
    kind: z.enum(WEBHOOK_FAULTS),
    delayMs: DelayMs.optional(),
    copies: z.int().min(2).max(100).optional(),
    ...Firing,
  })
  .refine(({ kind, delayMs }) => isDelayed(kind) === (delayMs !== undefined), {
    error: 'delayMs belongs to shuffle and late, and to nothing else',
  })
  .refine(({ kind, copies }) => (kind === 'duplicate') === (copies !== undefined), {
    error: 'copies belongs to duplicate, and to nothing else',
  });

/** A fault in the form of the admin API and the settings. */
export const FaultRuleInput = z.discriminatedUnion('target', [
  OperationFaultRule,
  WebhookFaultRule,
]);
