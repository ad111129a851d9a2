import {
  ApplicationFailure,
  CancellationScope,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { Resumed } from '../contract/activities.ts';
import type { Act, Resume, SignedActResult } from '../contract/messages.ts';
import { UPDATE_PAUSE, UPDATE_RESUME } from '../contract/names.ts';
import { isAct, isResume } from '../contract/read-messages.ts';
import { type BatchState, isEndState } from '../domain/batch/batch-state.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { type Hold, holdName, holdText, isHoldNamed } from '../domain/holds/hold.ts';
import { putHold, resumeBatch } from './activities.ts';

export const pauseUpdate = defineUpdate<void, [Act]>(UPDATE_PAUSE);
export const resumeUpdate = defineUpdate<SignedActResult, [Resume]>(UPDATE_RESUME);

const NOTHING_MISSING: SignedActResult = { missing: [] };

/** What the holds of a batch ask of its desk. */
type HoldPlace = Readonly<{
  batchId: string;
  state(): BatchState;
  /** Why nobody can decide anything any more; undefined while somebody can. */
  endedNote(): ErrorNote | undefined;
  /** Why nothing more is sent; null while everything goes on. */
  stopReason(): string | null;
  /** Whether what a rule holds goes on by approval. */
  needsApproval(): boolean;
  /** Called when holds have changed. */
  changed(): void;
}>;

export type HoldDesk = ReturnType<typeof openHoldDesk>;

/**
 * The holds of a batch, as far as its workflow has heard: what people and rules put on and take off while it runs. The
 * store has them first, and decides.
 */
export function openHoldDesk(place: HoldPlace) {
  const holds = new Map<string, Hold>();
  const released = new Set<string>();
  const all = (): Hold[] => [...holds.values()].sort((a, b) => a.n - b.n);
  const take = (hold: Hold): void => {
    // News of a hold can come after it was taken off.
    if (released.has(holdName(hold))) return;
    holds.set(holdName(hold), hold);
    place.changed();
  };
  const drop = (hold: Hold): void => {
    released.add(holdName(hold));
    holds.delete(holdName(hold));
    place.changed();
  };
  return {
    all,
    take,
    drop,
    /** Registers the handlers. Updates that came before the first workflow task run at once, so every desk must be open. */
    listen: (): void => listen(place, { all, take, drop }),
    /** Goes on from what the store has; of what was `heard` before it was asked, all else is out of date. */
    restore: (open: readonly Hold[], heard: readonly Hold[]): void => {
      const names = new Set(open.map(holdName));
      for (const hold of heard) if (!names.has(holdName(hold))) drop(hold);
      for (const hold of open) take(hold);
    },
  };
}

type Holds = Readonly<{ all(): Hold[]; take(hold: Hold): void; drop(hold: Hold): void }>;

function listen(place: HoldPlace, { all, take, drop }: Holds): void {
  const { batchId } = place;
  setHandler(
    pauseUpdate,
    async ({ by, reason }) => {
      const pause = { batchId, kind: 'PAUSE', reason, by, facts: {} } as const;
      const hold = await inOrder(() => putHold(pause));
      take(hold);
      if (hold.by !== by || hold.reason !== reason) {
        refuse(noteOf('ALREADY_PAUSED', { batchId, by: hold.by }));
      }
    },
    {
      validator: (act: Act) =>
        refuse(
          unreadNote(place, UPDATE_PAUSE, isAct(act)) ??
            place.endedNote() ??
            stoppedNote(place) ??
            sentNote(place),
        ),
    },
  );
  setHandler(
    resumeUpdate,
    async (act) => {
      const heard = all();
      const rulesToo = !place.needsApproval();
      // A store that was brought back from an older copy does not know what the batch waits for.
      const forgotten = heard.filter(
        (hold) =>
          (hold.kind === 'PAUSE' || rulesToo) &&
          (act.hold === undefined || isHoldNamed(hold, act.hold)),
      );
      const asked = { batchId, ...act, rulesToo, stopped: place.stopReason() };
      const resumed = await inOrder(() =>
        resumeBatch({ ...asked, forgotten: forgotten.length > 0 }),
      );
      if (resumed.kind === 'recorded') return { missing: [resumed.missing] };
      if (resumed.kind === 'resumed') {
        drop(resumed.hold);
        return NOTHING_MISSING;
      }
      if (resumed.kind === 'not-held' && forgotten.length > 0) forgotten.forEach(drop);
      else refuse(resumeRefusal(batchId, resumed, act));
      return NOTHING_MISSING;
    },
    {
      validator: (act: Resume) =>
        refuse(unreadNote(place, UPDATE_RESUME, isResume(act)) ?? place.endedNote()),
    },
  );
}

/** Handlers run in the workflow's own scope, which may have been canceled long ago. */
export const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> =>
  CancellationScope.nonCancellable(work);

const sentNote = ({ batchId, state }: HoldPlace): ErrorNote | undefined =>
  state() === 'SETTLING' ? noteOf('NOTHING_TO_PAUSE', { batchId, state: state() }) : undefined;

function resumeRefusal(
  batchId: string,
  resumed: Exclude<Resumed, { kind: 'resumed' | 'recorded' }>,
  { hold }: Resume,
): ErrorNote {
  switch (resumed.kind) {
    case 'not-held':
      return noteOf('NOT_HELD', { batchId });
    case 'not-open': {
      const open = resumed.open.map(holdText).join(', ');
      return noteOf('HOLD_NOT_OPEN', { batchId, n: String(hold?.n ?? ''), open });
    }
    case 'needs-approval':
      return noteOf('HOLD_NEEDS_APPROVAL', { batchId, hold: resumed.hold.reason });
    case 'stopped':
      return noteOf('BATCH_STOPPED', { batchId, stopped: resumed.stopped });
    case 'refused':
      return resumed.error;
  }
}

/** Why nobody can let a batch go on, or keep it from doing so, any more; undefined while it was not stopped. */
export function stoppedNote({
  batchId,
  stopReason,
}: Pick<HoldPlace, 'batchId' | 'stopReason'>): ErrorNote | undefined {
  const stopped = stopReason();
  return stopped === null ? undefined : noteOf('BATCH_STOPPED', { batchId, stopped });
}

/** Why nobody can decide anything about a batch any more; undefined while somebody can. */
export function endedNoteOf(batchId: string, state: BatchState): ErrorNote | undefined {
  const isOver = state === 'REPORTING' || isEndState(state);
  return isOver ? noteOf('BATCH_ENDED', { batchId, state }) : undefined;
}

/** Why a message is refused that the workflow cannot read; undefined when it can. */
export const unreadNote = (
  { batchId }: Pick<HoldPlace, 'batchId'>,
  message: string,
  isRead: boolean,
): ErrorNote | undefined =>
  isRead ? undefined : noteOf('MESSAGE_UNREADABLE', { batchId, message });

/** Refuses an update in the words of the catalogue; does nothing when there is no reason to. */
export function refuse(note: ErrorNote | undefined): void {
  if (note !== undefined) throw refusalOf(note);
}

/** The failure by which an update is refused. */
export const refusalOf = (note: ErrorNote): ApplicationFailure =>
  ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
