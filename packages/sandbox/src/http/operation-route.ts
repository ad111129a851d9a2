import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '@bursar/merchant-api/spec';
import type { Pauses } from '../clock.ts';
import { type FaultRule, planOf } from '../core/faults.ts';
import type { Faults } from '../faults.ts';
import { type HttpAnswer, bareRefusalAnswer } from './answer.ts';
import { faultStatusOf, sendFaulty } from './fault-answer.ts';
import type { ServedOperation } from './operation.ts';
import type { Pipeline } from './pipeline.ts';
import { type RawRequest, readFacts, readRequest } from './raw-request.ts';
import { drop, hang, send } from './send.ts';

export type OperationRouteDeps = Readonly<{
  pipeline: Pipeline;
  faults: Faults;
  pauses: Pauses;
  nowMs: () => number;
  /** The time of the service's clock. */
  shownMs: () => number;
  /** How late every answer of this operation is, in milliseconds. */
  delayMs: number;
}>;

export type OperationRoute = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | undefined;

/** Handles the requests to one operation, with its faults. */
export function operationRoute(
  deps: OperationRouteDeps,
  operation: Operation,
  served: ServedOperation,
): OperationRoute {
  const { pipeline, faults, pauses, nowMs, shownMs, delayMs } = deps;

  /** Without a delay it returns no promise, which would take longer than the answer of a read. */
  function answerLate(answer: HttpAnswer, lateMs: number, reply: FastifyReply) {
    if (lateMs > 0) return pauses.wait(lateMs).then(() => send(reply, answer));
    send(reply, answer);
    return undefined;
  }

  /**
   * Processes a request after its connection was closed or left hanging. If the sandbox closes
   * before that, the request is lost.
   */
  async function decideLate(raw: RawRequest, rule: FaultRule): Promise<void> {
    const hasPassed = await pauses.wait(rule.delayMs ?? 0);
    if (hasPassed) pipeline.process(raw, served);
  }

  async function misbehave(raw: RawRequest, rule: FaultRule, reply: FastifyReply) {
    const { decides, sends } = planOf(rule);
    if (decides === 'late') {
      const timestampAtMs = rule.timestampAt === 'arrival' ? shownMs() : null;
      void decideLate({ ...raw, timestampAtMs }, rule);
      return sends === 'nothing' ? hang(reply) : drop(reply);
    }
    if (rule.kind === 'delay-before-ms') await pauses.wait(rule.delayMs ?? 0);
    if (decides === 'never') pipeline.skip(raw);
    const answer =
      decides === 'now' ? pipeline.process(raw, served) : bareRefusalAnswer('FAULT_INJECTED');
    if (sends === 'other-status' && faultStatusOf(rule) === 500) {
      pipeline.noteInternalError(raw, served);
    }
    const lateMs = delayMs + (rule.kind === 'delay-ms' ? (rule.delayMs ?? 0) : 0);
    if (decides === 'now' && lateMs > 0) await pauses.wait(lateMs);
    return sendFaulty(reply, { answer, sends, rule });
  }

  return (request, reply) => {
    const raw = readRequest(operation, request, nowMs());
    const fault = faults.drawFor(operation, () => readFacts(raw.body));
    if (fault !== null) return misbehave({ ...raw, fault: fault.rule.kind }, fault.rule, reply);
    return answerLate(pipeline.process(raw, served), delayMs, reply);
  };
}
