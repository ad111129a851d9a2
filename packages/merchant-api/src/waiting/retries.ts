import type { Operation } from '../spec/endpoints.ts';
import type { Send, SendOptions } from '../call.ts';
import { MerchantApiError } from '../errors.ts';
import { invalidInput } from '../request/check-input.ts';
import { backoffMs } from './backoff.ts';
import { mayPass } from './may-pass.ts';
import { isRetries, RETRIES_MAX } from './retry-limits.ts';
import { pause, type WaitTimer } from './wait-timer.ts';

/** Longest `Retry-After` that a repetition waits for, in milliseconds. */
export const RETRY_AFTER_MS_MAX = 60_000;

const RETRY_DELAYS = { firstMs: 500, maxMs: 8_000 };

/**
 * Whether the client may repeat an operation. An operation that may create, change or delete an object is never
 * repeated.
 *
 * ASSUMED: by their descriptions. The spec does not say that a read changes nothing.
 */
const REPEATABLE: Readonly<Record<Operation, boolean>> = {
  ACCOUNT: true,
  MASS_CREATE: false,
  MASS_GET: true,
  FEE_CALCULATION: true,
  LOOKUP: true,
  WEBHOOK_CREATE: false,
  WEBHOOK_CHANGE: false,
  WEBHOOK_LIST: true,
  WEBHOOK_DELETE: false,
  WALLET_LIST: true,
  WALLET_CREATE: false,
  WALLET_RENAME: false,
  TRANSACTION_LIST: true,
  OPCODES: true,
  LOOKUP_ADDRESS: true,
  REPORT: false,
  USER: true,
};

/** Repeats reads whose failure may pass. */
export function withRetries(
  send: Send,
  { retries: retriesDefault, timer }: Readonly<{ retries: number; timer: WaitTimer }>,
): Send {
  return async (spec, call) => {
    const retriesMax = retriesOf(spec.operation, call, retriesDefault);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(spec, { ...call, attempt });
      } catch (error) {
        if (!(error instanceof MerchantApiError) || attempt > retriesMax) throw error;
        const delayMs = retryDelayMs(error, attempt, timer);
        if (delayMs === undefined || !(await pause(timer, delayMs, call.signal))) throw error;
      }
    }
  };
}

function retriesOf(operation: Operation, call: SendOptions, retriesDefault: number): number {
  const { retries = REPEATABLE[operation] ? retriesDefault : 0, timestampMs, onLeave } = call;
  if (!isRetries(retries)) {
    throw invalidInput(operation, `retries is no whole number from 0 to ${RETRIES_MAX}`);
  }
  if (retries > 0 && !REPEATABLE[operation]) {
    throw invalidInput(operation, 'retries is given, and the client never repeats this operation');
  }
  const isOneRequest = timestampMs !== undefined || onLeave !== undefined;
  return isOneRequest ? 0 : retries;
}

/** The delay before the next attempt. Undefined when there must be none. */
function retryDelayMs(
  error: MerchantApiError,
  attempt: number,
  timer: WaitTimer,
): number | undefined {
  const { retryAfterMs = 0 } = error;
  if (!mayPass(error) || retryAfterMs > RETRY_AFTER_MS_MAX) return undefined;
  return Math.max(retryAfterMs, backoffMs(attempt, RETRY_DELAYS, timer));
}
