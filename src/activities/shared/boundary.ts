import { ApplicationFailure, CancelledFailure, heartbeat } from '@temporalio/activity';
import type { Refused } from '../../contract/activities.ts';
import { STORE_TROUBLES } from '../../contract/store.ts';
import { HEARTBEAT_INTERVAL_MS } from '../../contract/heartbeat.ts';
import { type BursarError, isBursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { categoryOf, type ErrorCode } from '../../domain/errors/catalogue.ts';
import type { ErrorCategory } from '../../domain/errors/entry.ts';
import { historyNoteOf } from '../../domain/errors/history-note.ts';

/** Troubles that pass by themselves: the activity is tried again. Everything else needs a person. */
const PASSING: readonly ErrorCategory[] = ['unreachable'];

/** Another store may have the batch, so that this ends none (`store-guard.ts`). A person may mend the file of a password. */
const NEVER_FINAL: readonly string[] = [
  'BATCH_NOT_FOUND',
  'STORE_IS_ANOTHER',
  'STORE_PASSWORD_FILE_OPEN',
  'STORE_PASSWORD_FILE_UNREADABLE',
];

/** These pass with time. */
const EARLY: readonly string[] = ['NOT_DUE'];

const passes = (code: ErrorCode): boolean =>
  PASSING.includes(categoryOf(code)) || [...NEVER_FINAL, ...EARLY].includes(code);

/**
 * Runs an activity's work and turns its errors into the one form that Temporal keeps: the code as type, the sentences
 * as details. Messages carry codes, ids and row numbers, never keys, bodies or addresses. Heartbeats carry `progress`.
 */
export async function atBoundary<Result>(
  work: () => Promise<Result>,
  progress: () => unknown = () => undefined,
): Promise<Result> {
  // A worker that dies is noticed when its heartbeats stop, long before the activity's own time-out.
  const beats = setInterval(() => heartbeat(progress()), HEARTBEAT_INTERVAL_MS);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
    throw toFailure(error);
  } finally {
    clearInterval(beats);
  }
}

/** As {@link atBoundary}, but an error that needs a person becomes a result, and the workflow decides on it. */
export async function orRefused<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  return atBoundary(async () => {
    try {
      return await work();
    } catch (error) {
      if (isBursarError(error) && isRefusal(error)) {
        return { kind: 'refused', error: historyNoteOf(error) };
      }
      throw error;
    }
  });
}

/** Whether the batch ends by an error. Others pass by themselves, are waited for, or are a bug of this program. */
export const isRefusal = ({ code }: BursarError): boolean =>
  !passes(code) && !STORE_TROUBLES.includes(code) && categoryOf(code) !== 'bug';

function toFailure(error: unknown): ApplicationFailure {
  if (isBursarError(error)) {
    const note = historyNoteOf(error);
    return ApplicationFailure.create({
      type: note.code,
      message: note.what,
      nonRetryable: !passes(note.code),
      details: [note],
    });
  }
  // Unknown trouble (a full disk, a locked database) may pass; the sends' own records make a repeat safe.
  const message = error instanceof Error ? error.message : 'an unknown error';
  const note = noteOf('INTERNAL', { message });
  return ApplicationFailure.create({ type: 'INTERNAL', message: note.what, details: [note] });
}
