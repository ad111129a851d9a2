import { expect, it } from '@jest/globals';
import { isListing } from '../../src/app/operation.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import { PLAN_PARTS } from '../../src/domain/plan/digest.ts';
import * as played from './support/played-answers.mjs';

const HASH = '0'.repeat(64);
const parts = Object.fromEntries(PLAN_PARTS.map((part) => [part, HASH]));

const FORM = { sheet: 'December', decimalComma: false, columns: {}, ignoreColumns: [] };

/** A test or a picture with an answer that no server gives proves nothing. */
it.each<readonly [keyof typeof OPERATIONS, unknown]>([
  ['showPlace', played.PLACE],
  ['listPeople', played.PEOPLE],
  ['listBatches', played.BATCHES],
  ['showBatch', played.WAITING],
  ['showBatch', played.payingBatch(100)],
  ['showBatch', played.HELD],
  ['showBatch', played.PARTIAL],
  ['showBatch', played.UNCLEAR],
  ['answerQuestion', played.answerQuestionOf('refunds-7750', { chunk: 3, answer: 'adopt' }, 'x')],
  ['resolveChunk', played.ANSWERED],
  ['planResend', played.RESEND_PLAN],
  ['resendBatch', played.RESENT],
  ['approvalQuestion', played.questionWith('passkey:localhost:ES256:x')],
  ['listRows', played.ROWS],
  ['explainRow', played.ROW_HISTORY],
  ['listReportFiles', played.REPORT_FILES],
  ['readInbox', played.INBOX],
  ['readFunds', played.FUNDS],
  ['listSchedules', played.SCHEDULE_LIST],
  ['showSchedule', played.SCHEDULES[0]],
  ['readAuditLog', played.AUDIT],
  ['listPayees', played.PAYEES],
  [
    'listPayees',
    {
      ...played.PAYEES,
      payees: played.STAFF.map((one) => ({ ...one, ...played.paymentsOf(one) })),
    },
  ],
  ['showPayee', played.PAYEE],
  ['importPayees', played.PAYEE_IMPORT],
  ['find', played.FINDS],
  ['planFile', played.planWith([], { parts })],
  ['planFile', played.planWith([], { isWrong: true, parts })],
  ['planFile', played.planWith([], { parts, form: FORM })],
  ['planFile', played.planWith([], { parts, hasCurrency: false, isSigned: true })],
])('%s gives what is played', (name, answer) => {
  const operation = OPERATIONS[name];
  if (!isListing(operation)) {
    expect(operation.result.safeParse(answer).error).toBeUndefined();
    return;
  }
  const { array, schema } = operation.names;
  const { [array]: items, ...about } = answer as Readonly<Record<string, readonly unknown[]>>;
  expect(about['schema']).toBe(schema);
  expect(operation.about.safeParse(about).error).toBeUndefined();
  for (const item of items ?? []) expect(operation.item.safeParse(item).error).toBeUndefined();
});
