import { REFUSALS, type RefusalCode } from '../core/refusals.ts';
import { ErrorBody } from '../http/schemas/errors.ts';
import { refTo } from './components.ts';

/**
 * Refusals that every operation can return. The header Sandbox-Modes is not part of the service.
 */
const COMMON_REFUSALS: readonly RefusalCode[] = [
  'REQUEST_MALFORMED',
  'JSON_INVALID',
  'FIELD_UNKNOWN',
  'FIELD_INVALID',
  'TIMESTAMP_OUT_OF_WINDOW',
  'KEY_UNKNOWN',
  'SIGNATURE_INVALID',
  'METHOD_NOT_ALLOWED',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_INVALID',
  'TOO_MANY_REQUESTS',
  'FAULT_INJECTED',
  'INTERNAL_ERROR',
];

/** Refusals of several operations. The document contains their responses once. */
const SHARED_REFUSALS: readonly RefusalCode[] = [
  ...COMMON_REFUSALS,
  'ACCOUNT_FORBIDDEN',
  'NOT_FOUND',
];

const EXAMPLE_TRACE_ID = '0d5f2a8e-7c41-4b96-9a3e-1f60c2b7d854';

const responseName = (status: string): string => `Refused${status}`;

/** The responses to which operations refer. */
export const sharedResponses = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...byStatus(SHARED_REFUSALS)].map(([status, codes]) => [
      responseName(status),
      refusalResponse(codes),
    ]),
  );

/** Returns the responses of an operation's refusals, by status. */
export function refusalResponses(own: readonly RefusalCode[] = []) {
  const shared = byStatus(SHARED_REFUSALS);
  const responses = [...byStatus([...COMMON_REFUSALS, ...own])].map(([status, codes]) => {
    const isShared = codes.join() === shared.get(status)?.join();
    const ref = { $ref: `#/components/responses/${responseName(status)}` };
    return [status, isShared ? ref : refusalResponse(codes)] as const;
  });
  return Object.fromEntries(responses);
}

function byStatus(codes: readonly RefusalCode[]): Map<string, readonly RefusalCode[]> {
  const statusOf = (code: RefusalCode): string => String(REFUSALS[code].status);
  const statuses = [...new Set(codes.map(statusOf))].toSorted();
  return new Map(
    statuses.map((status) => [status, codes.filter((code) => statusOf(code) === status)]),
  );
}

/**
 * ASSUMED: the spec shows neither statuses nor codes. The document has an example for each code.
 */
const refusalResponse = (codes: readonly RefusalCode[]) => ({
  description: codes.map((code) => `${code}: ${REFUSALS[code].message}`).join(' '),
  ...headersOf(codes),
  content: {
    'application/json': {
      schema: refTo(ErrorBody),
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
});

const HEADERS: Readonly<{ [Code in RefusalCode]?: Readonly<Record<string, unknown>> }> = {
  TOO_MANY_REQUESTS: {
    'Retry-After': {
      description: 'Seconds to wait before the next request.',
      schema: { type: 'integer', minimum: 0 },
    },
  },
  METHOD_NOT_ALLOWED: {
    Allow: {
      description: 'The methods that the path takes.',
      schema: { type: 'string' },
    },
  },
};

function headersOf(codes: readonly RefusalCode[]) {
  const headers = codes.flatMap((code) => HEADERS[code] ?? []);
  return headers.length === 0 ? {} : { headers: Object.assign({}, ...headers) as object };
}

const exampleOf = (code: RefusalCode) => ({
  traceId: EXAMPLE_TRACE_ID,
  errorCode: code,
  message: REFUSALS[code].message,
});
