import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Followed } from '../contract/activities.ts';
import type { AftercareInput, Refreshed } from '../contract/aftercare.ts';
import type { Hint } from '../contract/messages.ts';
import { SIGNAL_HINT, UPDATE_REFRESH } from '../contract/names.ts';
import { isHint } from '../contract/read-messages.ts';
import { followEnds } from './shared/activities.ts';
import { KEYS } from './shared/search-attributes.ts';
import { aftercareDetails } from './shared/details.ts';
import {
  applyToFollow,
  type FollowEvent,
  followAtStart,
  type FollowState,
} from './state/follow-state.ts';

export const aftercareHintSignal = defineSignal<[Hint]>(SIGNAL_HINT);
export const refreshUpdate = defineUpdate<Refreshed>(UPDATE_REFRESH);

/** Webhooks come in bursts; the chunks that they name within this time are read together. Milliseconds. */
const GATHER_MS = 1_000;

/** One run of the workflow that follows a batch after its report. Only {@link change} replaces its state. */
type FollowRun = {
  readonly input: AftercareInput;
  state: FollowState;
  /** The last read that began. Reads come one after the other. */
  lastRead: Promise<unknown>;
};

/**
 * Follows a batch after its report: ends that people can change in the service's own interface are read again, soon at first
 * and then ever more rarely, at once when a webhook names them, or when a person demands it. It ends when no end can change
 * any more, or when the time of the settings is over.
 */
export async function aftercare(input: AftercareInput): Promise<void> {
  const run: FollowRun = {
    input,
    state: followAtStart(input, Date.now()),
    lastRead: Promise.resolve(),
  };
  setHandlers(run);
  upsertSearchAttributes([{ key: KEYS.batch, value: input.batchId }]);
  while (!run.state.isOver) {
    await followOnce(run);
    if (run.state.isOver || !workflowInfo().continueAsNewSuggested) continue;
    await condition(allHandlersFinished);
    const hints = [...run.state.hints];
    await continueAsNew<typeof aftercare>({ ...input, delayMs: leftMs(run), hints });
  }
  await condition(allHandlersFinished);
}

function setHandlers(run: FollowRun): void {
  setHandler(aftercareHintSignal, (hint) => {
    if (isHint(hint)) change(run, { kind: 'hinted', chunks: hint.chunks });
  });
  setHandler(refreshUpdate, async () => {
    const followed = await readEnds(run, null);
    change(run, { kind: 'refreshed' });
    return followed;
  });
}

function change(run: FollowRun, event: FollowEvent): void {
  run.state = applyToFollow(run.state, event);
}

/** Waits until a read is due, a webhook names a chunk, or a person had the ends read. Then it reads. */
async function followOnce(run: FollowRun): Promise<void> {
  const summary = `the next read of the ends of ${run.input.batchId}`;
  change(run, { kind: 'wait-began' });
  const isWoken = (): boolean => run.state.hints.size > 0 || run.state.wasRefreshed;
  await condition(isWoken, leftMs(run), { summary });
  if (run.state.wasRefreshed) return;
  if (run.state.hints.size > 0) await condition(() => false, GATHER_MS);
  const named = [...run.state.hints];
  change(run, { kind: 'hints-taken' });
  await readEnds(run, Date.now() >= run.state.dueMs ? null : named);
}

const leftMs = ({ state }: FollowRun): number => Math.max(1, state.dueMs - Date.now());

/** Reads ends once the read before is over. `chunks`: those to read; null: all. */
function readEnds(run: FollowRun, chunks: readonly number[] | null): Promise<Followed> {
  const read = run.lastRead.then(() => readNow(run, chunks));
  // The caller of a read gets its failure; the next read still begins.
  run.lastRead = read.catch(() => undefined);
  return read;
}

async function readNow(run: FollowRun, chunks: readonly number[] | null): Promise<Followed> {
  const { batchId } = run.input;
  const followed = await followPages(batchId, chunks);
  change(run, { kind: 'ends-read', followed, isComplete: chunks === null, nowMs: Date.now() });
  setCurrentDetails(aftercareDetails(batchId, followed));
  upsertSearchAttributes([{ key: KEYS.needsOperator, value: followed.paidTwice > 0 }]);
  return followed;
}

async function followPages(batchId: string, chunks: readonly number[] | null): Promise<Followed> {
  let page = await followEnds({ batchId, chunks, after: null });
  let { changedRows, unread } = page;
  while (page.next !== null) {
    page = await followEnds({ batchId, chunks, after: page.next });
    changedRows += page.changedRows;
    unread += page.unread;
  }
  return { ...page, changedRows, unread };
}
