import type { SweepInput, Swept } from '../../contract/sweep.ts';
import { sleep } from '@temporalio/activity';
import type { SettleActivities } from '../../contract/activities.ts';
import { type BatchOptions, readBatchOptions } from '../../contract/batch.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { isEndState } from '../../domain/settling/payout-outcomes.ts';
import { atBoundary } from '../shared/boundary.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import { inParallel } from '../shared/in-parallel.ts';
import { findOtherPayouts } from './find-other-payouts.ts';
import { isAnotherPayout, settlePayout } from './settle-payout.ts';
import { readTwiceIfNeeded } from '../service/read-twice.ts';
import { settleAgain } from './settle-again.ts';
import type { Change, SweptChunk, SettleDeps } from './settling.ts';
import type { FirstReader } from '../send/types.ts';
import { stopAtLoss } from '../send/stop-loss.ts';
import { notePayoutTimes } from './payout-times.ts';

/** Mass payouts that one sweep reads side by side. */
const READS_IN_PARALLEL = 8;

/**
 * Withdrawals that one sweep looks up, over all its mass payouts. With one request a second they take a quarter of an
 * hour, well below the time that the workflow gives a sweep; the next sweep takes the rest.
 */
export const LOOKUPS_PER_SWEEP_MAX = 1_000;

/** How long a sweep begins chunks, in milliseconds: well below the time that the workflow gives it, after which it starts over. */
export const SWEEP_MS_MAX = 2_400_000;

/** Reads the states of mass payouts by signed reads. Only these change the outcome of a row. */
export function createSettleActivities(given: SettleInput): SettleActivities {
  const deps = withPause(given);
  return { sweepChunks: (input) => atBoundary(() => sweep(deps, input)) };
}

type SettleInput = Omit<SettleDeps, 'pause'> & Partial<SettleDeps>;

const withPause = (deps: SettleInput): SettleDeps => ({ pause: sleep, ...deps });

async function sweep(deps: SettleDeps, { batchId, chunks }: SweepInput): Promise<Swept> {
  const batch = await deps.store.batches.facts(batchId);
  const records = await deps.store.chunks.getMany(batchId, chunks);
  const shared = {
    batch,
    options: readBatchOptions(batch.optionsJson),
    lookupsMax: Math.max(1, Math.floor(LOOKUPS_PER_SWEEP_MAX / records.length)),
    untilMs: deps.nowMs() + SWEEP_MS_MAX,
  };
  const learnt = new Map<number, SweepResult>();
  await inParallel(READS_IN_PARALLEL, records, async (chunk) => {
    const at = { batchId, chunk: chunk.chunk };
    learnt.set(chunk.chunk, await settle(deps, { ...shared, at, chunk }));
  });
  const where = (is: (one: SweepResult) => boolean) =>
    [...learnt].filter(([, one]) => is(one)).map(([chunk]) => chunk);
  const withChange = (wanted: Change) => where(({ change }) => change === wanted);
  const webhooksDown = await deps.store.subscriptions.areDown(batch.account, deps.nowMs());
  const ends = withChange('settled');
  const unconfirmed = where(({ isUnconfirmed }) => isUnconfirmed === true);
  deps.early?.follow(batchId, ends);
  const hold = await holdAfterReads(deps, shared, ends.length > 0);
  return {
    settled: ends,
    moved: withChange('moved'),
    unread: withChange('unread'),
    unsent: withChange('unsent'),
    needsOperator: where(({ alarmed }) => alarmed),
    ...(unconfirmed.length === 0 ? {} : { unconfirmed }),
    ...(webhooksDown ? { webhooksDown } : {}),
    ...(hold === undefined ? {} : { hold }),
  };
}

type BatchOfReads = Readonly<{ batch: BatchFacts; options: BatchOptions }>;

/** The hold that failures, or the balance, put on a batch after reads of its mass payouts. `hasEnds`: whether some were at their end. */
const holdAfterReads = async (
  deps: SettleDeps,
  { batch, options }: BatchOfReads,
  hasEnds: boolean,
): Promise<Hold | undefined> =>
  (hasEnds ? await stopAtLoss(deps, batch.batchId, options.stopLoss) : undefined) ??
  (await deps.guardBalance?.(batch, options.pollMinMs));

/** Reads mass payouts right after their creates, where the service pays at once. */
export function createFirstReader(given: SettleInput): FirstReader {
  const deps = withPause(given);
  return {
    async read({ batch, options }, chunk) {
      const at = { batchId: batch.batchId, chunk };
      const { change } = await settle(deps, {
        at,
        batch,
        chunk: await deps.store.chunks.get(batch.batchId, chunk),
        options,
        lookupsMax: LOOKUPS_PER_FIRST_READ,
        untilMs: Infinity,
      });
      if (change !== 'settled') return false;
      deps.early?.follow(batch.batchId, [chunk]);
      return true;
    },

    holdAfter: (batch) =>
      holdAfterReads(deps, { batch, options: readBatchOptions(batch.optionsJson) }, true),
  };
}

/** Withdrawals that a first read looks up: of a mass payout with more failures, a sweep finds the rest. */
const LOOKUPS_PER_FIRST_READ = 10;

type SweepResult = Readonly<{
  change: Change | undefined;
  alarmed: boolean;
  isUnconfirmed?: boolean;
}>;

const withoutAlarm = (change: Change | undefined): SweepResult => ({ change, alarmed: false });

/** Reads one mass payout and stores the outcomes of its rows. A settled chunk is read again only if it can have changed. */
async function settle(deps: SettleDeps, swept: SweptChunk): Promise<SweepResult> {
  const { chunk } = swept;
  if (deps.nowMs() >= swept.untilMs) return withoutAlarm(chunk.final ? 'settled' : undefined);
  // A mass payout that differs from its chunk: the send activity asks a person about it.
  if (chunk.state === 'CREATED' && chunk.differs && !chunk.final) return withoutAlarm('unsent');
  if (chunk.final) return withoutAlarm(await settleAgain(deps, swept));
  if (chunk.massPayoutId === null || chunk.state !== 'CREATED') return withoutAlarm('unsent');
  const payout = await readTwiceIfNeeded(deps.service, chunk);
  if (typeof payout === 'string') {
    return { change: 'unread', alarmed: await notePayoutTimes(deps, swept, payout) };
  }
  if (await isAnotherPayout(deps, swept, payout)) return withoutAlarm('unsent');
  const sought = isEndState(payout.state) ? await findOtherPayouts(deps, swept) : 'alone';
  if (sought === 'others') return withoutAlarm('unsent');
  if (sought === 'unanswered') return withoutAlarm('unread');
  if (sought === 'early') return withoutAlarm(undefined);
  const change = await settlePayout(deps, swept, payout);
  if (change === 'settled') return withoutAlarm(change);
  const isUnconfirmed = payout.state === 'PENDING_CONFIRMATION';
  return { change, alarmed: await notePayoutTimes(deps, swept, payout), isUnconfirmed };
}
