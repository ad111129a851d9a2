import { readFunds, readInbox } from './account/funds.ts';
import { listPeople } from './account/people.ts';
import { showPlace } from './account/place.ts';
import { readAuditLog } from './audit/log.ts';
import {
  answerQuestion,
  cancelBatch,
  liftableHolds,
  pauseBatch,
  resolveChunk,
  resumeBatch,
} from './batches/acts.ts';
import { approvalQuestion, decideBatch } from './batches/approvals.ts';
import { reconcileBatch, refreshReport, verifyBatch, writeReport } from './batches/proof.ts';
import {
  decidePayee,
  emailPayee,
  importPayees,
  labelPayee,
  listPayees,
  namePayee,
  showPayee,
} from './payees/payees.ts';
import { planFile, planResend, resendBatch, submitFile } from './batches/submit.ts';
import { deleteSchedule, pauseSchedule, resumeSchedule } from './schedules/change.ts';
import { listSchedules, showSchedule } from './schedules/look.ts';
import { createSchedule, planSchedule, previewSchedule } from './schedules/make.ts';
import { backfillSchedule, planBackfill, planTrigger, triggerSchedule } from './schedules/runs.ts';
import type { AnyOperation } from './operation.ts';
import {
  explainRow,
  find,
  followBatch,
  listBatches,
  listReportFiles,
  listRows,
  showBatch,
} from './batches/look.ts';

/** Every operation by its name, in the order of the documentation. */
export const OPERATIONS = {
  listBatches,
  showBatch,
  followBatch,
  listRows,
  explainRow,
  find,
  listReportFiles,
  writeReport,
  refreshReport,
  reconcileBatch,
  verifyBatch,
  approvalQuestion,
  decideBatch,
  pauseBatch,
  liftableHolds,
  resumeBatch,
  cancelBatch,
  answerQuestion,
  resolveChunk,
  readFunds,
  readInbox,
  listPeople,
  showPlace,
  readAuditLog,
  listSchedules,
  showSchedule,
  previewSchedule,
  planSchedule,
  createSchedule,
  planTrigger,
  triggerSchedule,
  planBackfill,
  backfillSchedule,
  pauseSchedule,
  resumeSchedule,
  deleteSchedule,
  planFile,
  submitFile,
  planResend,
  resendBatch,
  listPayees,
  showPayee,
  decidePayee,
  namePayee,
  emailPayee,
  labelPayee,
  importPayees,
} as const;

export const ALL_OPERATIONS: readonly AnyOperation[] = Object.values<AnyOperation>(OPERATIONS);
