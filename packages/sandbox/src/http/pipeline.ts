import type { Logger } from 'pino';
import { type Modes, withModes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { readModesHeader } from '../modes.ts';
import type { SandboxStore } from '../store/store.ts';
import { type HttpAnswer, okHttpAnswer, refusalAnswer, bareRefusalAnswer } from './answer.ts';
import { readBody } from './body.ts';
import type { Caller, ServedOperation } from './operation.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type RawRequest, readLeniently, requestRecord } from './raw-request.ts';
import { type ApiKey, authenticate } from './signature.ts';

export type Pipeline = Readonly<{
  /** Decides about a request and makes the decision durable; never throws. */
  process(request: RawRequest, served: ServedOperation): HttpAnswer;
  /** Notes a request that a fault kept from being decided. */
  skip(request: RawRequest): void;
  /** Tells the operation that this request is answered 500, decided or not. */
  tellInternalError(request: RawRequest, served: ServedOperation): void;
}>;

export type PipelineDeps = Readonly<{
  store: SandboxStore;
  keys: ReadonlyMap<string, ApiKey>;
  modes: () => Modes;
  limiter: RateLimiter;
  nowMs: () => number;
  /** The time of the clock that the service shows. */
  shownMs: () => number;
  log: Logger;
}>;

/** What was learnt of a request before it was answered or refused. */
type Seen = { modes: Modes; body: unknown };

export function createPipeline(deps: PipelineDeps): Pipeline {
  const { store, keys, limiter, nowMs, shownMs, log } = deps;

  const modesOf = ({ modes }: RawRequest): Modes =>
    modes === undefined ? deps.modes() : withModes(deps.modes(), readModesHeader(modes));

  function callerOf(request: RawRequest, modes: Modes): Caller {
    const { accounts } = authenticate(request, keys);
    const timestampAtMs = request.timestampAtMs ?? shownMs();
    return { accounts, modes, bodySha256: request.bodySha256, nowMs: nowMs(), timestampAtMs };
  }

  function answer(request: RawRequest, served: ServedOperation, seen: Seen): HttpAnswer {
    seen.modes = modesOf(request);
    const caller = callerOf(request, seen.modes);
    limiter.admit(request.key ?? '', seen.modes, caller.nowMs);
    seen.body = readBody(request);
    return okHttpAnswer(served.answer(seen.body, caller));
  }

  function refusal(error: unknown, { operation }: RawRequest, { modes }: Seen): HttpAnswer {
    if (error instanceof Refused) return refusalAnswer(error, modes);
    log.error({ err: error, operation }, 'a request failed unexpectedly');
    return bareRefusalAnswer('INTERNAL_ERROR');
  }

  return {
    skip(request) {
      const body = readLeniently(request.body);
      store.requests.append(requestRecord(request, { answer: null, body, nowMs: nowMs() }));
    },
    process(request, served) {
      const seen: Seen = { modes: deps.modes(), body: undefined };
      const record = (given: HttpAnswer): HttpAnswer => {
        const { body } = seen;
        store.requests.append(requestRecord(request, { answer: given, body, nowMs: nowMs() }));
        return given;
      };
      try {
        if (!served.writes) return record(answer(request, served, seen));
        return store.transaction(() => {
          const given = record(answer(request, served, seen));
          store.requests.flush();
          return given;
        });
      } catch (error) {
        return record(refusal(error, request, seen));
      }
    },
    tellInternalError(request, served) {
      try {
        const caller = callerOf(request, modesOf(request));
        const body = readBody(request);
        store.transaction(() => served.onInternalError(body, caller));
      } catch (error) {
        // A request that would have been refused has nothing to be told of.
        if (!(error instanceof Refused)) throw error;
      }
    },
  };
}
