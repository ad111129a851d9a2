import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Operation } from '../../spec/endpoints.ts';
import type { Store } from '../store/store.ts';
import { type Answer, answerOf, refusalAnswer } from './answer.ts';
import { readBody } from './body.ts';
import { NumberLiteral } from './exact-json.ts';
import type { ServedOperation } from './operation.ts';
import { type ApiKey, authenticate } from './signature.ts';

/** A request to an operation as it came off the wire. */
export type RawRequest = Readonly<{
  operation: Operation;
  key: string | undefined;
  sign: string | undefined;
  contentType: string | undefined;
  body: Buffer;
  /** The fault that was drawn for it; only noted here. */
  fault: string | null;
}>;

export type Pipeline = Readonly<{
  /** Decides about a request and makes the decision durable; never throws. */
  process(request: RawRequest, served: ServedOperation): Answer;
  /** Notes a request that a fault kept from being processed. */
  skip(request: RawRequest): void;
}>;

export type PipelineDeps = Readonly<{
  store: Pick<Store, 'transaction' | 'requests'>;
  keys: ReadonlyMap<string, ApiKey>;
  nowMs: () => number;
  log: Pick<Logger, 'error'>;
}>;

export function createPipeline({ store, keys, nowMs, log }: PipelineDeps): Pipeline {
  function record(request: RawRequest, answer: Answer | null, body: unknown): void {
    store.requests.append({
      atMs: nowMs(),
      operation: request.operation,
      status: answer?.status ?? null,
      errorCode: answer?.errorCode ?? null,
      ...loggedFields(body),
      bodySha256: createHash('sha256').update(request.body).digest('hex'),
      fault: request.fault,
    });
  }

  function decide(request: RawRequest, served: ServedOperation): Answer {
    let body: unknown;
    const answer = answerOf(() => {
      const { accounts } = authenticate(request, keys);
      body = readBody(request);
      return served.answer(body, { accounts, nowMs: nowMs() });
    });
    record(request, answer, body);
    if (served.writes) store.requests.flush();
    return answer;
  }

  return {
    skip: (request) => record(request, null, undefined),
    process(request, served) {
      try {
        return served.writes
          ? store.transaction(() => decide(request, served))
          : decide(request, served);
      } catch (error) {
        log.error({ err: error, operation: request.operation }, 'a request failed unexpectedly');
        const answer = refusalAnswer('INTERNAL_ERROR');
        record(request, answer, undefined);
        return answer;
      }
    },
  };
}

/** What the log keeps of a body, even of one that is refused. */
function loggedFields(body: unknown): {
  idempotencyKey: string | null;
  timestampMs: number | null;
} {
  const key = fieldOf(fieldOf(body, 'payload'), 'idempotencyKey');
  const timestamp = fieldOf(body, 'timestamp');
  const isLoggable = timestamp instanceof NumberLiteral && /^\d{1,15}$/.test(timestamp.text);
  return {
    idempotencyKey: typeof key === 'string' && /^[\w-]{1,64}$/.test(key) ? key : null,
    timestampMs: isLoggable ? Number.parseInt(timestamp.text, 10) : null,
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
