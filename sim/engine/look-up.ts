import { HITS_MIN } from '../../src/domain/sending/evidence.ts';
import {
  isRoughLag,
  LAG_FACTOR,
  lagOf,
  mustBeVisible,
  nextVerifyDelayMs,
} from '../../src/domain/sending/fence.ts';
import type { LookupCheck } from '../../src/domain/sending/lookups.ts';
import type { SeenPayout } from '../../src/domain/sending/reduce.ts';
import type { Lookup } from '../../src/domain/sending/send-record.ts';
import type { ModelPayout } from '../service/payouts.ts';
import { isHasty } from '../careless.ts';
import { distrust, type Engine, KEY_BEFORE, policyOf } from './engine.ts';
import type { SimChunk } from './store.ts';
import { ask, TIMEOUT_MS } from './wire.ts';
import type { Steps } from './workers.ts';

/** What a look at a key told. */
export type KeyLook = Readonly<{
  result: Lookup['result'];
  payout?: ModelPayout;
  serverDateMs?: number;
}>;

const TRIES_MAX = 3;
const QUICK_MS = 2_000;

/** A question that gets no answer quickly is put again at once, as the engine does. */
export function* lookUpKey({ world, service }: Engine, key: string): Steps<KeyLook> {
  for (let tries = 1; ; tries += 1) {
    const startMs = world.clocks.wallMs();
    const told = yield* ask(world, service, () => service.byKey(key));
    if (told === undefined) {
      const isQuick = world.clocks.wallMs() - startMs < QUICK_MS;
      if (isQuick && tries < TRIES_MAX) continue;
      return { result: 'failed' };
    }
    const { value: payout, ...date } = told;
    if (!world.setting.hasLookup) return { result: 'unavailable', ...date };
    return payout === undefined
      ? { result: 'missed', ...date }
      : { result: 'found', payout, ...date };
  }
}

export const seenPayout = ({ body }: SimChunk, payout: ModelPayout): SeenPayout => ({
  id: payout.id,
  differences: payout.body === body ? [] : ['the body differs'],
});

/** Asks for what was just accepted until it is found: only then a later miss is worth anything. */
export function* proveLookup(engine: Engine, chunk: SimChunk): Steps<boolean> {
  const { world, store } = engine;
  const { key } = chunk;
  const { attempts, payout: known } = store.facts(key).send.record;
  if (store.flags().proof !== null && attempts.at(-1)?.outcome !== 'ACCEPTED') return false;
  let hasMissed = false;
  let last: KeyLook['result'] | undefined;
  for (let asked = 0; ; asked += 1) {
    const delayMs = nextVerifyDelayMs(asked, last);
    if (delayMs === undefined) break;
    yield delayMs;
    const askedAtMs = world.clocks.wallMs();
    const lookup = yield* lookUpKey(engine, key);
    last = lookup.result;
    hasMissed ||= last === 'missed';
    if (lookup.payout === undefined) continue;
    if (lookup.payout.id !== known?.id) {
      store.apply(key, { kind: 'payout-read', payout: seenPayout(chunk, lookup.payout) });
      return true;
    }
    const lagMs = lagOf(attempts, { askedAtMs, requestTimeoutMs: TIMEOUT_MS });
    if (lagMs === undefined) return false;
    if (store.flags().proof !== null && isRoughLag(lagMs, asked)) return false;
    // The longest lag ever seen stays.
    const longestMs = Math.max(lagMs, store.flags().proof?.lagMs ?? 0);
    store.flags().proof = { lagMs: longestMs, provenAtMs: askedAtMs };
    return false;
  }
  if (hasMissed) store.flags().proof = null;
  return false;
}

type Witness = Readonly<{ key: string; signedAtMs: number }>;

/** The first and the newest mass payout that the engine knows of. */
function witnessesOf({ store, world }: Engine, chunks: readonly SimChunk[]): Witness[] {
  const created = chunks.filter(({ key }) => store.facts(key).send.state === 'CREATED');
  const witnesses = created.map(({ key }): Witness => {
    const last = store.facts(key).send.record.attempts.at(-1);
    return { key, signedAtMs: last?.timestampMs ?? world.clocks.wallMs() };
  });
  const newest = witnesses.toSorted((a, b) => b.signedAtMs - a.signedAtMs)[0];
  const before = world.setting.kind === 'garbage' ? [{ key: KEY_BEFORE, signedAtMs: 0 }] : [];
  const [first] = witnesses;
  const both = first === undefined || newest === undefined ? [] : [first, newest];
  return both[0]?.key === both[1]?.key ? [...both.slice(1), ...before] : both;
}

/** Whether a lookup still finds what the service has accepted, every time. */
export function* proveAgain(engine: Engine, chunks: readonly SimChunk[]): Steps<LookupCheck> {
  const { store, world, careless } = engine;
  const atMs = world.clocks.wallMs();
  const witnesses = witnessesOf(engine, chunks);
  const { proof, isDisproven } = store.flags();
  if (witnesses.length === 0 || proof === null || isDisproven) return { result: 'missed', atMs };
  const seen = new Set<string>();
  const wanted = isHasty(careless) ? 1 : HITS_MIN;
  let failures = 0;
  for (let hits = 0, turn = 0; hits < wanted; turn += 1) {
    const witness = witnesses[turn % witnesses.length] as Witness;
    const told = yield* questionWitness(engine, witness, seen.has(witness.key));
    if (told === 'lost' || (told === 'failed' && careless === 'garbage-disproves')) {
      store.flags().proof = null;
      return { result: 'missed', atMs };
    }
    if (told === 'contradicted') {
      distrust(engine);
      return { result: 'missed', atMs };
    }
    if (told === 'found') {
      hits += 1;
      failures = 0;
      seen.add(witness.key);
      continue;
    }
    failures += 1;
    if (failures >= HITS_MIN) return { result: 'failed', atMs };
  }
  const { proof: present } = store.flags();
  if (present !== null) store.flags().proof = { ...present, provenAtMs: atMs };
  return { result: 'found', atMs };
}

function* questionWitness(
  engine: Engine,
  { key, signedAtMs }: Witness,
  wasSeen: boolean,
): Steps<'found' | 'failed' | 'lost' | 'contradicted'> {
  const { world, store } = engine;
  const policy = policyOf(engine, { wasCreated: false });
  const mustBeSeen = wasSeen || mustBeVisible(signedAtMs, policy, world.clocks.wallMs());
  const { result: first } = yield* lookUpKey(engine, key);
  if (first === 'found' || first === 'failed') return first;
  yield LAG_FACTOR * (store.flags().proof?.lagMs ?? 0);
  const { result: second } = yield* lookUpKey(engine, key);
  if (second === 'failed') return 'failed';
  if (second !== 'found') return 'lost';
  return mustBeSeen ? 'contradicted' : 'found';
}
