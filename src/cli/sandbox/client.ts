import { ADMIN_ANSWERS, type AdminAnswer, type AdminEndpoint } from '@bursar/sandbox/admin';
import { z } from 'zod';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** How long the sandbox may take to answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The admin API of one sandbox. */
export interface SandboxClient {
  readonly url: string;
  /**
   * Calls one endpoint and checks its answer. GET and DELETE send the input as query, other methods as JSON body.
   * Throws SANDBOX_UNREACHABLE, SANDBOX_REFUSED, SANDBOX_NOTHING.
   */
  call<Endpoint extends AdminEndpoint>(
    endpoint: Endpoint,
    input?: object,
  ): Promise<AdminAnswer<Endpoint>>;
  /** Opens the stream of the events after number `after`. The stream has no end. Throws as `call` does. */
  openEvents(after: number): Promise<ReadableStream<Uint8Array>>;
}

export type SandboxClientOptions = Readonly<{
  url: string;
  /** Ends every request when it aborts; the error is then that of the signal. */
  interrupted: AbortSignal;
}>;

/** The client of the sandbox at an address. */
export function createSandboxClient({ url, interrupted }: SandboxClientOptions): SandboxClient {
  const unreachable = (reason: string, cause?: unknown): BursarError =>
    new BursarError('SANDBOX_UNREACHABLE', { url, reason }, { cause });

  const failure = (status: number, text: string): BursarError =>
    status >= 500
      ? unreachable(`it failed with status ${status}`)
      : (refusalOf(parse(text)) ?? unreachable(noSandbox(status)));

  async function connected<Result>(use: () => Promise<Result>): Promise<Result> {
    try {
      return await use();
    } catch (error) {
      interrupted.throwIfAborted();
      throw unreachable(reasonOf(error), error);
    }
  }

  return {
    url,
    async call<Endpoint extends AdminEndpoint>(endpoint: Endpoint, input: object = {}) {
      const [method = '', path = ''] = endpoint.split(' ');
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
      const hasBody = method === 'POST' || method === 'PUT';
      const { status, text } = await connected(async () => {
        const response = await fetch(`${url}/sandbox${path}${hasBody ? '' : queryText(input)}`, {
          method,
          signal,
          redirect: 'manual',
          ...(hasBody ? jsonBody(input) : {}),
        });
        return { status: response.status, text: await response.text() };
      });
      if (status !== 200) throw failure(status, text);
      const { success, data } = ADMIN_ANSWERS[endpoint].safeParse(parse(text));
      if (!success) throw unreachable(noSandbox(status));
      return data as AdminAnswer<Endpoint>;
    },
    async openEvents(after) {
      const path = `/sandbox/events/stream${queryText({ after })}`;
      const response = await connected(() => fetch(url + path, { signal: interrupted }));
      const { status, body } = response;
      if (status === 200 && body !== null) return body;
      throw failure(status, await connected(() => response.text()));
    },
  };
}

const noSandbox = (status: number): string =>
  `the server there, which answers with status ${status}, is no sandbox of this version`;

const jsonBody = (body: object) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const Refusal = z.object({ errorCode: z.string(), message: z.string() });

function refusalOf(value: unknown): BursarError | undefined {
  const { success, data } = Refusal.safeParse(value);
  if (!success) return undefined;
  return new BursarError(
    data.errorCode === 'NOT_FOUND' ? 'SANDBOX_NOTHING' : 'SANDBOX_REFUSED',
    data,
  );
}

/** `fetch` hides why a connection failed in the cause of its error. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'no answer came in time';
  const { code, message: deeper } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? deeper ?? message;
}
