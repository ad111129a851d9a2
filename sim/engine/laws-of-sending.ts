import type { Departure } from '../service/departures.ts';
import { WINDOW_MS } from '../setting.ts';
import type { Engine } from './engine.ts';
import type { SimChunk } from './store.ts';

/**
 * Checks, at the moment in which a create leaves, what must hold for it, by what the network and the ledger know of the creates
 * before. `signedMs`: the timestamp that it carries; `begunMs`: when it was written down.
 */
export function checkSend(
  { world, service, ledger }: Engine,
  chunk: SimChunk,
  { signedMs, begunMs }: Readonly<{ signedMs: number; begunMs: number }>,
): void {
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
  if (chunk.generation === 0) return;
  for (const { row } of chunk.rows) {
    // Where the service keeps keys, what may have been created under this very key may be asked for again.
    const others = ledger.besides(chunk.key, row);
    if (others === 'paid') world.broke('I4', `row ${row} is resent and was paid`);
    if (others === 'live') world.broke('I4', `row ${row} is resent and is in flight`);
  }
}
