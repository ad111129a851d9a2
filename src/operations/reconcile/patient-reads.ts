import { isAuthRefusal } from '../../domain/sending/doubt.ts';
import { type Answer, MerchantApiError } from '@bursar/merchant-api';
import type { PaceStore } from '../../store/sending/pace.ts';
import { createPacer } from '../../store/sending/pacer.ts';
import type { OperationContext, ServiceAccess } from '../context.ts';

type ReadOptions = Readonly<{ account: string; signal: AbortSignal }>;

/** Makes one signed read. It may be made again: reads change nothing. */
export type Read = <Value>(
  call: (api: ServiceAccess['api'], options: ReadOptions) => Promise<Answer<Value>>,
) => Promise<Value>;

/** The number of tries of a read, and its first and longest wait between them, in milliseconds. */
const TRIES_MAX = 5;
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 60_000;

type Deps = Readonly<{
  service: ServiceAccess;
  /** The account of the batch; the settings may name another one by now. */
  account: string;
  store: Readonly<{ pace: PaceStore }>;
  requestsPerSecond: number | undefined;
}> &
  OperationContext;

/**
 * Reads at the pace of the account, which all workers share. They wait for a service that is busy or away for a moment:
 * a list of thousands of pages must not be read from the start again. Rejects with `MerchantApiError`.
 */
export function createPatientReads(deps: Deps): Read {
  const { service, account, store, requestsPerSecond, clock, interrupted, say } = deps;
  const { nowMs } = clock;
  const wait = async (delayMs: number): Promise<void> => {
    await clock.pause(delayMs, interrupted);
    interrupted.throwIfAborted();
  };
  const pacerClock = { nowMs, wait };
  const options = { store, requestsPerSecond, account, nowMs, warn: say, clock: pacerClock };
  const pacer = createPacer(options);
  return async (call) => {
    for (let tries = 1; ; tries += 1) {
      interrupted.throwIfAborted();
      await pacer.pace();
      try {
        return (await call(service.api, { account, signal: interrupted })).value;
      } catch (error) {
        interrupted.throwIfAborted();
        if (!(error instanceof MerchantApiError) || !mayPass(error) || tries === TRIES_MAX) {
          throw error;
        }
        const isHeeded = await pacer.heed(error);
        const pauseMs = Math.min(
          error.retryAfterMs ?? PAUSE_MS_FIRST * 2 ** (tries - 1),
          PAUSE_MS_MAX,
        );
        say(`${error.message} Trying again in ${Math.ceil(pauseMs / 1_000)} seconds.`);
        // A request waits for the time that a 429 named, before it takes its slot.
        if (!isHeeded) await clock.pause(pauseMs, interrupted);
      }
    }
  };
}

/**
 * Whether the service answered about the requested object. Other objects may be readable even when this one is not.
 */
export const isAboutObject = (error: unknown): error is MerchantApiError =>
  error instanceof MerchantApiError &&
  !mayPass(error) &&
  !isAuthRefusal(error.httpStatus) &&
  error.kind !== 'invalid-input';

/** Statuses of a service that is busy. */
const STATUSES_BUSY: readonly number[] = [408, 425, 429];

/** Whether a repeated read may succeed later. */
const mayPass = ({ kind, httpStatus = 0 }: MerchantApiError): boolean =>
  kind === 'not-sent' ||
  kind === 'no-answer' ||
  (kind === 'refused' && (httpStatus >= 500 || STATUSES_BUSY.includes(httpStatus)));
