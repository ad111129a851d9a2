import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Operation, HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';
import type { RequestFacts } from '../core/faults.ts';
import type { RequestRecord } from '../store/requests.ts';
import type { HttpAnswer } from './answer.ts';
import { NumberLiteral, readJson } from './exact-json.ts';

/** A request to an operation as it came off the wire. */
export type RawRequest = Readonly<{
  operation: Operation;
  key: string | undefined;
  sign: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  /** The header `Sandbox-Modes`. */
  modes: string | undefined;
  body: Buffer;
  bodySha256: string;
  arrivedMs: number;
  /** The time that its timestamp is compared with; null: the time when it is decided. */
  timestampAtMs: number | null;
  /** Kind of the fault that was drawn for it; only noted here. */
  fault: string | null;
}>;

const HEADER_MODES = 'Sandbox-Modes';

/** A request that no fault has met; a header that was sent twice has both values. */
export function readRequest(
  operation: Operation,
  { raw, body: sent }: Pick<FastifyRequest, 'raw' | 'body'>,
  arrivedMs: number,
): RawRequest {
  const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
  const { rawHeaders } = raw;
  return {
    operation,
    key: headerOf(rawHeaders, HEADER_KEY),
    sign: headerOf(rawHeaders, HEADER_SIGN),
    contentType: headerOf(rawHeaders, 'Content-Type'),
    contentEncoding: headerOf(rawHeaders, 'Content-Encoding'),
    modes: headerOf(rawHeaders, HEADER_MODES),
    body,
    bodySha256: hash('sha256', body),
    arrivedMs,
    timestampAtMs: null,
    fault: null,
  };
}

/** Node drops the second of some headers; what was sent twice must not look as if it were sent once. */
function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!isSameName(rawHeaders[at] ?? '', name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

const isSameName = (left: string, right: string): boolean =>
  left.length === right.length && left.toLowerCase() === right.toLowerCase();

/** The JSON of a body of which nothing was checked; undefined when it is none. */
export function readLeniently(body: Buffer): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

export type DecidedRequest = Readonly<{
  /** Null when a fault kept the request from being decided. */
  answer: HttpAnswer | null;
  body: unknown;
  nowMs: number;
}>;

/** What the log keeps of a request; neither its signature nor anything of unknown form. */
export function requestRecord(
  request: RawRequest,
  { answer, body, nowMs }: DecidedRequest,
): RequestRecord {
  return {
    atMs: request.arrivedMs,
    operation: request.operation,
    status: answer?.status ?? null,
    errorCode: answer?.errorCode ?? null,
    objectId: answer?.objectId ?? null,
    idempotencyKey: loggableKey(body),
    timestampMs: loggableTimestampMs(body),
    bodySha256: request.bodySha256,
    requestBytes: request.body.length,
    answerBytes: answer === null ? null : Buffer.byteLength(answer.body),
    durationMs: nowMs - request.arrivedMs,
    modes: request.modes !== undefined && isLoggableModes(request.modes) ? request.modes : null,
    fault: request.fault,
  };
}

const isLoggableModes = (text: string): boolean => /^[\w\s=,-]{1,1000}$/.test(text);

/** What a body says of itself, even one that is refused. */
function loggableKey(body: unknown): string | null {
  const key =
    fieldOf(fieldOf(body, 'payload'), 'idempotencyKey') ?? fieldOf(body, 'idempotencyKey');
  return typeof key === 'string' && /^[\w-]{1,64}$/.test(key) ? key : null;
}

function loggableTimestampMs(body: unknown): number | null {
  const timestamp = fieldOf(body, 'timestamp');
  const isLoggable = timestamp instanceof NumberLiteral && /^\d{1,15}$/.test(timestamp.text);
  return isLoggable ? Number.parseInt(timestamp.text, 10) : null;
}

/** What a fault may ask of a request, of which nothing was checked. */
export function readFacts(bytes: Buffer): RequestFacts {
  const body = readLeniently(bytes);
  const account = fieldOf(body, 'account');
  return {
    account: typeof account === 'string' ? account : null,
    idempotencyKey: loggableKey(body),
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
