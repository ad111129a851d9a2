import { APPROVAL_ERRORS } from './approval-errors.ts';
import type { CatalogueEntry } from './entry.ts';
import { AUDIT_ERRORS } from './audit-errors.ts';
import { BATCH_ERRORS } from './batch-errors.ts';
import { CODEC_ERRORS } from './codec-errors.ts';
import { CONTROL_ERRORS } from './control-errors.ts';
import { FILE_ERRORS } from './file-errors.ts';
import { PAYEE_ERRORS } from './payee-errors.ts';
import { PLAN_ERRORS } from './plan-errors.ts';
import { FUNDS_ERRORS } from './funds-errors.ts';
import { RECONCILE_ERRORS } from './reconcile-errors.ts';
import { FINDING_ERRORS } from './finding-errors.ts';
import { NOTIFY_ERRORS } from './notify-errors.ts';
import { MENDING_ERRORS } from './mending-errors.ts';
import { ROW_ERRORS } from './row-errors.ts';
import { SANDBOX_ERRORS } from './sandbox-errors.ts';
import { SCHEDULE_ERRORS } from './schedule-errors.ts';
import { SERVICE_ERRORS } from './service-errors.ts';
import { SERVE_ERRORS } from './serve-errors.ts';
import { SETUP_ERRORS } from './setup-errors.ts';
import { WORKBOOK_ERRORS } from './workbook-errors.ts';

/** Every error that Bursar reports. A code is never renamed or used again: histories and reports keep it. */
export const CATALOGUE = {
  ...SETUP_ERRORS,
  ...FILE_ERRORS,
  ...WORKBOOK_ERRORS,
  ...FINDING_ERRORS,
  ...ROW_ERRORS,
  ...BATCH_ERRORS,
  ...CONTROL_ERRORS,
  ...PLAN_ERRORS,
  ...PAYEE_ERRORS,
  ...FUNDS_ERRORS,
  ...MENDING_ERRORS,
  ...SERVICE_ERRORS,
  ...SANDBOX_ERRORS,
  ...APPROVAL_ERRORS,
  ...AUDIT_ERRORS,
  ...RECONCILE_ERRORS,
  ...NOTIFY_ERRORS,
  ...SCHEDULE_ERRORS,
  ...CODEC_ERRORS,
  ...SERVE_ERRORS,
};

export type ErrorCode = keyof typeof CATALOGUE;

/** The facts that a code's sentences need. */
export type ErrorFacts<Code extends ErrorCode> =
  (typeof CATALOGUE)[Code] extends CatalogueEntry<infer Facts> ? Facts : never;

export const categoryOf = (code: ErrorCode) => CATALOGUE[code].category;
