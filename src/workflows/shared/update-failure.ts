import { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';

/** The failure that refuses an update, with the texts of the catalogue. */
export const updateFailure = (note: ErrorNote): ApplicationFailure =>
  ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });

/** Refuses an update when there is a reason to. */
export function refuseUpdate(note: ErrorNote | undefined): void {
  if (note !== undefined) throw updateFailure(note);
}
