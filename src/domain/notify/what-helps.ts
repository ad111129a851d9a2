import { type Ended, nextIdOf, nextStepOf } from '../batch/next-step.ts';
import type { Hold } from '../holds/hold.ts';
import type { NotifyData } from './events.ts';

/** How a held batch goes on; `isAsked`: whether approvers are asked about what holds it. Nobody approves a pause away. */
export const helpOfHold = ({ kind }: Pick<Hold, 'kind'>, isAsked: boolean): NotifyData => ({
  goesOnBy: isAsked && kind !== 'PAUSE' ? 'approve' : 'resume',
});

/** What pays the rest of a batch that has ended, as `status` says it too; nothing where that has to be found out first. */
export function helpOfEnd(batchId: string, ended: Ended): NotifyData {
  const step = nextStepOf(ended);
  if (step === 'RESEND') return { resendBatchId: batchId };
  return step === 'SUBMIT' ? { newBatchId: nextIdOf(batchId) } : {};
}
