import { condition } from '@temporalio/workflow';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';

/** Waits between two tries while no worker has the store of this workflow, in milliseconds; each is twice as long. */
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 300_000;

/** Why activities of this workflow cannot run for want of its store. The SDK keeps one such state for each workflow. */
const state: {
  note: ErrorNote | null;
  isProbing: boolean;
  waiting: object[];
  isWoken: boolean;
  delayMs: number;
  listeners: (() => void)[];
} = {
  note: null,
  isProbing: false,
  waiting: [],
  isWoken: false,
  delayMs: RETRY_MS_MIN,
  listeners: [],
};

/** Why no worker of late had the store of this workflow; null when one had, or none was needed. */
export const storeTrouble = (): ErrorNote | null => state.note;

/** Runs after each change of {@link storeTrouble}. */
export const onStoreTrouble = (listener: () => void): void => {
  state.listeners.push(listener);
};

export function beginTrouble(note: ErrorNote): void {
  if (state.note?.what === note.what) return;
  state.note = note;
  for (const listener of state.listeners) listener();
}

export function endTrouble(): void {
  state.delayMs = RETRY_MS_MIN;
  if (state.note === null) return;
  state.note = null;
  for (const listener of state.listeners) listener();
}

/** Has the next try happen now, and those after it soon. */
export function wakeProbe(): void {
  state.isWoken = true;
  state.delayMs = RETRY_MS_MIN;
}

/**
 * Waits until an activity may be tried again. Returns whether it is the only one that may, and must call {@link endTry}. One
 * activity at a time is tried: the history would otherwise grow with each chunk that waits for the store. They take turns: a
 * batch that begins again must be read before anything else of it can succeed.
 */
export async function untilNextTry(): Promise<boolean> {
  const turn = {};
  state.waiting.push(turn);
  const isMine = (): boolean => state.waiting[0] === turn && !state.isProbing;
  try {
    await condition(() => state.note === null || isMine());
  } finally {
    state.waiting.splice(state.waiting.indexOf(turn), 1);
  }
  if (state.note === null) return false;
  state.isProbing = true;
  const { delayMs } = state;
  state.delayMs = Math.min(delayMs * 2, RETRY_MS_MAX);
  try {
    await condition(() => state.isWoken, delayMs, { summary: 'no worker has the store' });
    state.isWoken = false;
  } catch (error) {
    state.isProbing = false;
    throw error;
  }
  return true;
}

/** The try that {@link untilNextTry} allowed is over. */
export function endTry(): void {
  state.isProbing = false;
}

/** The part of the status of a batch that names the trouble. */
export const storeTroublePart = (): Readonly<{ storeTrouble?: ErrorNote }> =>
  state.note === null ? {} : { storeTrouble: state.note };
