import type { FastifyReply } from 'fastify';
import { CONTENT_TYPE_JSON } from '../../spec/limits.ts';
import type { Answer } from './answer.ts';

type Sendable = Pick<Answer, 'status' | 'body'>;

export const send = (reply: FastifyReply, { status, body }: Sendable): FastifyReply =>
  reply.code(status).type(CONTENT_TYPE_JSON).send(body);

/** Closes the connection without an answer. */
export function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Announces the whole answer, sends half of it and closes the connection. */
export function truncate(reply: FastifyReply, { status, body }: Sendable): FastifyReply {
  const bytes = Buffer.from(body, 'utf8');
  reply.hijack();
  reply.raw.writeHead(status, {
    date: String(reply.getHeader('date')),
    'content-type': CONTENT_TYPE_JSON,
    'content-length': bytes.length,
  });
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => void reply.raw.destroy());
  return reply;
}
