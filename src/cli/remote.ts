import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Listed, ListingOperation, SingleOperation } from '../app/operation.ts';
import {
  BursarError,
  type ErrorNote,
  errorOfNote,
  isErrorNote,
} from '../domain/errors/bursar-error.ts';
import { isObject } from '../domain/json/is-object.ts';
import { openSource, type Source } from '../operations/file/source.ts';
import type { StoredFile } from '../operations/file/stored-file.ts';
import type { Context, ServerPlace } from './context.ts';
import type { z } from 'zod';

/** A line of an answer as JSON Lines. */
type Line = Readonly<Record<string, unknown>>;

/** Runs an operation at a server, which sends its progress too. @throws the errors of the operation, SERVER_UNREACHABLE, SERVER_ANSWER_ODD */
export async function performThere<Input extends z.ZodType, Result>(
  operation: SingleOperation<Input, Result>,
  input: z.output<Input>,
  { context, server }: Readonly<{ context: Context; server: ServerPlace }>,
): Promise<Result> {
  let result: unknown;
  for await (const line of linesOf({ operation, input, server }, context)) {
    if ('result' in line) result = line['result'];
  }
  if (!isObject(result)) throw odd(server, 'its answer has no result');
  // oxlint-disable-next-line no-unsafe-type-assertion
  return result as Result;
}

/** Runs an operation on a list at a server. The list is read while `use` runs. @throws as {@link performThere} */
export async function performListThere<Input extends z.ZodType, About, Item, Used>(
  operation: ListingOperation<Input, About, Item>,
  input: z.output<Input>,
  {
    context,
    server,
    use,
  }: Readonly<{
    context: Context;
    server: ServerPlace;
    use(list: Listed<About, Item>): Promise<Used>;
  }>,
): Promise<Used> {
  const lines = linesOf({ operation, input, server }, context);
  const first = await lines.next();
  if (first.done || !('about' in first.value)) throw odd(server, 'its answer begins with no list');
  // oxlint-disable-next-line no-unsafe-type-assertion
  const about = first.value['about'] as About;
  return use({ about, items: itemsOf<Item>(lines) });
}

async function* itemsOf<Item>(lines: AsyncIterable<Line>): AsyncGenerator<Item> {
  for await (const line of lines) {
    // oxlint-disable-next-line no-unsafe-type-assertion
    if ('item' in line) yield line['item'] as Item;
  }
}

/** Copies a file to a server, for its plan and its batch. @throws the errors of the file, and as {@link performThere} */
export async function uploadThere(
  source: Source,
  { context, server }: Readonly<{ context: Context; server: ServerPlace }>,
): Promise<StoredFile> {
  const file = await openSource(source);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const block of file.blocks) {
      hash.update(block);
      yield block;
    }
  };
  try {
    const response = await send(
      {
        url: new URL(`${addressOf(server)}/v1/files?name=${encodeURIComponent(source.fileName)}`),
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: Readable.toWeb(Readable.from(hashed())),
      },
      { context, server },
    );
    const answer: unknown = await response.json();
    const { sha256, name } = isObject(answer) ? ({ ...answer } as Line) : {};
    if (typeof sha256 !== 'string' || typeof name !== 'string') {
      throw odd(server, 'its answer names no file');
    }
    if (sha256 !== hash.digest('hex')) throw odd(server, 'it has read other bytes than were sent');
    return { sha256, name, shownName: source.shownName };
  } finally {
    await file.close();
  }
}

/** The parts of a text that a server has at `path`, for this input. @throws as {@link performThere} */
export async function* downloadThere(
  path: string,
  input: object,
  { context, server }: Readonly<{ context: Context; server: ServerPlace }>,
): AsyncGenerator<string> {
  const url = new URL(`${addressOf(server)}${path}`);
  const headers = { 'content-type': 'application/json' };
  const request = { url, method: 'POST', headers, body: JSON.stringify(input) };
  const { body } = await send(request, { context, server });
  if (body === null) throw odd(server, 'its answer has no body');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of bytesOf(body, server)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** An answer that breaks off is an error. */
async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  server: ServerPlace,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof BursarError) throw cause;
    throw unreachable(server, cause);
  }
}

type Call = Readonly<{
  operation: Readonly<{ http: string }>;
  input: unknown;
  server: ServerPlace;
}>;

/** The lines of an answer that are no progress. An answer that is cut off before its end is an error. */
async function* linesOf(call: Call, context: Context): AsyncGenerator<Line> {
  const { server } = call;
  let isWhole = false;
  for await (const text of textLines(await bodyOf(call, context), server)) {
    const line = lineOf(text, server);
    const { say, show, error } = line;
    if (isErrorNote(error)) throw errorOfNote(error);
    if (typeof say === 'string') context.say(say);
    else if (typeof show === 'string') context.show(show);
    else if ('clear' in line) context.clear();
    else if ('end' in line) isWhole = true;
    else yield line;
  }
  if (!isWhole) throw odd(server, 'its answer was cut off');
}

function lineOf(text: string, server: ServerPlace): Line {
  try {
    const line: unknown = JSON.parse(text);
    if (isObject(line)) return { ...line };
  } catch {
    // It is no JSON, and the error below says so.
  }
  throw odd(server, 'a line of its answer is no JSON object');
}

async function bodyOf(
  { operation, input, server }: Call,
  context: Context,
): Promise<ReadableStream<Uint8Array>> {
  const { url, method, body } = requestOf(operation.http, input, server);
  const type = body === null ? {} : { 'content-type': 'application/json' };
  const headers = { accept: 'application/jsonl', ...type };
  const response = await send({ url, method, headers, body }, { context, server });
  if (response.body !== null) return response.body;
  throw odd(server, 'its answer has no body');
}

type Request = Readonly<{
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | ReadableStream | null;
}>;

/** Sends a request with the token. An answer that is no success is thrown as the error that it names. */
async function send(
  { url, method, headers, body }: Request,
  { context: { interrupted }, server }: Readonly<{ context: Context; server: ServerPlace }>,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, authorization: `Bearer ${server.token}` },
    body,
    duplex: 'half',
    signal: interrupted,
    redirect: 'error',
  }).catch((error: unknown) => {
    interrupted.throwIfAborted();
    const { cause } = error as Readonly<{ cause?: unknown }>;
    // The file could not be read on.
    if (cause instanceof BursarError) throw cause;
    throw unreachable(server, error);
  });
  if (response.ok) return response;
  throw errorOfNote(await problemNote(response, server));
}

const unreachable = ({ url }: ServerPlace, cause: unknown): BursarError =>
  new BursarError('SERVER_UNREACHABLE', { url, reason: reasonOf(cause) }, { cause });

const addressOf = ({ url }: ServerPlace): string => url.replace(/\/$/, '');

/** A field of the path leaves the rest, which is the query of a GET, and the body of others. */
function requestOf(http: string, input: unknown, server: ServerPlace) {
  const [method = '', path = ''] = http.split(' ');
  const fields = new Map(Object.entries(isObject(input) ? input : {}));
  const filled = path.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = fields.get(field);
    fields.delete(field);
    return encodeURIComponent(String(value));
  });
  const target = new URL(`${addressOf(server)}${filled}`);
  if (method !== 'GET') {
    return { url: target, method, body: JSON.stringify(Object.fromEntries(fields)) };
  }
  for (const [field, value] of fields) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined) target.searchParams.append(field, String(one));
    }
  }
  return { url: target, method, body: null };
}

async function problemNote(response: Response, server: ServerPlace): Promise<ErrorNote> {
  const problem: unknown = await response.json().catch(() => undefined);
  if (!isErrorNote(problem)) throw odd(server, `it answered ${response.status} without a problem`);
  const { code, what, why, fix } = problem;
  return { code, what, why, fix };
}

async function* textLines(
  body: ReadableStream<Uint8Array>,
  server: ServerPlace,
): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of bytesOf(body, server)) {
    const [first = '', ...more] = decoder.decode(piece, { stream: true }).split('\n');
    rest += first;
    for (const next of more) {
      if (rest !== '') yield rest;
      rest = next;
    }
  }
  if (rest !== '') yield rest;
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & Readonly<{ cause?: Readonly<{ code?: string }> }>;
  return cause?.code ?? message;
};

const odd = ({ url }: ServerPlace, reason: string): BursarError =>
  new BursarError('SERVER_ANSWER_ODD', { url, reason });
