import { createHmac, randomUUID } from 'node:crypto';
import {
  CONTENT_TYPE_JSON,
  type Endpoints,
  HEADER_KEY,
  HEADER_SIGN,
  type Operation,
  readEndpoint,
  type Shapes,
} from '@bursar/merchant-api/spec';
import { bodyOf, type ServiceRequest } from './body.ts';

/** An answer. */
export type ServiceAnswer = Readonly<{
  status: number;
  /** Undefined when the body is not JSON. */
  json: unknown;
  text: string;
  /** The service's own time, in whole seconds, as milliseconds since 1970: its header `Date`. */
  dateMs?: number;
}>;

/** The service under test over plain HTTP, without the client of this project. */
export type TestedService = Readonly<{
  has(operation: Operation): boolean;
  /** Sends one signed request. Throws when no answer comes. */
  send(operation: Operation, request?: ServiceRequest): Promise<ServiceAnswer>;
}>;

export type TestedServiceOptions = Readonly<{
  baseUrl: string;
  key: string;
  secret: string;
  account: string;
  endpoints: Endpoints;
  shapes: Shapes;
  /** How long an answer may take, in milliseconds. */
  timeoutMs: number;
  /** The time for timestamps, in milliseconds since 1970. The default is that of this machine. */
  nowMs?: () => number;
}>;

/** Returns a path at which surely nothing is served. */
export const unknownPath = (): string => `/api/v1/not-served-${randomUUID()}`;

/**
 * Signs and sends requests. No two of them carry the same time.
 * Example: a check repeats a create within a millisecond. With the same time both bodies would be
 * equal. A service that compares bodies would take the second for the first.
 */
export function createTestedService(options: TestedServiceOptions): TestedService {
  const { baseUrl, key, secret, endpoints, timeoutMs, nowMs = Date.now } = options;
  let lastMs = 0;
  const nextMs = (): number => {
    lastMs = Math.max(nowMs(), lastMs + 1);
    return lastMs;
  };
  return {
    has: (operation) => endpoints[operation] !== '',
    async send(operation, request = {}) {
      const body = request.body ?? bodyOf(options, operation, { timestamp: nextMs(), ...request });
      const headers = {
        'Content-Type': CONTENT_TYPE_JSON,
        [HEADER_KEY]: key,
        [HEADER_SIGN]: signatureOf(body, secret, request),
        ...request.headers,
      };
      const endpoint = readEndpoint(endpoints[operation]);
      if (endpoint === undefined) throw new Error(`the service has no ${operation}`);
      const url = baseUrl.replace(/\/+$/, '') + (request.path ?? endpoint.path);
      const { response, text } = await fetchText(url, {
        method: endpoint.method,
        redirect: 'manual',
        headers: Object.entries(headers).filter(
          (header): header is [string, string] => header[1] !== null,
        ),
        body: Buffer.from(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const dateMs = Date.parse(response.headers.get('date') ?? '');
      return {
        status: response.status,
        json: readJson(text),
        text,
        ...(Number.isNaN(dateMs) ? {} : { dateMs }),
      };
    },
  };
}

/** Sends a request and reads the whole answer. Rejects with the host, and why there is no answer. */
async function fetchText(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    // `fetch` hides the reason in the cause of its error.
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const reason = cause?.code ?? cause?.message ?? message;
    throw new Error(`no answer from ${new URL(url).origin} (${reason})`, { cause: error });
  }
}

function signatureOf(body: string, ownSecret: string, request: ServiceRequest): string {
  const { secret = ownSecret, signed = body, isSignUpperCase = false } = request;
  const sign = createHmac('sha512', secret).update(signed).digest('hex');
  return isSignUpperCase ? sign.toUpperCase() : sign;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
