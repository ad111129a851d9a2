import { type EndedFacts, nextIdOf, nextStepOf } from '../batch/next-step.ts';
import type { Hold } from '../holds/hold.ts';
import type { NotifyData } from './events.ts';

/** How a held batch goes on; `isAsked`: whether approvers decide about the hold. No approval lifts a pause. */
export const helpOfHold = ({ kind }: Hold, isAsked: boolean): NotifyData => ({
  goesOnBy: isAsked && kind !== 'PAUSE' ? 'approve' : 'resume',
});

/**
 * The command that pays the rest of an ended batch, as `status` shows it; none where that must be investigated first.
 */
export function helpOfEnd(batchId: string, ended: EndedFacts): NotifyData {
  const step = nextStepOf(ended);
  if (step === 'RESEND') return { resendBatchId: batchId };
  return step === 'SUBMIT' ? { newBatchId: nextIdOf(batchId) } : {};
}
