import { createHmac } from 'node:crypto';
import {
  CONTENT_TYPE_JSON,
  type Endpoints,
  HEADER_KEY,
  HEADER_SIGN,
  type Operation,
} from '@bursar/merchant-api/spec';

/** An answer as it came; `json` is undefined when the body is no JSON. */
export type Answer = Readonly<{ status: number; json: unknown; text: string }>;

/** A request in which anything may be wrong on purpose. What is left out is right. */
export type Request = Readonly<{
  payload?: unknown;
  /** Undefined: the account of the run; null: the field is left out. */
  account?: unknown;
  /** Milliseconds since 1970, or whatever stands in its place; null: the field is left out. */
  timestamp?: unknown;
  /** Fields besides those of the envelope. */
  extra?: Readonly<Record<string, unknown>>;
  /** The body itself, in place of all of the above. */
  body?: string;
  /** Headers that differ; null leaves one out. */
  headers?: Readonly<Record<string, string | null>>;
  /** What is signed, when it is not the body. */
  signed?: string;
  /** Signs in place of the secret key. */
  secret?: string;
  isSignUpperCase?: boolean;
}>;

/** The service under test, spoken to over plain HTTP: no client of ours stands between. */
export type Service = Readonly<{
  has(operation: Operation): boolean;
  /** Sends one signed request. Throws when no answer comes. */
  send(operation: Operation, request?: Request): Promise<Answer>;
}>;

export type ServiceOptions = Readonly<{
  baseUrl: string;
  key: string;
  secret: string;
  account: string;
  endpoints: Endpoints;
  /** How long an answer may take, in milliseconds. */
  timeoutMs: number;
  /** The time that requests carry, in milliseconds since 1970; by default that of this machine. */
  nowMs?: () => number;
}>;

/**
 * Signs and sends requests. No two of them carry the same time. Example: a check repeats a create within a millisecond. With
 * the same time both bodies would be equal, and a service that compares bodies would take the second for the first.
 */
export function createService(options: ServiceOptions): Service {
  const { baseUrl, key, secret, account, endpoints, timeoutMs, nowMs = Date.now } = options;
  let lastMs = 0;
  const nextMs = (): number => {
    lastMs = Math.max(nowMs(), lastMs + 1);
    return lastMs;
  };
  return {
    has: (operation) => endpoints[operation] !== '',
    async send(operation, request = {}) {
      const body = request.body ?? envelope(account, { timestamp: nextMs(), ...request });
      const headers = {
        'Content-Type': CONTENT_TYPE_JSON,
        [HEADER_KEY]: key,
        [HEADER_SIGN]: signatureOf(body, secret, request),
        ...request.headers,
      };
      const response = await fetch(baseUrl.replace(/\/+$/, '') + endpoints[operation], {
        method: 'POST',
        redirect: 'manual',
        headers: Object.entries(headers).filter(
          (header): header is [string, string] => header[1] !== null,
        ),
        body: Buffer.from(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, json: readJson(text), text };
    },
  };
}

function signatureOf(body: string, ownSecret: string, request: Request): string {
  const { secret = ownSecret, signed = body, isSignUpperCase = false } = request;
  const sign = createHmac('sha512', secret).update(signed).digest('hex');
  return isSignUpperCase ? sign.toUpperCase() : sign;
}

function envelope(account: string, request: Request): string {
  const { payload, timestamp = null, extra } = request;
  const named = request.account === undefined ? account : request.account;
  return JSON.stringify({
    ...(timestamp === null ? {} : { timestamp }),
    ...(named === null ? {} : { account: named }),
    ...(payload === undefined ? {} : { payload }),
    ...extra,
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
