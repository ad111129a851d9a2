import type { Operation } from '../spec/endpoints.ts';
import type { MerchantApiErrorKind } from '../errors.ts';
import { safeCause } from '../response/safe-cause.ts';

/** One HTTP request that is about to start. It holds no body, header, key, signature or address. */
export type RequestStart = {
  /** Operation of the request. */
  readonly operation: Operation;
  /** 1 for the first request of a call, 2 for its first repetition, and so on. */
  readonly attempt: number;
  /** Signed timestamp of the request: Unix time in milliseconds. */
  readonly timestampMs: number;
};

/** One finished HTTP request, for logs, metrics and traces. It holds no body, header or address. */
export type RequestEnd = {
  /** Operation of the request. */
  readonly operation: Operation;
  /** 1 for the first request of a call, 2 for its first repetition, and so on. */
  readonly attempt: number;
  /** Duration of the request in milliseconds. */
  readonly durationMs: number;
  /** HTTP status. Absent when no status line arrived. */
  readonly httpStatus?: number;
  /** Kind of the error. Absent when the request succeeded. */
  readonly errorKind?: MerchantApiErrorKind;
  /** `traceId` of the answer. Absent when it has none. */
  readonly traceId?: string;
};

/** The wishes of a hook about one HTTP request. */
export type RequestObserver = {
  /**
   * Value of the header `traceparent` (W3C Trace Context): `00-`, 32 hexadecimal digits, `-`, 16 hexadecimal digits, `-`, 2
   * hexadecimal digits. By default the client sends no such header. The spec does not show whether the service accepts it.
   */
  readonly traceparent?: string | undefined;
  /** Called once, after the end of the request. */
  readonly onEnd?: ((end: RequestEnd) => unknown) | undefined;
};

/**
 * Called before each HTTP request. It may return an observer of that request. An error in a hook or in
 * an observer becomes a process warning, and changes no call.
 */
// A hook that only logs returns nothing, and a type without `void` would refuse it.
export type RequestHook = (start: RequestStart) => RequestObserver | undefined | void;

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The observer of one request. Its functions never throw. */
export type HookedRequest = Readonly<{
  headers: Readonly<Record<string, string>>;
  end(end: RequestEnd): unknown;
}>;

/** Calls the hook. Never throws. */
export function startHook(hook: RequestHook | undefined, start: RequestStart): HookedRequest {
  const { traceparent, onEnd } = guarded(() => hook?.(start)) ?? {};
  return {
    headers: guarded(() => traceHeaders(traceparent)) ?? {},
    end: (end) => guarded(() => onEnd?.(end)),
  };
}

function traceHeaders(traceparent: string | undefined): Record<string, string> {
  if (traceparent === undefined) return {};
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) return { traceparent };
  throw new TypeError('traceparent is no value of that header');
}

function guarded<Result>(run: () => Result): Result | undefined {
  try {
    const result = run();
    // An async function fits the type of a hook. Its rejection would end the process.
    if (result instanceof Promise) result.catch(warn);
    return result;
  } catch (error) {
    warn(error);
    return undefined;
  }
}

const warn = (error: unknown): void =>
  process.emitWarning(`The onRequest hook failed: ${safeCause(error).message}`);
