import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { MethodAndPath } from '../spec/endpoints.ts';

/** One request with the signed bytes. */
export type WireRequest = Readonly<{
  method: MethodAndPath['method'];
  path: string;
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  signal?: AbortSignal | undefined;
  /** Deadline of this request. Default: `requestTimeoutMs` of the limits. */
  timeoutMs?: number;
  /** Whether the request gets a connection of its own. */
  isFresh?: boolean;
  /** Called right before the first byte leaves. When it throws, none leaves. */
  onLeave?: (() => void) | undefined;
}>;

/** Status line and headers of an answer, with the local clock at both ends of the wait for them. */
export type WireHead = Readonly<{
  httpStatus: number;
  headers: IncomingHttpHeaders;
  startedAtMs: number;
  receivedAtMs: number;
}>;

/**
 * The outcome of one request. `body` is undefined when it was over the limit.
 * `mayHaveLeft` is false only when provably no byte of the request was handed to a socket.
 */
export type WireResult =
  | Readonly<{ kind: 'answer'; head: WireHead; body: Buffer | undefined }>
  | Readonly<{ kind: 'failure'; mayHaveLeft: boolean; head: WireHead | undefined; cause: unknown }>;

export type ExchangeLimits = Readonly<{
  /** Deadline of the whole call: waiting for a connection, connecting, headers and body. */
  requestTimeoutMs: number;
  responseBytesMax: number;
  nowMs: () => number;
}>;

/** The part of a dispatcher that sends a request. */
export type RequestDispatcher = Readonly<{ dispatch: Dispatcher['dispatch'] }>;

/** Sends one request, once, and waits for its outcome. Never rejects. */
export async function exchange(
  dispatcher: RequestDispatcher,
  request: WireRequest,
  limits: ExchangeLimits,
): Promise<WireResult> {
  const call = openCall(limits, request.onLeave);
  const onAbort = (): void => call.stop(stopReason('aborted'));
  const { timeoutMs = limits.requestTimeoutMs } = request;
  const deadline = setTimeout(() => call.stop(stopReason('time-out')), timeoutMs);
  request.signal?.addEventListener('abort', onAbort);
  if (request.signal?.aborted === true) onAbort();
  else dispatcher.dispatch(dispatchOptions(request), call.handler);
  try {
    return await call.result;
  } finally {
    clearTimeout(deadline);
    request.signal?.removeEventListener('abort', onAbort);
  }
}

const dispatchOptions = (request: WireRequest): Dispatcher.DispatchOptions => ({
  method: request.method,
  path: request.path,
  headers: { ...request.headers },
  body: request.bytes,
});

/** The client's own reason to stop; its `code` identifies it. */
const stopReason = (code: string): Error => Object.assign(new Error(code), { code });

type OpenCall = Readonly<{
  result: Promise<WireResult>;
  /** Ends the call now. Has no effect after its end. */
  stop(reason: Error): void;
  handler: Dispatcher.DispatchHandler;
}>;

function openCall(limits: ExchangeLimits, onLeave?: () => void): OpenCall {
  const body = createBodyCollector(limits.responseBytesMax);
  const { result, settle, isOpen } = openResult();
  let started: { controller: Dispatcher.DispatchController; atMs: number } | undefined;
  let head: WireHead | undefined;

  const fail = (cause: unknown): void =>
    settle({ kind: 'failure', mayHaveLeft: started !== undefined, head, cause });

  return {
    result,
    stop(reason) {
      fail(reason);
      started?.controller.abort(reason);
    },
    handler: {
      /*
       * undici calls this when it has a connection and before it writes the first byte. Before this
       * call, no byte has left. An abort in here writes nothing. It stops a call that ended while it
       * waited for a connection, and any second write of the same request.
       */
      onRequestStart(controller) {
        if (!isOpen() || started !== undefined) return controller.abort(stopReason('sent-once'));
        try {
          onLeave?.();
        } catch (cause) {
          fail(cause);
          return controller.abort(stopReason('not-sent'));
        }
        started = { controller, atMs: limits.nowMs() };
      },
      onResponseStart(_controller, httpStatus, headers) {
        // 1xx only announce an answer; undici calls again with the answer itself.
        if (httpStatus < 200 || started === undefined) return;
        head = { httpStatus, headers, startedAtMs: started.atMs, receivedAtMs: limits.nowMs() };
      },
      onResponseData(controller, chunk) {
        if (head === undefined || body.add(chunk)) return;
        settle({ kind: 'answer', head, body: undefined });
        controller.abort(stopReason('too-large'));
      },
      onResponseEnd() {
        if (head !== undefined) settle({ kind: 'answer', head, body: body.bytes() });
      },
      onResponseError(_controller, cause) {
        fail(cause);
      },
    },
  };
}

/** A promise that the first `settle` resolves. A later one has no effect. */
function openResult() {
  let open = true;
  let resolveResult: (result: WireResult) => void;
  const result = new Promise<WireResult>((resolve) => {
    resolveResult = resolve;
  });
  return {
    result,
    isOpen: () => open,
    settle: (outcome: WireResult): void => {
      open = false;
      resolveResult(outcome);
    },
  };
}

/** Gathers the chunks of a body up to a limit. */
type BodyCollector = Readonly<{
  /** Adds the chunk. Returns false, and drops the chunk, when it would pass the limit. */
  add(chunk: Uint8Array): boolean;
  bytes(): Buffer;
}>;

function createBodyCollector(sizeBytesMax: number): BodyCollector {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    add(chunk) {
      if (sizeBytes + chunk.length > sizeBytesMax) return false;
      chunks.push(chunk);
      sizeBytes += chunk.length;
      return true;
    },
    bytes: () => Buffer.concat(chunks),
  };
}
