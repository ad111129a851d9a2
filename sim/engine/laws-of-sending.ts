import { SENDING_MS_MAX } from '../../src/domain/sending/fence.ts';
import type { SendRecord } from '../../src/domain/sending/send-record.ts';
import type { Departure } from '../service/departures.ts';
import { WINDOW_MS } from '../setting.ts';
import type { Engine } from './engine.ts';
import type { SimChunk, SimStore } from './store.ts';

/**
 * Checks, at the moment in which a create leaves, what must hold for it, by what the network and the ledger know of the creates
 * before. `signedMs`: the timestamp that it carries; `begunMs`: when it was written down.
 */
export function checkSend(
  engine: Engine,
  chunk: SimChunk,
  { signedMs, begunMs }: Readonly<{ signedMs: number; begunMs: number }>,
): void {
  const { world, service, ledger, store } = engine;
  const serverMs = world.clocks.slowestMs();
  const isAlive = ({ timestampMs }: Pick<Departure, 'timestampMs'>) =>
    serverMs <= timestampMs + WINDOW_MS;
  // The service refuses what is this old, whenever it arrives.
  if (!isAlive({ timestampMs: signedMs })) return;
  const open = service.departed(chunk.key).filter((one) => isAlive(one) && !one.isRefused);
  for (const { timestampMs } of open) {
    const ago = (signedMs - timestampMs) / 1_000;
    world.broke('I5', `${chunk.key} leaves while one of ${ago} s before may still be accepted`);
  }
  if (world.pauses.some(({ fromMs, toMs }) => fromMs < begunMs && begunMs < toMs)) {
    world.broke('I6', `${chunk.key} leaves though the batch is paused`);
  }
  if (!engine.released.has(chunk.generation)) {
    world.broke('I15', `${chunk.key} leaves before its batch is released`);
  }
  if (isSecondByItself(store.facts(chunk.key).send.record)) {
    checkSecond(engine, chunk, begunMs);
  }
  if (chunk.generation === 0) return;
  for (const { row } of chunk.rows) {
    // Where the service keeps keys, what may have been created under this very key may be asked for again.
    const others = ledger.besides(chunk.key, row);
    if (others === 'paid') world.broke('I4', `row ${row} is resent and was paid`);
    if (others === 'live') world.broke('I4', `row ${row} is resent and is in flight`);
  }
}

/** Lookups that must have missed a key before it leaves once more, unless a person has answered. */
const MISSES = 5;

/**
 * Checks what a second create rests on that no person has allowed. A create counts if the store has its attempt, or if the
 * engine was told that the store is an older copy. Without that, an engine cannot count misses since a create that it forgot.
 */
function checkSecond({ world, service, store }: Engine, { key }: SimChunk, begunMs: number): void {
  const { attempts } = store.facts(key).send.record;
  const isKnown = ({ timestampMs }: Departure): boolean =>
    store.flags().restore !== undefined ||
    attempts.some((attempt) => attempt.timestampMs === timestampMs);
  const last = service.departed(key).findLast((one) => !one.isTooOld && isKnown(one));
  if (last !== undefined && !last.isRefused && last.misses < MISSES) {
    world.broke('I5', `${key} is created again after ${last.misses} lookups that missed it`);
  }
  if (begunMs > distrustedFromMs(store)) {
    world.broke('I12', `${key} is created again though lookups contradicted themselves`);
  }
}

/** Whether a second create leaves after one that may have arrived, and no person has answered for the chunk. */
const isSecondByItself = ({ attempts, answer }: SendRecord): boolean =>
  answer === undefined && attempts.slice(0, -1).some(({ outcome }) => outcome === 'AMBIGUOUS');

/** From when on a contradiction must count, by the agenda: what was being decided meanwhile may still leave. */
const distrustedFromMs = (store: SimStore): number =>
  (store.contradictedAtMs() ?? Number.POSITIVE_INFINITY) + SENDING_MS_MAX;
