import type { Settings } from '../../config.ts';
import { questionOf } from '../../domain/approval/question.ts';
import { impossibilityOf } from '../../domain/approval/standing.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { PlanView } from '../file/plan-view.ts';

/**
 * Throws APPROVAL_IMPOSSIBLE when too few people could approve what this person submits: the batch would wait for ever. The
 * policy is that of the settings here; a worker that has another one makes the plan by its own.
 */
export function refuseHopeless(
  { batchId, currencies: totals, digest }: PlanView,
  settings: Settings,
  submittedBy: string,
): void {
  const question = questionOf({
    policy: settings.rules.approval,
    submittedBy,
    batchId,
    totals,
    digest: digest ?? '',
    hold: null,
  });
  const facts = question === null ? null : impossibilityOf(question);
  if (facts !== null) throw new BursarError('APPROVAL_IMPOSSIBLE', facts);
}
