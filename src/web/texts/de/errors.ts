import type { ErrorTexts } from '../error-texts.ts';
import { DE_APPROVAL_ERRORS } from './approval-errors.ts';
import { DE_BATCH_ERRORS } from './batch-errors.ts';
import { DE_FILE_ERRORS } from './file-errors.ts';
import { DE_ROW_ERRORS } from './row-errors.ts';
import { DE_SERVER_ERRORS } from './server-errors.ts';

/** Errors that people meet in the web app. */
export const DE_ERRORS: ErrorTexts = {
  ...DE_ROW_ERRORS,
  ...DE_FILE_ERRORS,
  ...DE_BATCH_ERRORS,
  ...DE_APPROVAL_ERRORS,
  ...DE_SERVER_ERRORS,
};
