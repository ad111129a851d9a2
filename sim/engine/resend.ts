import {
  type Inclusion,
  isEndOfChunk,
  isUnpaid,
  standingOf,
} from '../../src/domain/lineage/lineage.ts';
import { createResendBook } from '../../src/domain/lineage/resend-book.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import type { SentRow } from '../../src/domain/settling/withdrawals.ts';
import type { Engine } from './engine.ts';
import { recheckChunk } from './recheck.ts';
import type { SimChunk } from './store.ts';
import type { Steps } from './workers.ts';

/** What the engine says became of a row of a chunk. */
export function outcomeOf({ store }: Engine, chunk: SimChunk, row: number): Outcome {
  const { outcomes } = store.facts(chunk.key);
  return (outcomes.rows.find((each) => each.row === row) ?? outcomes.defaultOutcome).outcome;
}

/** What each generation that holds a row says of it, the oldest first. */
export const historyOf = (
  engine: Engine,
  chunks: readonly SimChunk[],
  row: number,
): readonly Inclusion[] =>
  chunks
    .filter(({ rows }) => rows.some((each) => each.row === row))
    .map((chunk) => {
      const { final, send } = engine.store.facts(chunk.key);
      const isEnd = isEndOfChunk({ state: send.state, final });
      return { generation: chunk.generation, outcome: outcomeOf(engine, chunk, row), isEnd };
    });

/** Rows that every generation that holds them says were not paid. */
export const unpaidRows = (engine: Engine, chunks: readonly SimChunk[]): SentRow[] => {
  const first = chunks.filter(({ generation }) => generation === 0).flatMap(({ rows }) => rows);
  const hasUnpaid = (chunk: SimChunk): boolean =>
    chunk.rows.some(({ row }) => historyOf(engine, [chunk], row).some(isUnpaid));
  return first.filter(({ row }) =>
    engine.careless === 'resends-all'
      ? chunks.some((chunk) => chunk.rows.some((each) => each.row === row) && hasUnpaid(chunk))
      : standingOf(historyOf(engine, chunks, row)) === 'UNPAID',
  );
};

/** Makes sure by reads of now that none of these rows was paid by any earlier generation. */
export function* confirmUnpaid(
  engine: Engine,
  rows: readonly SentRow[],
  { earlier, all }: Readonly<{ earlier: readonly SimChunk[]; all: readonly SimChunk[] }>,
): Steps<'unpaid' | 'outdated' | 'unread'> {
  const { careless } = engine;
  if (careless === 'no-second-look' || careless === 'resends-all') return 'unpaid';
  const wanted = Uint32Array.from(rows.map(({ row }) => row)).sort();
  const book = createResendBook(wanted);
  for (const chunk of earlier) {
    const held = book.wantedOf(chunk.rows.map(({ row }) => row));
    if (held.length === 0) continue;
    const proof = yield* recheckChunk(engine, chunk, all);
    book.note({ batchId: `g${chunk.generation}`, rows: held, name: chunk.key }, proof);
  }
  const { missing, paid, unread } = book.objections();
  if (missing > 0 || paid.size > 0) return 'outdated';
  return unread.size > 0 ? 'unread' : 'unpaid';
}
