import type { KeyMode } from '../setting.ts';
import type { ModelPayout } from './payouts.ts';

/** What the service answers to a create under a key that it knows; `join`: what it answers to the first one, and not before. */
export type KeyAnswer = Readonly<
  | { kind: 'create' }
  | { kind: 'join' }
  | { kind: 'replay'; payout: ModelPayout }
  | { kind: 'refuse'; httpStatus: number }
>;

/** What the service keeps of a key. `payout` is missing while the first create is under way. */
export type KeyEntry = {
  payout?: ModelPayout;
  readonly body: string;
  readonly sinceMs: number;
  poisoned: boolean;
  /** Whoever is told when the mass payout is there. */
  readonly joined: ((payout: ModelPayout) => void)[];
};

const KEY_TTL_MS = 1_800_000;

type Again = Readonly<{ entry: KeyEntry; body: string; nowMs: number }>;

const refuse = (httpStatus: number): KeyAnswer => ({ kind: 'refuse', httpStatus });
const create: KeyAnswer = { kind: 'create' };

/** Two creates of a key at once are one too many. */
const replay = ({ entry }: Again): KeyAnswer =>
  entry.payout === undefined ? refuse(409) : { kind: 'replay', payout: entry.payout };

const isOtherBody = ({ entry, body }: Again): boolean => entry.body !== body;

const ANSWERS: Readonly<Record<KeyMode, (again: Again) => KeyAnswer>> = {
  replay: () => ({ kind: 'join' }),
  'reject-400': () => refuse(400),
  'reject-409': () => refuse(409),
  'reject-422-other-body': (again) => (isOtherBody(again) ? refuse(422) : replay(again)),
  'create-if-other-body': (again) => (isOtherBody(again) ? create : replay(again)),
  // Every send has another timestamp, so no two are equal byte for byte.
  'raw-bytes-fingerprint': () => refuse(422),
  'poisoned-after-500': (again) => (again.entry.poisoned ? refuse(400) : replay(again)),
  'key-ttl': (again) => (again.nowMs - again.entry.sinceMs > KEY_TTL_MS ? create : replay(again)),
  'in-flight-409': replay,
  'ignores-key': () => create,
};

export const answerToKnownKey = (mode: KeyMode, again: Again): KeyAnswer => ANSWERS[mode](again);
