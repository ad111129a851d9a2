import type { Operation } from '@bursar/merchant-api/spec';
import { random } from './random.ts';

/** The effect of a fault on a request to an operation. */
export type FaultPlan = Readonly<{
  /** When the sandbox processes the request: at once, never, or after it closed the connection. */
  decides: 'now' | 'never' | 'late';
  /** The answer that leaves. */
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

/** The faults of operations. See README.md, "Faults". */
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

/** The faults of the webhooks of one event. */
export const WEBHOOK_FAULTS = ['drop', 'duplicate', 'shuffle', 'late'] as const;

export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export type FaultTarget = Operation | 'WEBHOOK';

/** The bodies of an error answer: the service's own, and two that a proxy could send. */
export const FAULT_PAGES = ['json', 'html', 'empty'] as const;

/**
 * A fault as a person orders it. Without `next` it never ends. Without `probability` it fires every
 * time.
 */
export type FaultRule = Readonly<{
  target: FaultTarget;
  kind: OperationFault | WebhookFault;
  /** The fault fires only for requests that name this account. */
  account?: string | undefined;
  /** The fault fires only for requests with this key. */
  idempotencyKey?: string | undefined;
  /** The fault ignores so many requests before it starts. */
  skip?: number | undefined;
  /** The most times that the fault fires. */
  next?: number | undefined;
  /** The chance of firing, drawn from `seed`. */
  probability?: number | undefined;
  seed?: number | undefined;
  /** The length of a delay. For `shuffle` the longest one. */
  delayMs?: number | undefined;
  /** For a request that is processed late: when its timestamp is compared with the clock. */
  timestampAt?: 'arrival' | 'acceptance' | undefined;
  /** For `status` and `status-after`: the status of the answer that replaces the service's. */
  httpStatus?: number | undefined;
  page?: (typeof FAULT_PAGES)[number] | undefined;
  retryAfterS?: number | undefined;
  location?: string | undefined;
  /** For `oversize-body`: the bytes of the answer. */
  sizeBytes?: number | undefined;
  /** For `duplicate`: how many times each webhook is sent in total. */
  copies?: number | undefined;
}>;

/** A rule with its counts: `drawn` requests could have met it, and it fired for `fired` of them. */
export type Fault = Readonly<{ id: number; rule: FaultRule; drawn: number; fired: number }>;

const NO_FAULT: FaultPlan = { decides: 'now', sends: 'answer' };

export const planOf = (rule: FaultRule | undefined): FaultPlan =>
  rule === undefined || !isOperationFault(rule.kind) ? NO_FAULT : OPERATION_FAULT_PLANS[rule.kind];

const isOperationFault = (kind: FaultRule['kind']): kind is OperationFault =>
  Object.hasOwn(OPERATION_FAULT_PLANS, kind);

/** The parts of a request that a rule can name. */
export type RequestFacts = Readonly<{ account: string | null; idempotencyKey: string | null }>;

export type FaultDraw = Readonly<{
  /** The faults that were drawn, with their new counts. */
  drawn: readonly Fault[];
  fired: Fault | null;
}>;

/**
 * The request or webhook for which a fault is drawn. `facts` is called only when a rule names an
 * account or a key.
 */
export type FaultOccasion = Readonly<{
  target: FaultTarget;
  kind?: FaultRule['kind'] | undefined;
  facts?: (() => RequestFacts) | undefined;
}>;

/** Draws the faults of a target in their order until one fires. */
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
