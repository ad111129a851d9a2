import type { Query } from '../route.ts';

/** Why there is no good answer, in the words of the sandbox where it had some. */
export class AskError extends Error {
  override readonly name = 'AskError';
  /** Null when nothing answered. */
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly traceId: string | null;

  constructor(message: string, facts: Partial<Pick<AskError, 'status' | 'errorCode' | 'traceId'>>) {
    super(message);
    this.status = facts.status ?? null;
    this.errorCode = facts.errorCode ?? null;
    this.traceId = facts.traceId ?? null;
  }
}

/** An answer is awaited no longer; the sandbox answers at once or is gone. */
const TIMEOUT_MS = 15_000;

export type Sent = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Query;
  /** JSON; a text is sent as it is. */
  body?: unknown;
  signal?: AbortSignal;
}>;

/** Asks the admin API. `path` is relative to /sandbox/. Throws AskError. */
export async function ask<Answer>(path: string, sent: Sent = {}): Promise<Answer> {
  const { method = 'GET', query = {}, body, signal } = sent;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(`/sandbox/${path}${queryText(query)}`, {
    method,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(body === undefined ? {} : { body: bodyText(body), headers: JSON_HEADERS }),
  });
  const text = await response.text();
  if (!response.ok) throw errorOf(response.status, text);
  return JSON.parse(text) as Answer;
}

export const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  ask<Answer>(path, { method: 'POST', body });

const JSON_HEADERS = { 'content-type': 'application/json' };

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true && cause === init.signal.reason) throw cause;
    throw new AskError('The sandbox does not answer.', {});
  }
}

export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function errorOf(status: number, text: string): AskError {
  try {
    const { message, errorCode, traceId } = JSON.parse(text) as Record<string, string>;
    return new AskError(message ?? text, {
      status,
      errorCode: errorCode ?? null,
      traceId: traceId ?? null,
    });
  } catch {
    return new AskError(text === '' ? `The sandbox answered ${status}.` : text, { status });
  }
}
