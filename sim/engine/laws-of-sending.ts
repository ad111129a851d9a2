import type { Attempt } from '../../src/domain/sending/send-record.ts';
import { WINDOW_MS } from '../setting.ts';
import type { Engine } from './engine.ts';
import type { SimChunk } from './store.ts';

/** How an attempt can have ended so that the service may have, or may yet have, created what it asked for. */
const MAY_COUNT: readonly Attempt['outcome'][] = ['PENDING', 'AMBIGUOUS', 'ACCEPTED'];

/**
 * Checks, at the moment in which a create leaves, what must hold for it. `signedMs`: the timestamp that it carries; `begunMs`:
 * when it was written down.
 */
export function checkSend(
  { world, service, store, ledger }: Engine,
  chunk: SimChunk,
  { n, signedMs, begunMs }: Readonly<{ n: number; signedMs: number; begunMs: number }>,
): void {
  const serverMs = service.serverMs();
  const isAlive = ({ timestampMs }: Pick<Attempt, 'timestampMs'>) =>
    serverMs <= timestampMs + WINDOW_MS;
  // The service refuses what is this old, whenever it arrives.
  if (!isAlive({ timestampMs: signedMs })) return;
  const { attempts, answer } = store.facts(chunk.key).send.record;
  const clearedN = answer?.kind === 'not-created' ? answer.attempts : 0;
  const others = attempts.filter(
    (other) => other.n !== n && other.n > clearedN && MAY_COUNT.includes(other.outcome),
  );
  for (const other of others.filter(isAlive)) {
    world.broke('I5', `${chunk.key} leaves while attempt ${other.n} of it may still be accepted`);
  }
  if (world.pauses.some(({ fromMs, toMs }) => fromMs < begunMs && begunMs < toMs)) {
    world.broke('I6', `${chunk.key} leaves though the batch is paused`);
  }
  if (chunk.generation === 0) return;
  for (const { row } of chunk.rows) {
    if (ledger.isPaid(row)) world.broke('I4', `row ${row} is resent and was paid`);
    else if (ledger.isLive(row) && attempts.length === 1) {
      world.broke('I4', `row ${row} is resent and is in flight`);
    }
  }
}
