import type { Logger } from 'pino';
import { type Modes, withModes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { readModesHeader } from '../modes.ts';
import type { SandboxStore } from '../store/store.ts';
import { type HttpAnswer, okHttpAnswer, refusalAnswer, bareRefusalAnswer } from './answer.ts';
import { readBody } from './body.ts';
import type { Caller, ServedOperation } from './operation.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { keptRequest, type RawRequest, readLeniently, requestRecord } from './raw-request.ts';
import { type ApiKey, authenticate } from './signature.ts';

export type Pipeline = Readonly<{
  /** Decides a request and stores the decision. Never throws. */
  process(request: RawRequest, served: ServedOperation): HttpAnswer;
  /** Logs a request that a fault kept from its decision. */
  skip(request: RawRequest): void;
  /**
   * Calls `onInternalError` of the operation. A fault answers the request with 500, decided or not.
   */
  noteInternalError(request: RawRequest, served: ServedOperation): void;
}>;

export type PipelineDeps = Readonly<{
  store: SandboxStore;
  keys: ReadonlyMap<string, ApiKey>;
  modes: () => Modes;
  limiter: RateLimiter;
  nowMs: () => number;
  /** The time of the service's clock. */
  shownMs: () => number;
  log: Logger;
}>;

/** The parts of a request that were read before its answer. */
type ReadParts = { modes: Modes; body: unknown };

export function createPipeline(deps: PipelineDeps): Pipeline {
  const { store, keys, limiter, nowMs, shownMs, log } = deps;

  const modesOf = ({ modes }: RawRequest): Modes =>
    modes === undefined ? deps.modes() : withModes(deps.modes(), readModesHeader(modes));

  function callerOf(request: RawRequest, modes: Modes): Caller {
    const { accounts } = authenticate(request, keys);
    const timestampAtMs = request.timestampAtMs ?? shownMs();
    const { operation, bodySha256 } = request;
    return { operation, accounts, modes, bodySha256, nowMs: nowMs(), timestampAtMs };
  }

  function answer(request: RawRequest, served: ServedOperation, parts: ReadParts): HttpAnswer {
    parts.modes = modesOf(request);
    const caller = callerOf(request, parts.modes);
    limiter.admit(request.key ?? '', parts.modes, caller.nowMs);
    parts.body = readBody(request);
    return okHttpAnswer(served.answer(parts.body, caller));
  }

  function refusal(error: unknown, { operation }: RawRequest, { modes }: ReadParts): HttpAnswer {
    if (error instanceof Refused) return refusalAnswer(error, modes);
    log.error({ err: error, operation }, 'a request failed unexpectedly');
    return bareRefusalAnswer('INTERNAL_ERROR');
  }

  const keyNames = [...keys.keys()];

  function append(request: RawRequest, given: HttpAnswer | null, parts: ReadParts): void {
    const at = keyNames.indexOf(request.key ?? '');
    const isKept = deps.modes().bodies === 'kept';
    const kept = isKept ? keptRequest(request, given, at < 0 ? null : at) : null;
    store.requests.append(
      requestRecord(request, { answer: given, ...parts, nowMs: nowMs(), kept }),
    );
  }

  return {
    skip: (request) =>
      append(request, null, { modes: deps.modes(), body: readLeniently(request.body) }),
    process(request, served) {
      const parts: ReadParts = { modes: deps.modes(), body: undefined };
      const record = (given: HttpAnswer): HttpAnswer => {
        append(request, given, parts);
        return given;
      };
      try {
        if (!served.writes) return record(answer(request, served, parts));
        return store.transaction(() => {
          const given = record(answer(request, served, parts));
          store.requests.flush();
          return given;
        });
      } catch (error) {
        return record(refusal(error, request, parts));
      }
    },
    noteInternalError(request, served) {
      try {
        const caller = callerOf(request, modesOf(request));
        const body = readBody(request);
        store.transaction(() => served.onInternalError(body, caller));
      } catch (error) {
        // A request that would be refused has no effect on the operation.
        if (!(error instanceof Refused)) throw error;
      }
    },
  };
}
