import { cancellationSignal, CancelledFailure, log } from '@temporalio/activity';
import type { SendChunksInput, SendStep, SentChunks } from '../../contract/sending.ts';
import { inLanes } from '../shared/in-parallel.ts';
import { leasedPlace } from './create-leases.ts';
import { createPlaces, GroupEnded } from './create-places.ts';
import { createFirstReads } from './first-reads.ts';
import { createGroupResults } from './group-results.ts';
import { openSendings } from './open-sending.ts';
import { sendChunk } from './send.ts';
import type { SendDeps, Sending } from './types.ts';

/** Chunks whose facts one read brings. They are seconds old at most when the last of them is begun. */
const PAGE_CHUNKS = 64;

/** Creates of one group under way at most, whatever the setting: each has the texts of its rows in memory. */
const CREATES_MAX = 40;

/** Chunks that are prepared while as many creates are under way. */
const PREPARED_PER_CREATE = 1;

/** How far a group is. A heartbeat carries it to the web UI. */
export type GroupProgress = Readonly<{
  chunks: number;
  begun: number;
  created: number;
  settled: number;
}>;

/**
 * Sends many chunks of a batch, each as `sendChunk` does. It begins no further chunk once its time is over, once a chunk needs
 * more than this activity, or once the worker stops. It ends when every chunk that it has begun rests.
 */
export function createGroup(deps: SendDeps, input: SendChunksInput) {
  const creates = Math.min(input.lanes, CREATES_MAX);
  const results = createGroupResults(input.chunks, creates);
  const { created } = results;
  let begun = 0;
  let isEnding = false;
  let isCreating = true;

  const startedMs = deps.readClock().ms;
  // To prepare the first chunk can take longer than a short group has.
  const hasResult = (): boolean => places.taken() > 0 || results.hasAny();
  const isTimeOver = (): boolean => hasResult() && deps.readClock().ms - startedMs >= input.forMs;
  // Temporal may have given the chunks to another worker: then no heartbeat of this activity arrived.
  const isGivenUp = (): boolean => cancellationSignal().aborted;
  const mayCreate = (): boolean => isCreating && !isTimeOver() && !isGivenUp() && deps.mayGoOn();
  const goesOn = (): boolean => !isEnding && mayCreate();

  const places = createPlaces(creates, mayCreate);
  const firstReads = createFirstReads(input.readsFirst === true ? deps.firstReader : undefined);

  async function sendOne(sending: Sending): Promise<void> {
    const { chunk } = sending.ref;
    begun += 1;
    const place = leasedPlace(deps, places.placeOfChunk(), mayCreate);
    try {
      const step = await sendChunk(deps, { ...sending, place });
      if (step.kind === 'created') {
        created.push(chunk);
        return await firstReads.read(sending);
      }
      results.addStep({ chunk, step });
      isEnding ||= !isOver(step);
      // The create of the chunk before it may be prepared, and waits for a place.
      isCreating &&= isOver(step) || step.kind === 'behind';
    } catch (error) {
      if (error instanceof CancelledFailure) throw error;
      // The next group prepares the chunk again.
      if (error instanceof GroupEnded) return;
      log.warn('a chunk of a group ended without a step', { chunk, error });
      results.addFailed(chunk);
      isEnding = true;
      isCreating = false;
    } finally {
      place.free();
    }
  }

  return {
    progress: (): GroupProgress => ({
      chunks: input.chunks.length,
      begun,
      created: created.length,
      settled: firstReads.settled.length,
    }),

    async send(): Promise<SentChunks> {
      const lanes = creates * (1 + PREPARED_PER_CREATE);
      await inLanes(lanes, pagesOf(deps, input, goesOn), sendOne);
      const { settled } = firstReads;
      const hold = settled.length === 0 ? undefined : await holdAfter(deps, input.batchId);
      return { ...results.all(), settled, ...(hold === undefined ? {} : { hold }) };
    },
  };
}

/** The hold that the ends of mass payouts put on their batch. */
const holdAfter = async ({ store, firstReader }: SendDeps, batchId: string) =>
  firstReader?.holdAfter(await store.batches.facts(batchId));

/** Whether the chunk needs nothing more, and the batch goes on. */
const isOver = (step: SendStep): boolean =>
  step.kind === 'closed' || step.kind === 'abandoned' || (step.kind === 'rejected' && !step.halt);

/** The facts of the chunks, one by one, for as long as the group goes on. */
async function* pagesOf(
  deps: SendDeps,
  input: SendChunksInput,
  goesOn: () => boolean,
): AsyncGenerator<Sending, void, undefined> {
  for (let from = 0; from < input.chunks.length && goesOn(); from += PAGE_CHUNKS) {
    const page = input.chunks.slice(from, from + PAGE_CHUNKS);
    for (const sending of await openSendings(deps, input, page)) {
      if (!goesOn()) return;
      yield sending;
    }
  }
}
