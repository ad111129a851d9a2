import { type ErrorNote, isBursarError, noteOf } from '../domain/errors/bursar-error.ts';
import { type DetailedNote, detailsOf } from '../domain/errors/error-details.ts';
import { type FileQuestion, questionIn } from '../domain/errors/file-question.ts';
import { categoryOf } from '../domain/errors/catalogue.ts';
import type { ErrorCode } from '../domain/errors/catalogue.ts';
import type { ErrorCategory } from '../domain/errors/entry.ts';

/** The body of an error: RFC 9457, and the sentences that the command line prints. */
export type ApiProblem = DetailedNote &
  Readonly<{
    type: string;
    title: string;
    status: number;
    /** The names that a submitter chooses from. */
    asks?: FileQuestion;
  }>;

export const PROBLEM_TYPE = 'application/problem+json';

const STATUS: Readonly<Record<ErrorCategory, number>> = {
  usage: 422,
  file: 422,
  'said-no': 409,
  auth: 403,
  'not-found': 404,
  unreachable: 503,
  operator: 409,
  funds: 409,
  tampered: 409,
  bug: 500,
};

/** The request is well formed. The batch or the schedule is in another state. */
const CONFLICTS: readonly ErrorCode[] = [
  'BATCH_ID_TAKEN',
  'BATCH_ENDED',
  'BATCH_OPEN',
  'BATCH_STOPPED',
  'ALREADY_PAUSED',
  'NOTHING_TO_PAUSE',
  'HOLD_UNCLEAR',
  'RESEND_EXISTS',
  'APPROVAL_NOT_NEEDED',
  'APPROVAL_FOR_ANOTHER',
  'SCHEDULE_EXISTS',
  'SCHEDULE_RUN_TAKEN',
];

/** Errors of the request itself. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = {
  REQUEST_INVALID: 400,
  TOKEN_MISSING: 401,
  TOKEN_UNKNOWN: 401,
  SESSION_UNKNOWN: 401,
  SIGN_IN_REFUSED: 401,
  CHALLENGE_UNKNOWN: 401,
  OIDC_DENIED: 401,
  OIDC_REFUSED: 401,
  OIDC_MISSING: 409,
  WEB_ORIGIN_MISSING: 409,
  PATH_UNKNOWN: 404,
  METHOD_WRONG: 405,
  REQUESTS_AT_ONCE: 429,
  REQUESTS_TOO_MANY: 429,
  REQUEST_TOO_LARGE: 413,
};

/** The status of an answer with this error. */
function statusOf(code: ErrorCode): number {
  const own = OWN_STATUS[code];
  if (own !== undefined) return own;
  return CONFLICTS.includes(code) ? 409 : STATUS[categoryOf(code)];
}

/** The problem of any error. */
export function problemOfError(error: unknown): ApiProblem {
  const known = isBursarError(error) ? error.facts : {};
  const asks = questionIn(known);
  return {
    ...problemOf(noteOfError(error)),
    facts: detailsOf(known),
    ...(asks === undefined ? {} : { asks }),
  };
}

const problemOf = (note: ErrorNote) => ({
  type: `urn:bursar:error:${note.code}`,
  title: note.what,
  status: statusOf(note.code),
  ...note,
});

/** The note of any error. An unexpected one shows no text of its own: it may hold a secret. */
export const noteOfError = (error: unknown): ErrorNote =>
  isBursarError(error)
    ? error.note
    : noteOf('INTERNAL', { message: error instanceof Error ? error.name : 'unknown' });
