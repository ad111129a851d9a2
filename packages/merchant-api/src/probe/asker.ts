import { createSend, type Send } from '../call.ts';
import { MerchantApiError } from '../errors.ts';
import { checkOptions, type ClientSettings, type MerchantClientOptions } from '../options.ts';
import { ENDPOINT_METHODS, type MethodAndPath, type Operation } from '../spec/endpoints.ts';
import type { Shapes } from '../spec/shapes.ts';
import { createClockSkew } from '../transport/clock-skew.ts';
import { createTransport } from '../transport/transport.ts';
import { backoffMs } from '../waiting/backoff.ts';
import { mayPass } from '../waiting/may-pass.ts';
import { RETRY_AFTER_MS_MAX } from '../waiting/retries.ts';
import { pause } from '../waiting/wait-timer.ts';
import { answerOfError, type ProbeAnswer } from './probe-answer.ts';

/** The most requests of one probe, repeated ones included. */
export const PROBE_REQUESTS_MAX = 60;

/** Default pace of a probe, in requests per second. */
export const PROBE_REQUESTS_PER_SECOND = 5;

/** The most repetitions of a request whose failure may pass. */
const REPETITIONS_MAX = 2;
const REPETITION_DELAYS = { firstMs: 500, maxMs: 4_000 };

/** Operations that create, change or delete an object, or cost the service much. A probe sends nothing to their paths. */
export const UNPROBED_OPERATIONS: readonly Operation[] = [
  'MASS_CREATE',
  'WALLET_CREATE',
  'WALLET_RENAME',
  'WEBHOOK_CREATE',
  'WEBHOOK_CHANGE',
  'WEBHOOK_DELETE',
  'REPORT',
];

/** The pace of a probe, and its end. */
export type ProbePace = {
  /** The most requests in a second. Default 5 (`PROBE_REQUESTS_PER_SECOND`). They are sent one at a time. */
  readonly requestsPerSecond?: number;
  /** The most requests. At most, and by default, 60 (`PROBE_REQUESTS_MAX`). */
  readonly requestsMax?: number;
  /** Waits for the turn of each request, for a limit that the probe shares with others. Besides `requestsPerSecond`. */
  readonly turn?: () => Promise<void>;
  /** Ends the probe: the call rejects with `not-sent` or `no-answer`. */
  readonly signal?: AbortSignal;
};

/** A request of a probe. What is left out is as the client has it. */
export type ProbeQuestion = Readonly<{
  operation: Operation;
  /** In place of the endpoint of the operation. */
  endpoint?: MethodAndPath;
  payloadText?: string;
  /** Whether the members of the payload stand beside the timestamp. */
  isFlat?: boolean;
  /** Whether the request has `account`. */
  hasAccount?: boolean;
  accountCase?: Shapes['accountCase'];
  timestampUnit?: Shapes['timestampUnit'];
}>;

/** Sends the questions of one probe. It holds connections: close it. */
export type Asker = Readonly<{
  settings: ClientSettings;
  /** Sends a question, and again where the failure may pass. Rejects when it was aborted. */
  ask(question: ProbeQuestion): Promise<ProbeAnswer>;
  /** Number of requests so far. */
  requests(): number;
  close(): Promise<void>;
}>;

/** Creates the sender of a probe. Throws `TypeError` for wrong options. */
export function createAsker(options: MerchantClientOptions, pace: ProbePace = {}): Asker {
  const settings = checkOptions(options);
  const transport = createTransport(settings);
  const clockSkew = createClockSkew();
  const perSecond = pace.requestsPerSecond ?? PROBE_REQUESTS_PER_SECOND;
  if (!(perSecond > 0)) throw new TypeError('ProbePace: requestsPerSecond must be above 0.');
  const requestsMax = Math.min(pace.requestsMax ?? PROBE_REQUESTS_MAX, PROBE_REQUESTS_MAX);
  const gapMs = Math.ceil(1_000 / perSecond);
  const unprobed = new Set(UNPROBED_OPERATIONS.flatMap((one) => keyOf(settings.endpoints[one])));
  const { timer } = settings;
  let requests = 0;
  let nextMs = 0;

  const sendOnce = async (question: ProbeQuestion, attempt: number): Promise<ProbeAnswer> => {
    await pause(timer, Math.max(0, nextMs - timer.steadyMs()), pace.signal);
    await pace.turn?.();
    requests += 1;
    nextMs = timer.steadyMs() + gapMs;
    const send: Send = createSend({
      settings: settingsFor(settings, question),
      transport,
      clockSkew,
    });
    const { operation, payloadText, isFlat } = question;
    const spec = { operation, read: (json: unknown) => json, anyShape: true } as const;
    const body = payloadText === undefined ? {} : { payloadText, isFlat: isFlat === true };
    const { value, httpStatus } = await send(
      { ...spec, ...body },
      { attempt, signal: pace.signal },
    );
    return { kind: 'value', httpStatus, value };
  };

  return {
    settings,
    requests: () => requests,
    close: () => transport.close(),
    async ask(question) {
      const endpoint = question.endpoint ?? settings.endpoints[question.operation];
      if (endpoint === undefined) return { kind: 'none', reason: 'the operation has no path' };
      if (
        UNPROBED_OPERATIONS.includes(question.operation) ||
        unprobed.has(keyOf(endpoint)[0] ?? '')
      )
        return { kind: 'none', reason: 'an operation that is no read has this path' };
      for (let attempt = 1; ; attempt += 1) {
        if (requests >= requestsMax) return { kind: 'none', reason: 'no requests were left' };
        try {
          return await sendOnce(question, attempt);
        } catch (error) {
          if (!(error instanceof MerchantApiError)) throw error;
          const { kind, retryAfterMs = 0 } = error;
          if (pace.signal?.aborted === true || kind === 'invalid-input') throw error;
          const isRepeated = attempt <= REPETITIONS_MAX && kind !== 'unreadable' && mayPass(error);
          if (!isRepeated || retryAfterMs > RETRY_AFTER_MS_MAX) return answerOfError(error);
          nextMs = Math.max(
            nextMs,
            timer.steadyMs() + Math.max(retryAfterMs, backoffMs(attempt, REPETITION_DELAYS, timer)),
          );
        }
      }
    },
  };
}

/** Methods do not matter: a path of a create is never called, with any of them. */
const keyOf = (endpoint: MethodAndPath | undefined): string[] =>
  endpoint === undefined ? [] : [endpoint.path];

/** The settings of a client that asks this question alone. */
function settingsFor(settings: ClientSettings, question: ProbeQuestion): ClientSettings {
  const { operation, endpoint, hasAccount } = question;
  const { accountCase, timestampUnit } = { ...settings.shapes, ...question };
  const endpoints = {
    ...settings.endpoints,
    [operation]: endpoint ?? settings.endpoints[operation],
  };
  const accountIn = hasAccount ? [operation] : [];
  const shapes = {
    ...settings.shapes,
    accountCase,
    timestampUnit,
    accountIn: hasAccount === undefined ? settings.shapes.accountIn : accountIn,
  };
  return { ...settings, endpoints, shapes };
}

/** The same asker, whose questions have these parts unless they have their own. */
export const askerWith = (asker: Asker, base: Partial<ProbeQuestion>): Asker => ({
  ...asker,
  ask: (question) => asker.ask({ ...base, ...question }),
});

/** The method of an operation unless it is set to another. */
export const [METHOD_DEFAULT] = ENDPOINT_METHODS;
