import type { FileQuestion } from '../../domain/errors/file-question.ts';
import { ARRAYS, PLACES, requestOf } from './places.ts';
import type { AboutOf, InputOf, ItemOf, ListName, ResultOf, SingleName } from './results.ts';

/** The sentences of an error. `status`: null when the server did not answer. */
export type FailureFacts = Readonly<{
  status: number | null;
  code: string;
  what: string;
  why: string;
  fix: string;
  /** The texts and numbers in the sentences. */
  facts?: Readonly<Record<string, unknown>>;
  /** The names in a file that the person chooses from. */
  asks?: FileQuestion;
}>;

/** A call that failed, with the sentences of the server. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.what);
    this.facts = facts;
  }
}

/** After this time the server is considered gone, in milliseconds. A plan of a million rows takes minutes. */
const TIMEOUT_MS = 300_000;

/** Notifies the page that its session is over. */
export const signedOut = new EventTarget();

/** Calls an operation with one result. @throws ApiFailure */
export const callOperation = async <Name extends SingleName>(
  name: Name,
  input: InputOf<Name>,
  signal?: AbortSignal,
): Promise<ResultOf<Name>> => {
  const { method, path, body } = requestOf(PLACES[name], input ?? {});
  return (await callApi(`${method} ${path}`, { body, signal })) as ResultOf<Name>;
};

/** Calls an operation whose result is a list, and reads all of it. @throws ApiFailure */
export const callList = async <Name extends ListName>(
  name: Name,
  input: InputOf<Name>,
  signal?: AbortSignal,
): Promise<Readonly<{ about: AboutOf<Name>; items: readonly ItemOf<Name>[] }>> => {
  const { method, path } = requestOf(PLACES[name], input ?? {});
  const about = (await callApi(`${method} ${path}`, { signal })) as AboutOf<Name>;
  const { [ARRAYS[name]]: items } = about as Readonly<Record<string, readonly ItemOf<Name>[]>>;
  return { about, items: items ?? [] };
};

type CallOptions = Readonly<{
  /** A value that becomes JSON, or the bytes of a file. */
  body?: object | Blob | null;
  signal?: AbortSignal | undefined;
}>;

/** Calls `GET /v1/session` and the like. Returns the JSON; null for an empty answer. @throws ApiFailure */
export async function callApi(place: string, options: CallOptions = {}): Promise<unknown> {
  const text = await (await responseOf(place, options)).text();
  return text === '' ? null : (JSON.parse(text) as unknown);
}

/** Calls a place whose answer is a file. @throws ApiFailure */
export const callFile = async (place: string, body: object): Promise<Blob> =>
  (await responseOf(place, { body })).blob();

async function responseOf(place: string, { body = null, signal }: CallOptions): Promise<Response> {
  const [method = '', path = ''] = place.split(' ');
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    headers: { accept: 'application/json', ...typeOf(body) },
    ...(body === null ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

const typeOf = (body: CallOptions['body']): Record<string, string> => {
  if (body === null || body === undefined) return {};
  return { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' };
};

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiFailure({ status: null, code: 'NO_ANSWER', what: '', why: '', fix: '' });
  }
}

function failureOf(status: number, text: string): ApiFailure {
  if (status === 401) signedOut.dispatchEvent(new Event('signed-out'));
  return new ApiFailure({ ...OTHER, ...problemIn(text), status });
}

/** A proxy may answer with a page of its own. */
const OTHER = { code: 'ANSWER_ODD', what: '', why: '', fix: '' };

function problemIn(text: string): Partial<FailureFacts> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
