import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SandboxClock } from '../../clock.ts';
import { Refused } from '../../core/refusals.ts';
import type { EventFeed, FeedEntry } from '../../webhooks/feed.ts';
import { checkFields } from '../operation.ts';
import { eventRecord } from './events.ts';
import { refuseOtherPages } from './other-pages.ts';

/** Without events, both ends get a line so often, and so detect a lost connection. */
const PULSE_MS = 15_000;

const WATCHERS_MAX = 100;

/** The most events in one write. The next ones follow when the client has read those. */
const MESSAGES_PER_WRITE = 100;

export type EventStreamDeps = Readonly<{ feed: EventFeed; clock: SandboxClock }>;

const Query = z.strictObject({ after: z.coerce.number().int().min(0).optional() });

/**
 * GET /sandbox/events/stream: every event as it happens, as server-sent events. Their ids are the
 * numbers of the events.
 * It starts with the next event, or after the number in `after` or `Last-Event-ID`.
 */
export function serveEventStream(app: FastifyInstance, { feed, clock }: EventStreamDeps): void {
  let watchers = 0;

  const options = { exposeHeadRoute: false, onRequest: refuseOtherPages };
  app.get('/sandbox/events/stream', options, (request, reply) => {
    const after = startOf(request) ?? feed.lastN();
    if (watchers >= WATCHERS_MAX) throw new Refused('TOO_MANY_REQUESTS');
    watchers += 1;
    const stopWatching = watch(open(reply), { feed, clock }, after);
    reply.raw.on('close', () => {
      watchers -= 1;
      stopWatching();
    });
    return reply;
  });
}

/** Writes only as fast as the client reads, so that a slow client costs no memory. */
function watch(out: Writable, { feed, clock }: EventStreamDeps, after: number): () => void {
  let lastN = after;
  let isFull = false;

  function pump(): void {
    while (!isFull) {
      const page = feed.after(lastN, MESSAGES_PER_WRITE);
      if (page.length === 0) return;
      lastN = page.at(-1)?.n ?? lastN;
      isFull = !out.write(page.map(messageOf).join(''));
    }
  }

  out.on('drain', () => {
    isFull = false;
    pump();
  });
  pump();
  const stopListening = feed.listen(pump);
  const stopPulse = startPulse(clock, () => void (isFull || out.write(': pulse\n\n')));
  return () => {
    stopListening();
    stopPulse();
  };
}

function startOf({ headers, query }: FastifyRequest): number | undefined {
  const lastId = headers['last-event-id'];
  const { after } = checkFields(Query, lastId === undefined ? query : { after: lastId });
  return after;
}

function open(reply: FastifyReply): Writable {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  // The headers leave at once, so that the client sees that the stream is open.
  raw.write(': watching\n\n');
  return raw;
}

function messageOf(entry: FeedEntry): string {
  const { n, event } = entry;
  return `id: ${n}\nevent: ${event.type}\ndata: ${JSON.stringify(eventRecord(entry))}\n\n`;
}

function startPulse(clock: SandboxClock, beat: () => void): () => void {
  let stop = (): void => {};
  const next = (): void => {
    stop = clock.startTimer(PULSE_MS, () => {
      beat();
      next();
    });
  };
  next();
  return () => stop();
}
