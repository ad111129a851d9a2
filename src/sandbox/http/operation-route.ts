import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../spec/endpoints.ts';
import { HEADER_KEY, HEADER_SIGN } from '../../spec/limits.ts';
import type { Pauses } from '../clock.ts';
import type { Fault } from '../core/faults.ts';
import type { Faults } from '../faults.ts';
import { refusalAnswer } from './answer.ts';
import type { ServedOperation } from './operation.ts';
import type { Pipeline, RawRequest } from './pipeline.ts';
import { drop, send, truncate } from './send.ts';

export type OperationRouteDeps = Readonly<{
  pipeline: Pipeline;
  faults: Pick<Faults, 'draw'>;
  pauses: Pauses;
  /** Milliseconds by which every answer of this operation is late. */
  delayMs: number;
}>;

export type OperationRoute = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Handles the requests to one operation, with the faults that were asked for. */
export function operationRoute(
  { pipeline, faults, pauses, delayMs }: OperationRouteDeps,
  operation: Operation,
  served: ServedOperation,
): OperationRoute {
  return async (request, reply) => {
    const fault = faults.draw(operation);
    const kind = fault?.rule.kind;
    const raw = rawRequestOf(request, operation, fault);
    const faultDelayMs = fault?.rule.delayMs ?? 0;
    if (kind === 'delay-before-ms') await pauses.wait(faultDelayMs);
    if (kind === 'drop-before' || kind === 'status-500') {
      pipeline.skip(raw);
      return kind === 'drop-before' ? drop(reply) : send(reply, refusalAnswer('FAULT_INJECTED'));
    }
    const answer = pipeline.process(raw, served);
    const lateMs = delayMs + (kind === 'delay-ms' ? faultDelayMs : 0);
    if (lateMs > 0) await pauses.wait(lateMs);
    switch (kind) {
      case 'accept-then-drop':
        return drop(reply);
      case 'truncate-body':
        return truncate(reply, answer);
      case 'status-500-after':
        return send(reply, refusalAnswer('FAULT_INJECTED'));
      default:
        return send(reply, answer);
    }
  };
}

function rawRequestOf(
  request: FastifyRequest,
  operation: Operation,
  fault: Fault | null,
): RawRequest {
  return {
    operation,
    key: headerOf(request, HEADER_KEY),
    sign: headerOf(request, HEADER_SIGN),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    fault: fault?.rule.kind ?? null,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}
