import type { Methods } from '../../app/methods.ts';

export type OperationName = keyof typeof PLACES;

/** Where HTTP has the operations that the pages use. A test compares them with the table of operations. */
export const PLACES = {
  showPlace: 'GET /v1/place',
  listPeople: 'GET /v1/people',
  listBatches: 'GET /v1/batches',
  showBatch: 'GET /v1/batches/:batchId',
  listRows: 'GET /v1/batches/:batchId/rows',
  explainRow: 'GET /v1/batches/:batchId/rows/:row',
  find: 'GET /v1/find',
  listReportFiles: 'GET /v1/batches/:batchId/report',
  approvalQuestion: 'POST /v1/batches/:batchId/approval-question',
  decideBatch: 'POST /v1/batches/:batchId/approvals',
  pauseBatch: 'POST /v1/batches/:batchId/pause',
  liftableHolds: 'POST /v1/batches/:batchId/liftable-holds',
  resumeBatch: 'POST /v1/batches/:batchId/resume',
  cancelBatch: 'POST /v1/batches/:batchId/cancel',
  answerQuestion: 'POST /v1/batches/:batchId/chunks/:chunk/question',
  resolveChunk: 'POST /v1/batches/:batchId/chunks/:chunk/answer',
  readFunds: 'GET /v1/funds',
  readInbox: 'GET /v1/inbox',
  readAuditLog: 'GET /v1/audit',
  listSchedules: 'GET /v1/schedules',
  showSchedule: 'GET /v1/schedules/:scheduleId',
  pauseSchedule: 'POST /v1/schedules/:scheduleId/pause',
  resumeSchedule: 'POST /v1/schedules/:scheduleId/resume',
  planFile: 'POST /v1/plans',
  submitFile: 'POST /v1/batches',
  listPayees: 'GET /v1/payees',
  showPayee: 'GET /v1/payees/:address',
  decidePayee: 'POST /v1/payees/:address/decision',
  namePayee: 'POST /v1/payees/:address/name',
  emailPayee: 'POST /v1/payees/:address/email',
  labelPayee: 'POST /v1/payees/:address/labels',
  importPayees: 'POST /v1/payee-imports',
  planResend: 'POST /v1/batches/:parentBatchId/resend-plan',
  resendBatch: 'POST /v1/batches/:parentBatchId/resend',
} as const satisfies Partial<Record<keyof Methods, string>>;

/** The arrays of the lists, by operation. */
export const ARRAYS = {
  listBatches: 'batches',
  listRows: 'rows',
  readInbox: 'items',
  readAuditLog: 'entries',
  listSchedules: 'schedules',
  listPayees: 'payees',
} as const satisfies Partial<Record<OperationName, string>>;

export type OperationQuery = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** A request, as `fetch` takes it. */
export type WebRequest = Readonly<{ method: string; path: string; body: object | null }>;

/**
 * The request of an operation. Fields of the path go there, and the others into the query of a GET, else into the body.
 *
 * @example requestOf('GET /v1/batches/:batchId/rows', { batchId: 'may', limit: 5 }) // GET /v1/batches/may/rows?limit=5
 */
export function requestOf(place: string, input: object): WebRequest {
  const [method = '', pattern = ''] = place.split(' ');
  const fields = new Map<string, unknown>(Object.entries(input));
  const path = pattern.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = fields.get(field);
    fields.delete(field);
    return encodeURIComponent(String(value));
  });
  const rest = Object.fromEntries(fields);
  if (method !== 'GET') return { method, path, body: rest };
  return { method, path: `${path}${queryText(rest as OperationQuery)}`, body: null };
}

/** The query of a path. A list has its name once for each item; names without a value are left out. */
export function queryText(query: OperationQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
