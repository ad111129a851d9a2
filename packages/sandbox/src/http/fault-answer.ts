import type { FastifyReply } from 'fastify';
import type { AnswerDelivery, FaultRule } from '../core/faults.ts';
import type { HttpAnswer } from './answer.ts';
import { bareRefusalAnswer } from './answer.ts';
import { proxyPage } from './proxy-page.ts';
import { drop, hang, send, sendAsText, sendCut, sendHalf, sendOversized } from './send.ts';

/** The status of a fault whose rule has none. */
const STATUS_DEFAULT = 500;

export const faultStatusOf = ({ httpStatus }: FaultRule): number => httpStatus ?? STATUS_DEFAULT;

/** The answer, and the way in which a fault sends it. */
export type FaultAnswer = Readonly<{ answer: HttpAnswer; sends: AnswerDelivery; rule: FaultRule }>;

export function sendFaulty(
  reply: FastifyReply,
  { answer, sends, rule }: FaultAnswer,
): FastifyReply {
  switch (sends) {
    case 'answer':
      return send(reply, answer);
    case 'other-status':
      return sendPage(reply, rule);
    case 'half-then-close':
      return sendHalf(reply, answer, 'close');
    case 'half-then-reset':
      return sendHalf(reply, answer, 'reset');
    case 'half-as-whole':
      return sendCut(reply, answer);
    case 'wrong-type':
      return sendAsText(reply, answer);
    case 'oversized':
      return sendOversized(reply, answer, rule.sizeBytes ?? 0);
    case 'nothing-and-close':
      return drop(reply);
    case 'nothing':
      return hang(reply);
  }
}

/**
 * Answers like a proxy in front of the service: a status with the error body, with a page, or with
 * nothing.
 */
function sendPage(reply: FastifyReply, rule: FaultRule): FastifyReply {
  const { retryAfterS = null, location, page = 'json' } = rule;
  const status = faultStatusOf(rule);
  if (location !== undefined) reply.header('location', location);
  if (page === 'json')
    return send(reply, { ...bareRefusalAnswer('FAULT_INJECTED'), status, retryAfterS });
  if (retryAfterS !== null) reply.header('retry-after', String(retryAfterS));
  return page === 'html'
    ? reply.code(status).type('text/html').send(proxyPage('Bad Gateway'))
    : reply.code(status).send('');
}
