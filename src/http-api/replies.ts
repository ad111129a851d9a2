import { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { listJson } from '../app/list-json.ts';
import type { Listed, ListNames } from '../app/operation.ts';
import type { Progress } from '../operations/context.ts';
import { noteOfError } from './problem.ts';
import { createLineSender, type LineSender } from './wire-lines.ts';

/** JSON Lines: the progress of an operation and its result, each as a line. The command line reads this form. */
export const LINES_TYPE = 'application/jsonl';
export const EVENTS_TYPE = 'text/event-stream';

/** How long a stream of events may be silent, in milliseconds. Proxies close a connection that is silent for a minute. */
const SILENCE_MS_MAX = 15_000;

/** A list of any length as one JSON object. An error in its middle cuts the answer off. */
export const sendList = <About extends object, Item extends object>(
  reply: FastifyReply,
  names: ListNames,
  list: Listed<About, Item>,
): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(Readable.from(listJson(names, list)));

/** The items of a long answer, of which none is sent once the caller may not read on. */
export async function* whileAllowed<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  stillIn: StillIn,
): AsyncGenerator<Item> {
  for await (const item of items) {
    stillIn();
    yield item;
  }
}

/** Throws when the token of a caller was revoked or the session has ended since the request began. */
export type StillIn = () => void;

/** `silenceMs`: how long the events may be silent. */
type EventRules = Readonly<{ stillIn: StillIn; silenceMs?: number }>;

/** Items as server-sent events. The last one is `end`, or `refused` with the error where the caller may not read on. */
export const sendEvents = (
  reply: FastifyReply,
  { items }: Listed<object, object>,
  rules: EventRules,
): FastifyReply => reply.type(EVENTS_TYPE).send(Readable.from(eventsOf(items, rules)));

/** The text of {@link sendEvents}. */
export async function* eventsOf(
  items: AsyncIterable<object> | Iterable<object>,
  { stillIn, silenceMs = SILENCE_MS_MAX }: EventRules,
): AsyncGenerator<string> {
  const iterator = iteratorOf(items);
  try {
    for (let next = iterator.next(); ; ) {
      const got = await inTime(next, silenceMs);
      const refusal = errorOf(stillIn);
      if (refusal !== undefined) return yield eventText('refused', noteOfError(refusal));
      if (got === 'silent') yield ': still here\n\n';
      else if (got.done) return yield eventText('end', {});
      else {
        yield `data: ${JSON.stringify(got.value)}\n\n`;
        next = iterator.next();
      }
    }
  } finally {
    await iterator.return(undefined);
  }
}

const eventText = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function errorOf(check: StillIn): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What comes within the longest silence, else `silent`. */
async function inTime<Result>(
  next: Promise<Result>,
  silenceMs: number,
): Promise<Result | 'silent'> {
  const waiting = new AbortController();
  const silence = pause(silenceMs, 'silent' as const, { signal: waiting.signal });
  try {
    return await Promise.race([next, silence]);
  } finally {
    silence.catch(() => undefined);
    waiting.abort();
  }
}

async function* iteratorOf(
  items: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<object> {
  yield* items;
}

/** Sends an operation with its progress. An error of it is its last line. */
export function sendLines(
  reply: FastifyReply,
  run: (out: LineSender['out'], progress: Progress) => Promise<void>,
): FastifyReply {
  const lines = new PassThrough();
  const { out, progress } = createLineSender(lines);
  lines.on('error', () => undefined);
  run(out, progress)
    .then(() => out({ end: true }))
    .catch((error: unknown) => out({ error: noteOfError(error) }))
    .catch(() => undefined)
    .finally(() => lines.end());
  return reply.type(LINES_TYPE).send(lines);
}
