import { ApplicationFailure } from '@temporalio/common';
import { condition, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';
import type { ApproveInput } from '../../../src/contract/messages.ts';
import type { Question } from '../../../src/domain/approval/question.ts';
import { holdSubject } from '../../../src/domain/approval/question.ts';
import { approvalFault } from '../../../src/domain/approval/check-approval.ts';
import { type ApprovalProgress, standingOf } from '../../../src/domain/approval/standing.ts';
import type { Approval } from '../../../src/domain/approval/statement.ts';

const approve = defineUpdate<ApprovalProgress, [ApproveInput]>('approve');
const standing = defineQuery<ApprovalProgress>('standing');

/** Nothing but the question, its validator, and the wait for its answer: what a batch does between plan and payment. */
export async function approvals(question: Question): Promise<string> {
  const given: Approval[] = [];
  const now = (): ApprovalProgress => standingOf(question, given, Date.now());
  setHandler(standing, now);
  setHandler(
    approve,
    ({ approval }) => {
      given.push(approval);
      return now();
    },
    {
      validator: (input: ApproveInput | undefined) => {
        const note = approvalFault(input?.approval, question, { given, nowMs: Date.now() });
        if (note === null) return;
        throw ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
      },
    },
  );
  await condition(() => now().satisfied || now().refusals.length > 0);
  const hold = { n: 1, kind: 'STOP_LOSS', reason: 'ä', by: '', since: '', facts: {} } as const;
  return holdSubject(question.subject, hold);
}
