import type { MethodAndPath, Operation } from './spec/endpoints.ts';
import { CONTENT_TYPE_JSON, HEADER_KEY, HEADER_SIGN } from './spec/limits.ts';
import { compact } from './compact.ts';
import { MerchantApiError } from './errors.ts';
import { startHook } from './hooks/request-hook.ts';
import { type ClientSettings, isMilliseconds } from './options.ts';
import type { PreparedBody } from './request/body.ts';
import { invalidInput } from './request/check-input.ts';
import { buildBody, checkBody, type EnvelopeParts } from './request/envelope.ts';
import { signRequest } from './request/sign.ts';
import { type Answer, concludeCall } from './response/conclude.ts';
import type { ClockSkew } from './transport/clock-skew.ts';
import type { Transport } from './transport/transport.ts';

/** Connection, deadline and abort signal of a call. */
export type ConnectionOptions = {
  /** Ends the call. The `kind` of the error shows whether the client may have sent bytes. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Deadline of each HTTP request of this call in milliseconds, in place of `requestTimeoutMs` of the client options. A connection
   * that is not there after `requestTimeoutMs` ends the request all the same.
   */
  readonly timeoutMs?: number | undefined;
  /** `fresh`: opens a connection for this call, which no other call uses. */
  readonly connection?: 'fresh';
  /**
   * Called once, when the request has its connection and right before its first byte leaves. When it throws, nothing leaves, and
   * the call rejects with `not-sent`.
   */
  readonly onLeave?: () => void;
};

/** Options of every call. Spec: "Request envelope". */
export type CallOptions = ConnectionOptions & {
  /**
   * Timestamp to sign: Unix time in milliseconds. Default: the local clock at the time of the call. Where the service
   * wants seconds, the client rounds it down.
   * The service refuses one that is more than 3 minutes from its clock (`TIMESTAMP_WINDOW_MS`).
   */
  readonly timestampMs?: number;
};

/** The account of a call. Spec: "Request envelope". */
export type AccountOption = {
  /**
   * Account id: `0x` and 40 hexadecimal digits, or a UUID. Default: that of the client options. An operation that carries
   * no account by the option `shapes` ignores it.
   */
  readonly account?: string;
};

/** Options of a call that acts on an account. Spec: "Request envelope". */
export type AccountCallOptions = CallOptions & AccountOption;

/** Repetition of a read. */
export type RetryOption = {
  /**
   * Number of times that the client repeats this read after a failure that may pass: 0 to 10 (`RETRIES_MAX`). Default: that of
   * the client options. A call with `timestampMs` or `onLeave` is one request, and is never repeated.
   */
  readonly retries?: number | undefined;
};

/** Options of a read. */
export type ReadOptions = CallOptions & RetryOption;

/** Options of a read that acts on an account. */
export type AccountReadOptions = AccountCallOptions & RetryOption;

/** The payload of a call, and the reader of its answer. */
export type CallSpec<T> = {
  readonly operation: Operation;
  readonly payloadText?: string;
  /** Whether the members of the payload stand beside the timestamp. */
  readonly isFlat?: boolean;
  /** The body with timestamp and account, in place of `payloadText` and of those options. */
  readonly body?: PreparedBody;
  /**
   * True when the spec does not show the answer. Then an empty body is read as `undefined`, and any
   * JSON but a whole error body is an answer.
   */
  readonly anyShape?: boolean;
  /** Returns the value of a parsed body. Throws `Unreadable`. */
  readonly read: (json: unknown) => T;
};

/** Signs and sends one call, and reads its answer. Rejects with `MerchantApiError`. */
export type Send = <T>(spec: CallSpec<T>, call: SendOptions) => Promise<Answer<T>>;

/** Options of any call. `attempt`: the number of the request within its call, from 1. */
export type SendOptions = AccountReadOptions & Readonly<{ attempt?: number }>;

type SendDeps = Readonly<{ settings: ClientSettings; transport: Transport; clockSkew: ClockSkew }>;

export function createSend({ settings, transport, clockSkew }: SendDeps): Send {
  return async (spec, call) => {
    const { operation, body, anyShape = false, read } = spec;
    const { method, path } = endpointOf(settings, operation);
    const { bytes, bodySha256, timestampMs } =
      body === undefined
        ? buildBody(settings, operation, partsOf(spec, call, settings.nowMs))
        : checkBody(settings, operation, body);
    const sign = signRequest(secretOf(settings, operation), bytes);

    const { signal, onLeave, attempt = 1 } = call;
    const timeoutMs = timeoutOf(settings, operation, call);
    const hooked = startHook(settings.onRequest, { operation, attempt, timestampMs });
    const startedMs = performance.now();
    const headers = { ...headersOf(settings.key, sign), ...hooked.headers };
    const isFresh = call.connection === 'fresh';
    const result = await transport.send({
      method,
      path,
      headers,
      bytes,
      signal,
      timeoutMs,
      isFresh,
      onLeave,
    });

    const withheld = [settings.key, sign];
    const outcome = concludeCall(result, {
      operation,
      timestampMs,
      windowMs: settings.timestampWindowMs,
      bodySha256,
      anyShape,
      read,
      withheld,
    });
    const showsTime = isOfService(outcome, anyShape);
    if (showsTime && result.head !== undefined) clockSkew.measure(result.head);
    const durationMs = performance.now() - startedMs;
    hooked.end({ operation, attempt, durationMs, ...endOf(outcome) });
    if (outcome instanceof MerchantApiError) throw outcome;
    return outcome;
  };
}

const partsOf = (
  { payloadText, isFlat = false }: CallSpec<unknown>,
  { timestampMs, account }: AccountCallOptions,
  nowMs: () => number,
): EnvelopeParts => ({ timestampMs: timestampMs ?? nowMs(), account, payloadText, isFlat });

/**
 * Whether an answer is one of the service, so that its `Date` counts. The smallest of the last
 * `Date`s counts for a lookup. If the error page of a proxy showed a `Date` that is an hour old, each
 * create would stay ambiguous for an hour.
 */
const isOfService = (outcome: Answer<unknown> | MerchantApiError, anyShape: boolean): boolean =>
  outcome instanceof MerchantApiError ? outcome.documented === true : !anyShape;

function endpointOf(
  { endpoints, pathPrefix }: ClientSettings,
  operation: Operation,
): MethodAndPath {
  const endpoint = endpoints[operation];
  if (endpoint === undefined) throw new MerchantApiError('unavailable', { operation });
  return { method: endpoint.method, path: pathPrefix + endpoint.path };
}

function timeoutOf(
  { requestTimeoutMs }: ClientSettings,
  operation: Operation,
  { timeoutMs = requestTimeoutMs }: SendOptions,
): number {
  if (isMilliseconds(timeoutMs)) return timeoutMs;
  throw invalidInput(operation, 'timeoutMs is no whole number of milliseconds from 1 up');
}

function secretOf({ readSecret }: ClientSettings, operation: Operation): string {
  let secret: string;
  try {
    secret = readSecret();
  } catch (cause) {
    throw invalidInput(operation, 'the secret cannot be read', cause);
  }
  if (secret !== '') return secret;
  throw invalidInput(operation, 'the secret is empty');
}

const headersOf = (key: string, sign: string): Record<string, string> => ({
  [HEADER_KEY]: key,
  [HEADER_SIGN]: sign,
  'Content-Type': CONTENT_TYPE_JSON,
  // A small compressed answer can hide a huge one.
  'Accept-Encoding': 'identity',
});

function endOf(outcome: Answer<unknown> | MerchantApiError) {
  const { httpStatus, traceId } = outcome;
  const errorKind = outcome instanceof MerchantApiError ? outcome.kind : undefined;
  return compact({ httpStatus, errorKind, traceId });
}
