import { setTimeout as pause } from 'node:timers/promises';
import type { RequestKind, SandboxDesk } from '../stack/desk.ts';
import { type Fault, untilMet } from './fault.ts';

const LASTS_MS = [2_000, 4_000] as const;
/** What part of the requests it meets. */
const SHARE = 0.6;
const RETRY_MS = 300;
/** No more than the margin of the fence allows for. */
const CLOCK_OFF_MS = 1_000;
const LOOKUP_LAG_MS = 700;
const LATE_MS = 2_500;

const THROTTLED: RequestKind = { query: 'status=429' };
/** Only they must not be old. */
const CREATES: RequestKind = { query: 'operation=MASS_CREATE' };
/** Keys that were not found, be it for the lag or since there was nothing. */
const MISSED_KEYS: RequestKind = {
  query: 'operation=MASS_GET&status=404',
  isMet: ({ idempotencyKey }) => idempotencyKey !== null,
};

/** What the service does wrong with creates, and with what is asked of it. */
const OPERATION_FAULTS: readonly (readonly [name: string, rule: object])[] = [
  ['create: accepted, connection cut', { kind: 'accept-then-drop' }],
  ['create: accepted, never answered', { kind: 'hang-after' }],
  ['create: connection cut before it was read', { kind: 'drop-before' }],
  [
    'create: connection cut, accepted later',
    { kind: 'drop-then-accept', delayMs: LATE_MS, timestampAt: 'acceptance' },
  ],
  [
    'create: never answered, accepted later',
    { kind: 'hang-then-accept', delayMs: LATE_MS, timestampAt: 'acceptance' },
  ],
  ['create: 500, and not accepted', { kind: 'status-500' }],
  ['create: 500, and accepted', { kind: 'status-500-after' }],
  ['create: half an answer', { kind: 'truncate-body' }],
  ['create: half an answer that looks whole', { kind: 'cut-json' }],
];

/** The admin API may be down: whoever plays the service tries until it is not. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      await pause(RETRY_MS);
    }
  }
}

/** A setting of the service that is wrong for a while. */
type Setting = Readonly<{ begin(): Promise<unknown>; end(): Promise<unknown> }>;

export function serviceFaults(desk: SandboxDesk): Fault[] {
  const played = (name: string, rule: object): Fault => ({
    name,
    lastsMs: LASTS_MS,
    async happen(ms) {
      const id = await insist(() => desk.addFault({ probability: SHARE, ...rule }));
      await untilMet(ms, () => insist(() => desk.firedOf(id)));
      return insist(() => desk.endFault(id));
    },
  });
  /** It has met the requests that came meanwhile, of a kind. */
  const lasting = (name: string, set: Setting, kind: RequestKind): Fault => ({
    name,
    lastsMs: LASTS_MS,
    async happen(ms) {
      await insist(() => set.begin());
      const last = await insist(() => desk.lastRequest());
      const met = await untilMet(ms, () => insist(() => desk.requestsAfter(last, kind)));
      await insist(() => set.end());
      return met;
    },
  });
  const mode = (modes: object): Setting => ({
    begin: () => desk.play(modes),
    end: () => desk.play({}),
  });
  const clock = (offsetMs: number): Setting => ({
    begin: () => desk.setClock(offsetMs),
    end: () => desk.setClock(null),
  });
  return [
    ...OPERATION_FAULTS.map(([name, rule]) => played(name, { target: 'MASS_CREATE', ...rule })),
    played('lookup: 500', { target: 'LOOKUP', kind: 'status-500' }),
    played('read of a mass payout: 500', { target: 'MASS_GET', kind: 'status-500' }),
    played('webhooks: lost', { target: 'WEBHOOK', kind: 'drop' }),
    played('webhooks: twice', { target: 'WEBHOOK', kind: 'duplicate', copies: 3 }),
    played('webhooks: out of order', { target: 'WEBHOOK', kind: 'shuffle', delayMs: 2_000 }),
    lasting('too many requests: 429', mode({ requestsPerSecond: 3 }), THROTTLED),
    lasting('lookups: late', mode({ lookupLagMs: LOOKUP_LAG_MS }), MISSED_KEYS),
    lasting('clock of the service: ahead', clock(CLOCK_OFF_MS), CREATES),
    lasting('clock of the service: behind', clock(-CLOCK_OFF_MS), CREATES),
  ];
}
