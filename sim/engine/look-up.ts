import { LAG_FACTOR, lagOf, PROOF_DELAYS_MS } from '../../src/domain/sending/fence.ts';
import type { Reproof } from '../../src/domain/sending/decide.ts';
import type { SeenPayout } from '../../src/domain/sending/reduce.ts';
import type { Lookup } from '../../src/domain/sending/send-record.ts';
import type { ModelPayout } from '../service/payouts.ts';
import type { Engine } from './engine.ts';
import type { SimChunk } from './store.ts';
import { ask, TIMEOUT_MS } from './wire.ts';
import type { Steps } from './workers.ts';

/** What a look at a key told. */
export type KeyLook = Readonly<{
  result: Lookup['result'];
  payout?: ModelPayout;
  serverDateMs?: number;
}>;

export function* lookUpKey({ world, service }: Engine, key: string): Steps<KeyLook> {
  const told = yield* ask(world, service, () => service.byKey(key));
  if (told === undefined) return { result: 'failed' };
  const { value: payout, ...date } = told;
  if (!world.setting.hasLookup) return { result: 'unavailable', ...date };
  return payout === undefined
    ? { result: 'missed', ...date }
    : { result: 'found', payout, ...date };
}

export const seenPayout = ({ body }: SimChunk, payout: ModelPayout): SeenPayout => ({
  id: payout.id,
  differences: payout.body === body ? [] : ['the body differs'],
});

/** Asks for what was just accepted until it is found: only then a later miss is worth anything. */
export function* proveLookup(engine: Engine, key: string): Steps<void> {
  const { world, store } = engine;
  const { attempts } = store.facts(key).send.record;
  if (store.flags().proof !== null && attempts.at(-1)?.outcome !== 'ACCEPTED') return;
  let answered = false;
  for (const delayMs of PROOF_DELAYS_MS) {
    yield delayMs;
    const askedAtMs = world.clocks.wallMs();
    const look = yield* lookUpKey(engine, key);
    answered ||= look.result !== 'failed';
    if (look.result !== 'found') continue;
    const lagMs = lagOf(attempts, { askedAtMs, requestTimeoutMs: TIMEOUT_MS });
    if (lagMs === undefined) return;
    // The longest lag ever seen stays.
    store.flags().proof = { lagMs: Math.max(lagMs, store.flags().proof?.lagMs ?? 0) };
    return;
  }
  if (answered) store.flags().proof = null;
}

/** Whether a lookup still finds what the service has accepted: the first mass payout that the engine knows of. */
export function* proveAgain(engine: Engine, chunks: readonly SimChunk[]): Steps<Reproof> {
  const { store, world } = engine;
  let atMs = world.clocks.wallMs();
  const witness = chunks.find(({ key }) => store.facts(key).send.state === 'CREATED');
  const { proof } = store.flags();
  if (witness === undefined || proof === null) return { result: 'disproven', atMs };
  let { result } = yield* lookUpKey(engine, witness.key);
  if (result === 'missed') {
    yield LAG_FACTOR * proof.lagMs;
    atMs = world.clocks.wallMs();
    ({ result } = yield* lookUpKey(engine, witness.key));
  }
  if (result === 'found') return { result: 'proven', atMs };
  if (result === 'failed') return { result, atMs };
  store.flags().proof = null;
  return { result: 'disproven', atMs };
}
