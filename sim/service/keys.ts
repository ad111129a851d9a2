import type { KeyMode } from '../setting.ts';
import type { ModelPayout } from './payouts.ts';

/** What the service answers to a create under a key that it knows. */
export type KeyAnswer = Readonly<
  | { kind: 'create' }
  | { kind: 'replay'; payout: ModelPayout }
  | { kind: 'refuse'; httpStatus: number }
>;

/** What the service keeps of a key. `payout` is missing while the first create is under way. */
export type KeyEntry = { payout?: ModelPayout; body: string; sinceMs: number; poisoned: boolean };

const KEY_TTL_MS = 1_800_000;

type Again = Readonly<{ entry: KeyEntry; body: string; nowMs: number }>;

const replay = ({ entry }: Again): KeyAnswer =>
  entry.payout === undefined ? refuse(409) : { kind: 'replay', payout: entry.payout };
const refuse = (httpStatus: number): KeyAnswer => ({ kind: 'refuse', httpStatus });

const ANSWERS: Readonly<Record<KeyMode, (again: Again) => KeyAnswer>> = {
  replay,
  'reject-400': () => refuse(400),
  'reject-409': () => refuse(409),
  'reject-422-other-body': (again) =>
    again.entry.body === again.body ? replay(again) : refuse(422),
  'replay-even-if-other-body': replay,
  // Every send has another timestamp, so no two are equal byte for byte.
  'raw-bytes-fingerprint': () => refuse(422),
  'poisoned-after-500': (again) => (again.entry.poisoned ? refuse(400) : replay(again)),
  'key-ttl': (again) =>
    again.nowMs - again.entry.sinceMs > KEY_TTL_MS ? { kind: 'create' } : replay(again),
  'in-flight-409': replay,
  'ignores-key': () => ({ kind: 'create' }),
};

export const answerToKnownKey = (mode: KeyMode, again: Again): KeyAnswer => ANSWERS[mode](again);
