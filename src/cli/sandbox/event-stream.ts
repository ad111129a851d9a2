import { AdminEvent } from '@bursar/sandbox/admin';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import type { SandboxClient } from './client.ts';
import { pause } from './pause.ts';

/** Between the end of a stream and the next try, in milliseconds. */
const RETRY_MS = 1_000;

/** As many events as the sandbox remembers, and as it lists on one page. */
const EVENTS_MAX = 10_000;

/** Characters of one line; the sandbox writes far shorter ones. */
const LINE_LENGTH_MAX = 1_048_576;

type Stream = ReadableStream<Uint8Array>;

/**
 * Every event from now on, until Ctrl-C, and over restarts of the sandbox. Only the first connection must succeed;
 * `onOpen` is called then. Throws SANDBOX_UNREACHABLE.
 */
export async function* watchEvents(
  sandbox: SandboxClient,
  context: Context,
  onOpen: () => void,
): AsyncGenerator<AdminEvent> {
  const { interrupted, say } = context;
  let after = await lastNumber(sandbox);
  let stream = await sandbox.openEvents(after);
  onOpen();
  for (;;) {
    for await (const event of eventsIn(stream, interrupted)) {
      after = event.n;
      yield event;
    }
    say(`The sandbox at ${sandbox.url} does not answer. Trying again until it does.`);
    stream = await reopen(sandbox, after, context);
    say('The sandbox is back.');
  }
}

/** The number of the latest event, so that none is missed when the stream breaks before the first one comes. */
async function lastNumber(sandbox: SandboxClient): Promise<number> {
  const { events } = await sandbox.call('GET /events', { limit: EVENTS_MAX });
  return events.at(-1)?.n ?? 0;
}

async function reopen(sandbox: SandboxClient, after: number, context: Context): Promise<Stream> {
  for (;;) {
    await pause(RETRY_MS, context);
    try {
      return await sandbox.openEvents(after);
    } catch (error) {
      if (!isBursarError(error) || error.code !== 'SANDBOX_UNREACHABLE') throw error;
    }
  }
}

/** The events of one stream until its end or failure. Throws at Ctrl-C. The sandbox writes each on one line. */
async function* eventsIn(stream: Stream, interrupted: AbortSignal): AsyncGenerator<AdminEvent> {
  const lines = linesIn(stream);
  for (;;) {
    const next = await lines.next().catch(() => undefined);
    interrupted.throwIfAborted();
    if (next === undefined || next.done) return;
    const [, data] = /^data: (.*)/.exec(next.value) ?? [];
    if (data !== undefined) yield AdminEvent.parse(JSON.parse(data));
  }
}

async function* linesIn(stream: Stream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    const lines = `${text}${decoder.decode(piece, { stream: true })}`.split('\n');
    text = lines.pop() ?? '';
    if (text.length > LINE_LENGTH_MAX) throw new Error('a line of the stream has no end');
    yield* lines;
  }
}
