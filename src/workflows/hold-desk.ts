import {
  ApplicationFailure,
  CancellationScope,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { Resumed } from '../contract/activities.ts';
import type { Act } from '../contract/messages.ts';
import { UPDATE_PAUSE, UPDATE_RESUME } from '../contract/names.ts';
import type { BatchState } from '../domain/batch/batch-state.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import type { Hold } from '../domain/holds/hold.ts';
import { putHold, resumeBatch } from './activities.ts';

export const pauseUpdate = defineUpdate<void, [Act]>(UPDATE_PAUSE);
export const resumeUpdate = defineUpdate<void, [Act]>(UPDATE_RESUME);

/** What the holds of a batch ask of its desk. */
type HoldPlace = Readonly<{
  batchId: string;
  state(): BatchState;
  /** Why nobody can decide anything any more; undefined while somebody can. */
  endedNote(): ErrorNote | undefined;
  /** Whether holds of rules go on by approval. */
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
  const holds = new Map<number, Hold>();
  const released = new Set<number>();
  const take = (hold: Hold): void => {
    // News of a hold can come after it was taken off.
    if (released.has(hold.n)) return;
    holds.set(hold.n, hold);
    place.changed();
  };
  const drop = (n: number): void => {
    released.add(n);
    holds.delete(n);
    place.changed();
  };
  listen(place, { take, drop });
  return {
    all: (): Hold[] => [...holds.values()],
    take,
    drop,
    /** Goes on from what the store has; what was heard of others is out of date. */
    restore: (open: readonly Hold[]): void => {
      for (const n of holds.keys()) if (!open.some((hold) => hold.n === n)) drop(n);
      for (const hold of open) take(hold);
    },
  };
}

type Holds = Readonly<{ take(hold: Hold): void; drop(n: number): void }>;

function listen(place: HoldPlace, { take, drop }: Holds): void {
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
    { validator: (_act: Act) => refuse(place.endedNote() ?? sentNote(place)) },
  );
  setHandler(
    resumeUpdate,
    async (act) => {
      const rulesToo = !place.needsApproval();
      const resumed = await inOrder(() => resumeBatch({ batchId, ...act, rulesToo }));
      refuse(resumeRefusal(batchId, resumed));
      if (resumed.kind === 'resumed') drop(resumed.hold.n);
    },
    { validator: (_act: Act) => refuse(place.endedNote()) },
  );
}

/** Handlers run in the workflow's own scope, which may have been canceled long ago. */
const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> =>
  CancellationScope.nonCancellable(work);

const sentNote = ({ batchId, state }: HoldPlace): ErrorNote | undefined =>
  state() === 'SETTLING' ? noteOf('NOTHING_TO_PAUSE', { batchId, state: state() }) : undefined;

function resumeRefusal(batchId: string, resumed: Resumed): ErrorNote | undefined {
  switch (resumed.kind) {
    case 'resumed':
      return undefined;
    case 'not-held':
      return noteOf('NOT_HELD', { batchId });
    case 'needs-approval':
      return noteOf('HOLD_NEEDS_APPROVAL', { batchId, hold: resumed.hold.reason });
  }
}

/** Refuses an update in the words of the catalogue; does nothing when there is no reason to. */
export function refuse(note: ErrorNote | undefined): void {
  if (note === undefined) return;
  throw ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
}
