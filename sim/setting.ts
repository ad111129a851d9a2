import { TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';
import type { Random } from './random.ts';

/** What a service does with a create under a key that it knows. */
export const KEY_MODES = [
  'replay',
  'reject-400',
  'reject-409',
  'reject-422-other-body',
  'create-if-other-body',
  'raw-bytes-fingerprint',
  'poisoned-after-500',
  'key-ttl',
  'in-flight-409',
  'ignores-key',
] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** Modes of which README says that `fenced` pays twice with them where keys are not found. */
const FORGETFUL: readonly KeyMode[] = ['ignores-key', 'key-ttl'];

/**
 * What a world is about. `garbage`: the service keeps its rules, on an account that has paid before, and four of ten answers
 * are errors, unreadable or cut off. `half-blind`: the service ignores keys, and its lookups miss half of the time, lag for
 * hours, or show nothing new any more. `late`: the service ignores keys, and accepts creates after its own window.
 */
export type WorldKind = 'any' | 'garbage' | 'half-blind' | 'late';

/** The world of one run, as its seed chose it. Shares are of 1; times are in milliseconds. */
export type Setting = Readonly<{
  kind: WorldKind;
  keyMode: KeyMode;
  /** How far the clock of the service is ahead of ours. */
  skewMs: number;
  showsDate: boolean;
  /** How long the service does not show what it has accepted. */
  lookupLagMs: number;
  /** Share of the lookups by key that miss what exists. */
  lookupMisses: number;
  /** From when on lookups by key show nothing that is newer, since the start; null: never. Reads by id go on. */
  keysStallAfterMs: number | null;
  /** Whether the service can be asked for a key at all. */
  hasLookup: boolean;
  /** Whether it finds a key that it is asked for; one that never does answers all the same. */
  findsKeys: boolean;
  /** How long after it let a request in the service may still take to create what was asked for. */
  acceptsWithinMs: number;
  resend: 'auto' | 'fenced' | 'operator';
  tagged: boolean;
  chunks: number;
  rowsOfChunk: number;
  workers: number;
  shares: Readonly<{
    kill: number;
    freeze: number;
    refusedConnection: number;
    lostRequest: number;
    slowRequest: number;
    lostAnswer: number;
    brokenAnswer: number;
    errorBefore: number;
    errorAfter: number;
    throttle: number;
    refusal: number;
    failedRead: number;
    rowFails: number;
    wholeFails: number;
    merchantCancels: number;
    uiResend: number;
    webhookLost: number;
    webhookTwice: number;
    forgedWebhook: number;
  }>;
  /** When the batch is canceled, paused, or its store brought back from an older copy; null: never. Since the start. */
  cancelAfterMs: number | null;
  pauseAfterMs: number | null;
  restoreAfterMs: number | null;
  /**
   * Whether people say so when the store is brought back (`bursar recover --store older`). Then it may come back while requests are
   * still on their way, and what the workflows remember is lost as well.
   */
  isRestoreTold: boolean;
  /** Until when things go wrong. */
  stormMs: number;
}>;

const MINUTE_MS = 60_000;
const SKEWS_SEEN_MS = [0, 0, 1, -1, 30_000, -30_000, 59_000, -59_000];
const SKEWS_UNSEEN_MS = [...SKEWS_SEEN_MS, 120_000, -120_000, 170_000, -170_000];

const RESENDS = ['auto', 'auto', 'auto', 'fenced', 'operator'] as const;

/** A share that is nothing in half of all worlds, so that each fault is also met alone. */
const some = (random: Random, most: number): number =>
  random.happens(0.5) ? 0 : random.next() * most;

const sometimes = (random: Random, share: number, withinMs: number): number | null =>
  random.happens(share) ? random.below(withinMs) : null;

export function drawSetting(
  random: Random,
  { isRestoreTold }: Pick<Setting, 'isRestoreTold'>,
): Setting {
  const kind = random.pick(KINDS);
  if (kind !== 'any') return drawOfKind(random, kind, isRestoreTold);
  const hasLookup = random.happens(0.9);
  const showsDate = random.happens(0.7);
  const keyMode = random.pick(KEY_MODES);
  const drawn = {
    kind,
    keyMode,
    showsDate,
    lookupMisses: 0,
    keysStallAfterMs: null,
    // Where a service shows its clock, one that is further off stops every send.
    skewMs: random.pick(showsDate ? SKEWS_SEEN_MS : SKEWS_UNSEEN_MS),
    lookupLagMs: random.pick([0, 500, 3_000, 6_000, 15_000]),
    hasLookup,
    acceptsWithinMs: random.pick([0, 0, 5_000, 50_000]),
    resend: random.pick(RESENDS),
    tagged: random.happens(0.7),
    chunks: random.between(1, 4),
    rowsOfChunk: random.between(1, 4),
    workers: random.between(1, 3),
    shares: drawShares(random),
    cancelAfterMs: sometimes(random, 0.15, 20 * MINUTE_MS),
    pauseAfterMs: sometimes(random, 0.15, 10 * MINUTE_MS),
    // A store is only brought back where the service can say what it has: docs/proof.md, what is assumed.
    restoreAfterMs: hasLookup ? sometimes(random, 0.1, 15 * MINUTE_MS) : null,
    isRestoreTold,
    stormMs: 45 * MINUTE_MS,
  } satisfies Omit<Setting, 'findsKeys'>;
  // Only there does our engine send a create under a key that the service may know: it rests on what the service does with keys.
  const restsOnKeys = drawn.resend === 'fenced' && !showsDate && !FORGETFUL.includes(keyMode);
  return restsOnKeys
    ? { ...drawn, findsKeys: false, restoreAfterMs: null }
    : { ...drawn, findsKeys: true };
}

const KINDS: readonly WorldKind[] = [
  ...Array<WorldKind>(9).fill('any'),
  ...(['garbage', 'half-blind', 'late'] as const),
];

/** Modes of services that keep their rules: a second create of a key makes nothing, or makes a mass payout as asked. */
const KEEPING_RULES: readonly KeyMode[] = ['replay', 'in-flight-409', 'reject-409', 'ignores-key'];

const HOUR_MS = 3_600_000;

/** Lookups by key miss half of the time, show everything hours later, or show nothing new from some moment on. */
const BLINDNESS = ['misses', 'misses', 'lags', 'stalls'] as const;

function drawOfKind(
  random: Random,
  kind: Exclude<WorldKind, 'any'>,
  isRestoreTold: boolean,
): Setting {
  const isGarbage = kind === 'garbage';
  const showsDate = random.happens(0.7);
  const isLate = kind === 'late';
  const blindness = kind === 'half-blind' ? random.pick(BLINDNESS) : undefined;
  return {
    kind,
    showsDate,
    isRestoreTold,
    keyMode: isGarbage ? random.pick(KEEPING_RULES) : 'ignores-key',
    skewMs: random.pick(showsDate ? SKEWS_SEEN_MS : SKEWS_UNSEEN_MS),
    lookupLagMs: blindness === 'lags' ? 12 * HOUR_MS : random.pick([0, 500, 3_000]),
    lookupMisses: blindness === 'misses' ? 0.5 : 0,
    keysStallAfterMs: blindness === 'stalls' ? random.below(5 * MINUTE_MS) : null,
    hasLookup: true,
    findsKeys: true,
    resend: 'auto',
    acceptsWithinMs: isLate ? 7 * MINUTE_MS : random.pick([0, 5_000]),
    tagged: random.happens(0.7),
    chunks: random.between(1, 4),
    rowsOfChunk: random.between(1, 4),
    workers: random.between(1, 3),
    shares: isGarbage ? garbageShares(random) : halfBlindShares(random),
    cancelAfterMs: null,
    pauseAfterMs: null,
    restoreAfterMs: null,
    // Garbage is answered as long as anything is asked.
    stormMs: isGarbage ? 24 * HOUR_MS : 45 * MINUTE_MS,
  };
}

const NO_FAULTS: Setting['shares'] = {
  kill: 0,
  freeze: 0,
  refusedConnection: 0,
  lostRequest: 0,
  slowRequest: 0,
  lostAnswer: 0,
  brokenAnswer: 0,
  errorBefore: 0,
  errorAfter: 0,
  throttle: 0,
  refusal: 0,
  failedRead: 0,
  rowFails: 0,
  wholeFails: 0,
  merchantCancels: 0,
  uiResend: 0,
  webhookLost: 0,
  webhookTwice: 0,
  forgedWebhook: 0,
};

/** Four of ten requests are answered with an error, with garbage, or not at all. */
const garbageShares = (random: Random): Setting['shares'] => ({
  ...NO_FAULTS,
  errorBefore: 0.13,
  errorAfter: 0.13,
  brokenAnswer: 0.1,
  lostAnswer: 0.1,
  failedRead: 0.4,
  kill: some(random, 0.01),
  rowFails: some(random, 0.3),
  webhookLost: some(random, 1),
  webhookTwice: some(random, 0.5),
});

const halfBlindShares = (random: Random): Setting['shares'] => ({
  ...NO_FAULTS,
  lostRequest: some(random, 0.3),
  slowRequest: some(random, 0.3),
  lostAnswer: 0.4,
  errorAfter: some(random, 0.3),
  failedRead: some(random, 0.2),
  kill: some(random, 0.02),
  webhookLost: some(random, 1),
});

const drawShares = (random: Random): Setting['shares'] => ({
  kill: some(random, 0.03),
  freeze: some(random, 0.06),
  refusedConnection: some(random, 0.3),
  lostRequest: some(random, 0.3),
  slowRequest: some(random, 0.4),
  lostAnswer: some(random, 0.4),
  brokenAnswer: some(random, 0.2),
  errorBefore: some(random, 0.3),
  errorAfter: some(random, 0.3),
  throttle: some(random, 0.3),
  refusal: some(random, 0.2),
  failedRead: some(random, 0.3),
  rowFails: some(random, 0.5),
  wholeFails: some(random, 0.3),
  merchantCancels: some(random, 0.2),
  uiResend: some(random, 0.6),
  webhookLost: some(random, 1),
  webhookTwice: some(random, 0.5),
  forgedWebhook: some(random, 0.3),
});

export const WINDOW_MS = TIMESTAMP_WINDOW_MS;

/** Whether the service breaks no assumption about lookups: it finds each key soon, and accepts no create after its time. */
export const findsKeysInTime = (setting: Setting): boolean =>
  setting.kind === 'garbage' ||
  (setting.kind === 'any' &&
    setting.hasLookup &&
    setting.findsKeys &&
    setting.restoreAfterMs === null);
