import type { SentRow } from '../../src/domain/settling/withdrawals.ts';
import { createAsking } from './asking.ts';
import type { World } from '../world.ts';
import type { Engine } from './engine.ts';
import { recheckChunk } from './recheck.ts';
import { type SendInput, sendChunk, type SendStep } from './send.ts';
import { settle, settleAgain } from './settle.ts';
import type { SimChunk } from './store.ts';
import type { Steps } from './workers.ts';

export type People = Readonly<{
  /** Somebody is asked about a chunk; `answered` is called when they have answered. */
  ask(chunk: SimChunk, answered: () => void): void;
}>;

/** Delays of the workflow, in milliseconds. */
const POLL_MS = 60_000;
const HELD_MS = 5_000;

/** A batch under way: drives each of its chunks to its end, as the workflows do. */
export type Batch = ReturnType<typeof startBatch>;

export type BatchPlan = Readonly<{
  generation: number;
  chunks: readonly SimChunk[];
  confirm?: SendInput['confirm'];
}>;

export function startBatch(
  {
    engine,
    people,
    chunks: known,
  }: Readonly<{
    engine: Engine;
    people: People;
    /** Chunks of all generations; grows. */
    chunks: readonly SimChunk[];
  }>,
  { generation, chunks, confirm }: BatchPlan,
  ended: () => void,
) {
  const { world, store, workers } = engine;
  const { agenda, random } = world;
  const open = new Set(chunks.map(({ key }) => key));
  let canaryIsThrough = false;

  const asking = createAsking({ agenda, people }, drive);

  function drive(chunk: SimChunk): void {
    const input: SendInput = {
      chunk,
      chunks: known,
      provesLookup: chunk.chunk === 0,
      ...(confirm === undefined ? {} : { confirm }),
    };
    workers.run(
      () => sendChunk(engine, input),
      (step) => after(chunk, step),
    );
  }

  function after(chunk: SimChunk, step: SendStep): void {
    switch (step.kind) {
      case 'created':
        engine.seenCreated.add(chunk.key);
        letOthersGo(chunk);
        return follow(chunk);
      case 'wait':
        return agenda.after(step.untilMs - world.clocks.wallMs(), () => drive(chunk));
      case 'held':
        return agenda.after(HELD_MS, () => drive(chunk));
      case 'needs-operator':
        world.count('operator asked');
        checkQuestion(world, chunk, step.reason);
        return asking.untilAnswered(chunk);
      case 'asked':
        return asking.untilAnswered(chunk);
      case 'rejected':
      case 'abandoned':
      case 'closed':
        letOthersGo(chunk);
        return done(chunk);
    }
  }

  /** The first chunk is a canary: no other leaves before it is created, or cannot be. */
  function letOthersGo(chunk: SimChunk): void {
    if (canaryIsThrough || chunk.chunk !== 0) return;
    canaryIsThrough = true;
    for (const other of chunks.slice(1)) drive(other);
  }

  function follow(chunk: SimChunk): void {
    agenda.after(random.between(1_000, POLL_MS), () => sweep(chunk));
  }

  function sweep(chunk: SimChunk): void {
    workers.run(
      () => settle(engine, chunk),
      (change) => {
        if (change === 'settled') done(chunk);
        else if (change === 'open') follow(chunk);
        else drive(chunk);
      },
    );
  }

  function done(chunk: SimChunk): void {
    open.delete(chunk.key);
    if (open.size === 0) beforeTheEnd();
  }

  /** What people have changed meanwhile is followed to its new end; what the store has lost is sought again. */
  function beforeTheEnd(): void {
    const check = function* (): Steps<SimChunk[]> {
      const again: SimChunk[] = [];
      for (const chunk of chunks) {
        if (!store.facts(chunk.key).final) again.push(chunk);
        else if ((yield* settleAgain(engine, chunk)) !== 'settled') again.push(chunk);
      }
      return again;
    };
    workers.run(check, (again) => {
      if (again.length === 0) return end();
      for (const chunk of again) open.add(chunk.key);
      for (const chunk of again) sweep(chunk);
    });
  }

  function end(): void {
    world.note(() => `engine: batch ${generation} ends`);
    state.ended = true;
    ended();
  }

  const state = {
    generation,
    chunks,
    ended: false,
    /** Reads again what people can have changed after the end. */
    lookLater(then: () => void): void {
      workers.run(function* () {
        for (const chunk of chunks) yield* recheckChunk(engine, chunk, known);
      }, then);
    },
    /** A hint that a mass payout has moved: it is read, and only what is read counts. */
    hint(key: string): void {
      const chunk = chunks.find((each) => each.key === key);
      if (chunk === undefined || !open.has(key)) return;
      asking.wake(key);
      workers.run(
        () => settle(engine, chunk),
        () => undefined,
      );
    },
  };
  drive(chunks[0] as SimChunk);
  return state;
}

/** A service that keeps its rules leaves nothing to ask a person about. */
function checkQuestion(world: World, { key }: SimChunk, reason: string): void {
  if (world.setting.kind !== 'garbage') return;
  world.broke('I11', `a person is asked about ${key}: ${reason}`);
}

/** Cuts rows into the chunks of a generation; a chunk's key follows from its place alone. */
export function chunksOf(
  rows: readonly SentRow[],
  { generation, rowsOfChunk }: Readonly<{ generation: number; rowsOfChunk: number }>,
): SimChunk[] {
  const chunks: SimChunk[] = [];
  for (let from = 0; from < rows.length; from += rowsOfChunk) {
    const own = rows.slice(from, from + rowsOfChunk);
    const chunk = chunks.length;
    const body = own.map(({ row, amount }) => `${row}:${amount}`).join(' ');
    chunks.push({ generation, chunk, key: `key-${generation}-${chunk}`, body, rows: own });
  }
  return chunks;
}
