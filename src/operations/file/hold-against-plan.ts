import { BursarError } from '../../domain/errors/bursar-error.ts';
import { readInstantAhead } from '../input/instant.ts';
import { changesOf } from './plan-changes.ts';
import { editOf } from './plan-edits.ts';
import type { PlanView } from './plan-view.ts';
import type { OpenPlan } from './read-plan.ts';

/**
 * Refuses to start any plan but the one in the plan file. `view` is the plan of the same file and the same choices,
 * made now. Throws PLAN_CHANGED, PLAN_FILE_EDITED, and AT_IN_PAST for a plan whose time is over.
 */
export function holdAgainstPlan(
  { name, plan, written }: OpenPlan,
  view: PlanView,
  nowMs: number,
): void {
  if (view.digest !== plan.digest) {
    const changes = changesOf(plan, view).join('; ');
    throw new BursarError('PLAN_CHANGED', { plan: name, changes });
  }
  const where = editOf(written, view);
  if (where !== undefined) throw new BursarError('PLAN_FILE_EDITED', { plan: name, where });
  const { at, executionDate } = plan.choices;
  if (at !== null) readInstantAhead('--at', at, nowMs);
  if (executionDate !== null) readInstantAhead('--execution-date', executionDate, nowMs);
}
