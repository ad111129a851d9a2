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
import { nextFollowMs } from '../domain/lineage/follow.ts';
import { followEnds } from './activities.ts';
import { KEYS } from './batch-attributes.ts';
import { aftercareDetails } from './details.ts';

export const aftercareHintSignal = defineSignal<[Hint]>(SIGNAL_HINT);
export const refreshUpdate = defineUpdate<Refreshed>(UPDATE_REFRESH);

/** Webhooks come in bursts; what comes within this time is looked at together. Milliseconds. */
const GATHER_MS = 1_000;

/**
 * Follows a batch after its report: ends that people can change in the service's own interface are read again, soon at first
 * and then ever more rarely, at once when a webhook names them, or when somebody asks. It ends when nothing can change any
 * more, or when the batch was followed for as long as the settings say.
 */
export async function aftercare(input: AftercareInput): Promise<void> {
  const notes: Notes = {
    hints: new Set(input.hints),
    delayMs: input.delayMs,
    dueMs: Date.now() + input.delayMs,
    isAskedFor: false,
    isOver: false,
  };
  const look = createLook(input.batchId, notes);
  setHandler(aftercareHintSignal, (hint) => {
    if (isHint(hint)) for (const chunk of hint.chunks) notes.hints.add(chunk);
  });
  setHandler(refreshUpdate, async () => {
    const told = await look(null);
    notes.isAskedFor = true;
    return told;
  });
  upsertSearchAttributes([{ key: KEYS.batch, value: input.batchId }]);
  while (!notes.isOver) {
    await followOnce(input, notes, look);
    if (notes.isOver || !workflowInfo().continueAsNewSuggested) continue;
    await condition(allHandlersFinished);
    const hints = [...notes.hints];
    await continueAsNew<typeof aftercare>({ ...input, delayMs: leftMs(notes), hints });
  }
  await condition(allHandlersFinished);
}

/** What an aftercare has been told, and when it looks next. */
type Notes = {
  readonly hints: Set<number>;
  delayMs: number;
  dueMs: number;
  /** Whether somebody had it look, so that the next time to look may be another one. */
  isAskedFor: boolean;
  /** Whether nothing can change any more, or the time is over. */
  isOver: boolean;
};

type Look = (chunks: readonly number[] | null) => Promise<Followed>;

/** Waits until it is time, a webhook names something, or somebody has had it look; then looks. */
async function followOnce({ batchId }: AftercareInput, notes: Notes, look: Look): Promise<void> {
  const { hints } = notes;
  const summary = `the next look at ends of ${batchId}`;
  notes.isAskedFor = false;
  const isWoken = (): boolean => hints.size > 0 || notes.isAskedFor;
  await condition(isWoken, leftMs(notes), { summary });
  if (notes.isAskedFor) return;
  if (hints.size > 0) await condition(() => false, GATHER_MS);
  const named = [...hints];
  hints.clear();
  await look(Date.now() >= notes.dueMs ? null : named);
}

/** Says when to look next: soon after a change, and later and later while there is none. */
function note(notes: Notes, { firstMs, untilMs, following }: Followed, changed: boolean): void {
  notes.delayMs = nextFollowMs(notes.delayMs, { changed, firstMs });
  notes.dueMs = Date.now() + notes.delayMs;
  notes.isOver = following === 0 || Date.now() >= untilMs;
}

const leftMs = ({ dueMs }: Notes): number => Math.max(1, dueMs - Date.now());

/** Looks at ends, one look after the other: whoever comes while one is under way waits for it. */
function createLook(batchId: string, notes: Notes): Look {
  let before: Promise<unknown> = Promise.resolve();
  return (chunks) => {
    const look = before.then(() => lookAndNote({ batchId, notes }, chunks));
    // One that failed has told whoever asked for it.
    before = look.catch(() => undefined);
    return look;
  };
}

async function lookAndNote(
  { batchId, notes }: Readonly<{ batchId: string; notes: Notes }>,
  chunks: readonly number[] | null,
): Promise<Followed> {
  const told = await lookAtAll(batchId, chunks);
  const changed = told.changedRows > 0;
  if (chunks === null || changed) note(notes, told, changed);
  show(batchId, told);
  return told;
}

async function lookAtAll(batchId: string, chunks: readonly number[] | null): Promise<Followed> {
  let told = await followEnds({ batchId, chunks, after: null });
  let { changedRows, unread } = told;
  while (told.next !== null) {
    told = await followEnds({ batchId, chunks, after: told.next });
    changedRows += told.changedRows;
    unread += told.unread;
  }
  return { ...told, changedRows, unread };
}

function show(batchId: string, told: Followed): void {
  setCurrentDetails(aftercareDetails(batchId, told));
  upsertSearchAttributes([{ key: KEYS.needsOperator, value: told.paidTwice > 0 }]);
}
