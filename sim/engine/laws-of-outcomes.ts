import type { ChunkOutcomes } from '../../src/domain/settling/outcome.ts';
import type { World } from '../world.ts';
import type { SimChunk } from './store.ts';

/** Every outcome that the engine stored, in order. */
export type Shown = ReturnType<typeof createShown>;

/** Checks each outcome against those before it: a row that was PAID once is never FAILED or NOT_SENT. */
export function createShown(world: World) {
  const paid = new Map<string, Set<number>>();
  return {
    /** Whether the engine has called every one of these rows PAID. */
    hasPaid: (key: string, rows: readonly number[]): boolean =>
      rows.every((row) => paid.get(key)?.has(row) === true),
    note(chunk: SimChunk, { defaultOutcome: rest, rows }: ChunkOutcomes): void {
      const own = new Map(rows.map((each) => [each.row, each.outcome]));
      const known = paid.get(chunk.key) ?? new Set();
      for (const { row } of chunk.rows) {
        const outcome = own.get(row) ?? rest.outcome;
        if (outcome === 'PAID') known.add(row);
        if ((outcome === 'FAILED' || outcome === 'NOT_SENT') && known.has(row)) {
          world.broke('I13', `row ${row} was PAID, and is ${outcome} now`);
        }
      }
      paid.set(chunk.key, known);
    },
  };
}
