import type { AdminAnswer, AdminEndpoint } from '@bursar/sandbox/admin';
import type { Query } from '../route.ts';

/** The facts of a CallError besides its message. */
export type CallErrorFacts = Readonly<{
  /** The HTTP status. Left out when the sandbox did not answer. */
  status?: number;
  errorCode?: string | null;
  traceId?: string | null;
}>;

/** A call that failed. The message is that of the sandbox, if it sent one. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly traceId: string | null;

  constructor(message: string, facts: CallErrorFacts) {
    super(message);
    this.status = facts.status ?? null;
    this.errorCode = facts.errorCode ?? null;
    this.traceId = facts.traceId ?? null;
  }
}

/** The sandbox answers within milliseconds. After this time it is considered gone. */
const TIMEOUT_MS = 15_000;

export type AdminCallOptions = Readonly<{
  query?: Query;
  /** A value that becomes JSON, or JSON text. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}>;

/** Calls an endpoint of the admin API. @throws CallError */
export async function callAdmin<Endpoint extends AdminEndpoint>(
  endpoint: Endpoint,
  { query = {}, body, signal }: AdminCallOptions = {},
): Promise<AdminAnswer<Endpoint>> {
  const [method = '', path = ''] = endpoint.split(' ');
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(`/sandbox${path}${queryText(query)}`, {
    method,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(body === undefined ? {} : { body: bodyText(body), headers: JSON_HEADERS }),
  });
  const text = await response.text();
  if (!response.ok) throw errorOf(response.status, text);
  return JSON.parse(text) as AdminAnswer<Endpoint>;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true && cause === init.signal.reason) throw cause;
    throw new CallError('The sandbox does not answer.', {});
  }
}

/** Returns the query of a URL, without the names that have no value. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function errorOf(status: number, text: string): CallError {
  try {
    const { message, errorCode, traceId } = JSON.parse(text) as Record<string, string>;
    return new CallError(message ?? text, {
      status,
      errorCode: errorCode ?? null,
      traceId: traceId ?? null,
    });
  } catch {
    return new CallError(text === '' ? `The sandbox answered ${status}.` : text, { status });
  }
}
