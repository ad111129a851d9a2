import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { CONTENT_TYPE_JSON } from '@bursar/merchant-api/spec';

type Sendable = Readonly<{ status: number; body: string; retryAfterS?: number | null }>;

export function send(reply: FastifyReply, { status, body, retryAfterS }: Sendable): FastifyReply {
  if (retryAfterS !== undefined && retryAfterS !== null) {
    reply.header('retry-after', String(retryAfterS));
  }
  return reply.code(status).type(CONTENT_TYPE_JSON).send(body);
}

/** Closes the connection without an answer. */
export function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/**
 * Leaves the connection open without an answer, until the client closes it or the sandbox stops.
 */
export function hang(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

/** Announces the whole length, sends half of the answer, and closes or resets the connection. */
export function sendHalf(
  reply: FastifyReply,
  { status, body }: Sendable,
  how: 'close' | 'reset',
): FastifyReply {
  const bytes = Buffer.from(body, 'utf8');
  reply.hijack();
  reply.raw.writeHead(status, {
    'content-type': CONTENT_TYPE_JSON,
    'content-length': bytes.length,
  });
  const end = (): void => {
    if (how === 'reset') reply.raw.socket?.resetAndDestroy();
    else reply.raw.destroy();
  };
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), end);
  return reply;
}

/** Sends half of the answer as a whole one. The client finds the error only in the JSON. */
export const sendCut = (reply: FastifyReply, { status, body }: Sendable): FastifyReply =>
  send(reply, { status, body: body.slice(0, body.length >> 1) });

/** Sends the answer with the content type of plain text. */
export const sendAsText = (reply: FastifyReply, { status, body }: Sendable): FastifyReply =>
  reply.code(status).type('text/plain').send(body);

const CHUNK_BYTES = 65_536;

/** Sends the answer with white space behind it. It is valid JSON of the ordered size. */
export function sendOversized(
  reply: FastifyReply,
  { status, body }: Sendable,
  sizeBytes: number,
): FastifyReply {
  const padding = Math.max(0, sizeBytes - Buffer.byteLength(body));
  return reply
    .code(status)
    .type(CONTENT_TYPE_JSON)
    .send(Readable.from(padded(body, padding)));
}

function* padded(body: string, padding: number): Generator<Buffer> {
  yield Buffer.from(body, 'utf8');
  const chunk = Buffer.alloc(CHUNK_BYTES, ' ');
  for (let left = padding; left > 0; left -= CHUNK_BYTES) {
    yield left < CHUNK_BYTES ? chunk.subarray(0, left) : chunk;
  }
}
