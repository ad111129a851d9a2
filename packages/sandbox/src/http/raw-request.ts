import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Operation, HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';
import type { RequestFacts } from '../core/faults.ts';
import { type Modes, timestampUnitMs } from '../core/modes.ts';
import type { KeptRequest, RequestRecord } from '../store/requests.ts';
import type { HttpAnswer } from './answer.ts';
import { NumberLiteral, readJson } from './exact-json.ts';

/** A request to an operation before any check. */
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
  /** The time with which its timestamp is compared. Null: the time of the decision. */
  timestampAtMs: number | null;
  /** The kind of the fault that fired for it. It is only logged. */
  fault: string | null;
}>;

const HEADER_MODES = 'Sandbox-Modes';

/** Reads a request. A header that was sent twice has both values. */
export function readRequest(
  operation: Operation,
  { raw, body: sent }: FastifyRequest,
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

/**
 * Node drops the second of some headers. A header that was sent twice must not look like a single
 * one.
 */
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

/** Returns the JSON of an unchecked body, or undefined. */
export function readLeniently(body: Buffer): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

export type DecidedRequest = Readonly<{
  /** Null when a fault prevented the decision. */
  answer: HttpAnswer | null;
  body: unknown;
  modes: Modes;
  nowMs: number;
  kept: KeptRequest | null;
}>;

/**
 * Returns the log's record of a request, without its signature and without fields of unknown form.
 */
export function requestRecord(
  request: RawRequest,
  { answer, body, modes, nowMs, kept }: DecidedRequest,
): RequestRecord {
  return {
    atMs: request.arrivedMs,
    operation: request.operation,
    status: answer?.status ?? null,
    errorCode: answer?.errorCode ?? null,
    objectId: answer?.objectId ?? null,
    idempotencyKey: loggableKey(body),
    timestampMs: loggableTimestampMs(body, modes),
    bodySha256: request.bodySha256,
    requestBytes: request.body.length,
    answerBytes: answer === null ? null : Buffer.byteLength(answer.body),
    durationMs: nowMs - request.arrivedMs,
    modes: request.modes !== undefined && isLoggableModes(request.modes) ? request.modes : null,
    fault: request.fault,
    kept,
  };
}

/** Returns what the log keeps of a request besides its record. `key` is the place of its key. */
export function keptRequest(
  { body, contentType }: RawRequest,
  answer: HttpAnswer | null,
  key: number | null,
): KeptRequest {
  const encoding = isUtf8(body) ? 'utf8' : 'base64';
  const text = body.toString(encoding);
  return {
    key,
    contentType: contentType ?? null,
    body: text,
    encoding,
    answer: answer?.body ?? null,
  };
}

const isLoggableModes = (text: string): boolean => /^[\w\s=,-]{1,1000}$/.test(text);

/** Returns the key in a body, also in one that is refused. */
function loggableKey(body: unknown): string | null {
  const key =
    fieldOf(fieldOf(body, 'payload'), 'idempotencyKey') ?? fieldOf(body, 'idempotencyKey');
  return typeof key === 'string' && /^[\w-]{1,64}$/.test(key) ? key : null;
}

function loggableTimestampMs(body: unknown, modes: Modes): number | null {
  const timestamp = fieldOf(body, 'timestamp');
  const isLoggable = timestamp instanceof NumberLiteral && /^\d{1,15}$/.test(timestamp.text);
  return isLoggable ? Number.parseInt(timestamp.text, 10) * timestampUnitMs(modes) : null;
}

/** Returns the fields of an unchecked body that a fault rule can name. */
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
