import { flagInvalid } from '../../operations/input/flag-error.ts';

/** A rule of the sandbox (packages/sandbox/README.md, "Faults"). */
type FaultRule = Readonly<{ target: string; kind: string }> & Readonly<Record<string, unknown>>;

type DrillFault = Readonly<{ means: string; rules: readonly FaultRule[] }>;

/** How often each fault of a create happens. */
const CREATES = 2;
/** How late a request is carried out that seemed lost, in milliseconds: before its fence. */
const LATE_MS = 2_000;
/** Which share of the webhooks a fault meets. */
const WEBHOOKS = { probability: 0.5, seed: 1 };

const ofCreate = (kind: string, more: object = {}): FaultRule => ({
  target: 'MASS_CREATE',
  kind,
  next: CREATES,
  ...more,
});
const ofWebhooks = (kind: string, more: object = {}): FaultRule => ({
  target: 'WEBHOOK',
  kind,
  ...WEBHOOKS,
  ...more,
});

/** The faults of a drill by their names. Every kind of rule belongs to one name. */
export const DRILL_FAULTS = {
  'lost-answer': {
    means: 'the service took the payment, and its answer was lost',
    rules: [ofCreate('accept-then-drop')],
  },
  'no-answer': {
    means: 'the service took the payment, and never answered',
    rules: [ofCreate('hang-after')],
  },
  'lost-request': {
    means: 'the request was lost before the service read it',
    rules: [ofCreate('drop-before')],
  },
  'late-request': {
    means: 'the connection was cut, and the service took the payment later',
    rules: [ofCreate('drop-then-accept', { delayMs: LATE_MS, timestampAt: 'acceptance' })],
  },
  'server-error': {
    means: 'the service answered with status 500 after it took the payment',
    rules: [ofCreate('status-500-after')],
  },
  'half-answer': {
    means: 'half of an answer arrived',
    rules: [ofCreate('truncate-body')],
  },
  throttling: {
    means: 'the service asked for a pause (status 429)',
    rules: [ofCreate('status', { httpStatus: 429, retryAfterS: 1 })],
  },
  'failed-reads': {
    means: 'a read of a payment failed',
    rules: [{ target: 'MASS_GET', kind: 'status-500', next: 6 }],
  },
  'lost-webhooks': { means: 'a webhook was lost', rules: [ofWebhooks('drop')] },
  'double-webhooks': {
    means: 'a webhook came three times',
    rules: [ofWebhooks('duplicate', { copies: 3 })],
  },
  'shuffled-webhooks': {
    means: 'a webhook came late and out of order',
    rules: [ofWebhooks('shuffle', { delayMs: LATE_MS })],
  },
} as const satisfies Readonly<Record<string, DrillFault>>;

export type DrillFaultName = keyof typeof DRILL_FAULTS;

const NAMES = Object.keys(DRILL_FAULTS) as DrillFaultName[];

/** The faults that `--faults` names, with commas; all without it. Throws FLAG_INVALID. */
export function readFaultNames(text: string | undefined): readonly DrillFaultName[] {
  if (text === undefined || text === 'all') return NAMES;
  return text.split(',').map((part) => {
    const name = NAMES.find((one) => one === part.trim());
    if (name !== undefined) return name;
    throw flagInvalid('--faults', `"${part.trim()}" is none of ${NAMES.join(', ')}, or all`);
  });
}

/** The rules of some faults, as the sandbox takes them in its settings. */
export const rulesOf = (names: readonly DrillFaultName[]): readonly FaultRule[] =>
  names.flatMap((name): readonly FaultRule[] => DRILL_FAULTS[name].rules);
