import { z } from 'zod';
import { FIELD_LENGTH_MAX } from '../../domain/approval/statement.ts';
import * as approving from '../../operations/approval/approval-question.ts';
import { batchId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { approval, approvalQuestionResult, decideResult } from '../results/approval.ts';

const verdict = z.enum(['approve', 'refuse']);

export const approvalQuestion = operation({
  name: 'approvalQuestion',
  summary: 'The question that a batch puts to its approvers',
  role: 'read',
  http: 'POST /v1/batches/:batchId/approval-question',
  input: z.strictObject({
    batchId,
    verdict: verdict.default('approve'),
    as: z.string().min(1).max(FIELD_LENGTH_MAX).nullable().default(null),
  }),
  result: approvalQuestionResult,
  run: approving.approvalQuestion,
});

export const decideBatch = operation({
  name: 'decideBatch',
  summary: 'Send a signed approval or refusal to a batch',
  role: 'read',
  http: 'POST /v1/batches/:batchId/approvals',
  input: z
    .strictObject({
      batchId,
      verdict: verdict.default('approve'),
      approval,
      dryRun: z.boolean().default(false),
    })
    .refine((given) => given.approval.decision === given.verdict, {
      path: ['approval', 'decision'],
      message: 'must be the verdict',
    }),
  result: decideResult,
  run: approving.decideBatch,
});
