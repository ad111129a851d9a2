import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { listJson } from '../app/list-json.ts';
import type { Listed, ListNames } from '../app/operation.ts';
import type { Progress } from '../operations/context.ts';
import { noteOfError } from './problem.ts';

/** JSON Lines: the progress of an operation and its result, each as a line. The command line reads this form. */
export const LINES_TYPE = 'application/jsonl';
export const EVENTS_TYPE = 'text/event-stream';

/** How long a stream of events may be silent, in milliseconds. Proxies close what is silent for a minute. */
const SILENCE_MS_MAX = 15_000;

/** The items of a list, as they are read: an operation on a list runs while `use` reads it. */
type RunList<About, Item> = (use: (list: Listed<About, Item>) => Promise<void>) => Promise<void>;

/**
 * Sends what `write` writes. Its first text decides: an error before it is thrown here, and a later one cuts the answer off, so that
 * nobody takes half a list for a whole one.
 */
async function stream(
  reply: FastifyReply,
  type: string,
  write: (out: (text: string) => Promise<void>) => Promise<void>,
): Promise<FastifyReply> {
  const body = new PassThrough();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const written = write(async (text) => {
    begin();
    if (body.destroyed) throw new Error('the caller has gone');
    if (!body.write(text)) await Promise.race([once(body, 'drain'), once(body, 'close')]);
  });
  written.then(
    () => body.end(),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  // The error of an answer that has begun is that of its socket.
  body.on('error', () => undefined);
  await Promise.race([begun, written]);
  return reply.type(type).send(body);
}

/** A list of any length as one JSON object. */
export const sendList = <About extends object, Item extends object>(
  reply: FastifyReply,
  names: ListNames,
  run: RunList<About, Item>,
): Promise<FastifyReply> =>
  stream(reply, 'application/json; charset=utf-8', (out) =>
    run(async (list) => {
      for await (const text of listJson(names, list)) await out(text);
    }),
  );

/** Items as server-sent events; the last one is `end`. */
export const sendEvents = <About extends object, Item extends object>(
  reply: FastifyReply,
  run: RunList<About, Item>,
): Promise<FastifyReply> =>
  stream(reply.header('cache-control', 'no-store'), EVENTS_TYPE, async (out) => {
    const beat = setInterval(
      () => void out(': still here\n\n').catch(() => undefined),
      SILENCE_MS_MAX,
    );
    try {
      await run(async ({ items }) => {
        for await (const item of items) await out(`data: ${JSON.stringify(item)}\n\n`);
      });
      await out('event: end\ndata: {}\n\n');
    } finally {
      clearInterval(beat);
    }
  });

/** A line of {@link LINES_TYPE}. */
export type WireLine =
  | Readonly<{ say: string }>
  | Readonly<{ show: string }>
  | Readonly<{ clear: true }>
  | Readonly<{ about: object }>
  | Readonly<{ item: object }>
  | Readonly<{ result: object }>
  | Readonly<{ end: true }>
  | Readonly<{ error: object }>;

/** Sends an operation with its progress. An error of it is its last line. */
export function sendLines(
  reply: FastifyReply,
  run: (out: (line: WireLine) => Promise<void>, progress: Progress) => Promise<void>,
): FastifyReply {
  const lines = new PassThrough();
  const out = async (line: WireLine): Promise<void> => {
    if (lines.destroyed) throw new Error('the caller has gone');
    if (!lines.write(`${JSON.stringify(line)}\n`)) {
      await Promise.race([once(lines, 'drain'), once(lines, 'close')]);
    }
  };
  const note = (line: WireLine): void => void out(line).catch(() => undefined);
  const progress: Progress = {
    say: (line) => note({ say: line }),
    show: (line) => note({ show: line }),
    clear: () => note({ clear: true }),
  };
  lines.on('error', () => undefined);
  run(out, progress)
    .then(() => out({ end: true }))
    .catch((error: unknown) => out({ error: noteOfError(error) }))
    .catch(() => undefined)
    .finally(() => lines.end());
  return reply.type(LINES_TYPE).send(lines);
}
