import type { Operation } from '@bursar/merchant-api/spec';
import { random } from './random.ts';

/** What a fault of an operation does to a request. */
export type FaultPlan = Readonly<{
  /** Whether the request is decided: at once, never, or after its connection was given up. */
  decides: 'now' | 'never' | 'late';
  /** What becomes of the answer. */
  sends: AnswerDelivery;
}>;

export type AnswerDelivery =
  | 'answer'
  | 'other-status'
  | 'half-then-close'
  | 'half-then-reset'
  | 'half-as-whole'
  | 'wrong-type'
  | 'oversized'
  | 'nothing-and-close'
  | 'nothing';

/** What can go wrong with the answer to an operation. See README.md, "Faults". */
const OPERATION_FAULT_PLANS = {
  'drop-before': { decides: 'never', sends: 'nothing-and-close' },
  'accept-then-drop': { decides: 'now', sends: 'nothing-and-close' },
  'hang-before': { decides: 'never', sends: 'nothing' },
  'hang-after': { decides: 'now', sends: 'nothing' },
  'drop-then-accept': { decides: 'late', sends: 'nothing-and-close' },
  'hang-then-accept': { decides: 'late', sends: 'nothing' },
  'status-500': { decides: 'never', sends: 'other-status' },
  'status-500-after': { decides: 'now', sends: 'other-status' },
  status: { decides: 'never', sends: 'other-status' },
  'status-after': { decides: 'now', sends: 'other-status' },
  'delay-before-ms': { decides: 'now', sends: 'answer' },
  'delay-ms': { decides: 'now', sends: 'answer' },
  'truncate-body': { decides: 'now', sends: 'half-then-close' },
  'reset-body': { decides: 'now', sends: 'half-then-reset' },
  'cut-json': { decides: 'now', sends: 'half-as-whole' },
  'wrong-content-type': { decides: 'now', sends: 'wrong-type' },
  'oversize-body': { decides: 'now', sends: 'oversized' },
} as const satisfies Record<string, FaultPlan>;

export type OperationFault = keyof typeof OPERATION_FAULT_PLANS;

export const OPERATION_FAULTS = Object.keys(OPERATION_FAULT_PLANS) as readonly OperationFault[];

/** What can go wrong with the webhooks of one event. */
export const WEBHOOK_FAULTS = ['drop', 'duplicate', 'shuffle', 'late'] as const;

export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export type FaultTarget = Operation | 'WEBHOOK';

/** Pages that a proxy may answer instead of the service. */
export const FAULT_PAGES = ['json', 'html', 'empty'] as const;

/**
 * A fault that was asked for. Without `next` it never ends; without `probability` it fires every
 * time.
 */
export type FaultRule = Readonly<{
  target: FaultTarget;
  kind: OperationFault | WebhookFault;
  /** Only requests that name this account. */
  account?: string | undefined;
  /** Only requests with this key. */
  idempotencyKey?: string | undefined;
  /** Leaves that many requests alone before it begins. */
  skip?: number | undefined;
  /** Fires at most this often. */
  next?: number | undefined;
  /** Fires with this chance, drawn from `seed`. */
  probability?: number | undefined;
  seed?: number | undefined;
  /** Length of a delay; for `shuffle` the longest one. */
  delayMs?: number | undefined;
  /** For late acceptance: when the timestamp is compared with the clock. */
  timestampAt?: 'arrival' | 'acceptance' | undefined;
  /** For `status` and `status-after`: the answer that takes the place of the service's. */
  httpStatus?: number | undefined;
  page?: (typeof FAULT_PAGES)[number] | undefined;
  retryAfterS?: number | undefined;
  location?: string | undefined;
  /** For `oversize-body`: bytes of the answer. */
  sizeBytes?: number | undefined;
  /** For `duplicate`: how often each webhook is sent in all. */
  copies?: number | undefined;
}>;

/** A rule with its history: how often it was asked, and how often it fired. */
export type Fault = Readonly<{ id: number; rule: FaultRule; drawn: number; fired: number }>;

const NO_FAULT: FaultPlan = { decides: 'now', sends: 'answer' };

export const planOf = (rule: FaultRule | undefined): FaultPlan =>
  rule === undefined || !isOperationFault(rule.kind) ? NO_FAULT : OPERATION_FAULT_PLANS[rule.kind];

const isOperationFault = (kind: FaultRule['kind']): kind is OperationFault =>
  Object.hasOwn(OPERATION_FAULT_PLANS, kind);

/** What a rule may ask of a request. */
export type RequestFacts = Readonly<{ account: string | null; idempotencyKey: string | null }>;

export type FaultDraw = Readonly<{
  /** The faults that were asked, with their new counts. */
  drawn: readonly Fault[];
  fired: Fault | null;
}>;

/** What the faults are asked about; `facts` is called only when a rule wants to know. */
export type FaultOccasion = Readonly<{
  target: FaultTarget;
  kind?: FaultRule['kind'] | undefined;
  facts?: (() => RequestFacts) | undefined;
}>;

/** Asks the faults of a target in their order until one fires. */
export function drawFault(faults: readonly Fault[], occasion: FaultOccasion): FaultDraw {
  const drawn: Fault[] = [];
  for (const fault of faults) {
    if (!isMeant(fault, occasion)) continue;
    const fires = isItsTurn(fault);
    const counted = { ...fault, drawn: fault.drawn + 1, fired: fault.fired + (fires ? 1 : 0) };
    drawn.push(counted);
    if (fires) return { drawn, fired: counted };
  }
  return { drawn, fired: null };
}

function isMeant({ rule, fired }: Fault, { target, kind, facts }: FaultOccasion): boolean {
  if (rule.target !== target || (kind !== undefined && rule.kind !== kind)) return false;
  if (fired >= (rule.next ?? Number.POSITIVE_INFINITY)) return false;
  if (rule.account === undefined && rule.idempotencyKey === undefined) return true;
  const asked = facts?.();
  const isSame = (wanted: string | undefined, given: string | null | undefined): boolean =>
    wanted === undefined || wanted.toLowerCase() === given?.toLowerCase();
  return isSame(rule.account, asked?.account) && isSame(rule.idempotencyKey, asked?.idempotencyKey);
}

function isItsTurn({ rule, drawn }: Fault): boolean {
  const isSkipped = drawn < (rule.skip ?? 0);
  return !isSkipped && random(rule.seed ?? 0, drawn) < (rule.probability ?? 1);
}
