import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { request as ask } from 'undici';
import { type Serve, serveLocally } from './local-server.ts';

/** An answer that the service never gave. */
export type MadeUpAnswer = Readonly<{
  httpStatus: number;
  body: Readonly<Record<string, unknown>>;
}>;

/** Answers a request in the service's place; undefined leaves it to the service. */
export type MakeUp = (
  path: string,
  payload: Readonly<Record<string, unknown>>,
) => MadeUpAnswer | undefined;

/** How the sandbox is to play one request: the header `Sandbox-Modes`; undefined leaves it to its settings. */
export type ChooseModes = (
  path: string,
  payload: Readonly<Record<string, unknown>>,
) => string | undefined;

/**
 * How far the `Date` of an answer is from the time, in milliseconds: as if another node had answered. Null: it shows none;
 * undefined leaves it as it is.
 */
export type ChooseDate = (
  path: string,
  payload: Readonly<Record<string, unknown>>,
) => number | null | undefined;

/** Stands between the engine and a service, and answers some requests in its place. */
export async function startAnswerProxy(serviceUrl: () => string) {
  let makeUp: MakeUp = () => undefined;
  let chooseModes: ChooseModes = () => undefined;
  let chooseDate: ChooseDate = () => undefined;
  const serve: Serve = async (request, response) => {
    const path = request.url ?? '';
    const body = await textOf(request);
    const { payload = {} } = JSON.parse(body) as { payload?: Record<string, unknown> };
    const offMs = chooseDate(path, payload);
    response.sendDate = offMs !== null;
    if (offMs) response.setHeader('date', new Date(Date.now() + offMs).toUTCString());
    const madeUp = makeUp(path, payload);
    if (madeUp !== undefined) {
      return reply(response, madeUp.httpStatus, JSON.stringify(madeUp.body));
    }
    // Not `fetch`: it sends a request again when the connection is cut, and would pay in our name.
    const modes = chooseModes(path, payload);
    const headers = {
      ...signedHeaders(request),
      ...(modes === undefined ? {} : { 'sandbox-modes': modes }),
    };
    const answer = await ask(`${serviceUrl()}${path}`, { method: 'POST', headers, body });
    reply(response, answer.statusCode, await answer.body.text());
  };
  const { url, stop } = await serveLocally(serve);
  return {
    url,
    answerWith: (next: MakeUp): void => {
      makeUp = next;
    },
    playWith: (next: ChooseModes): void => {
      chooseModes = next;
    },
    dateWith: (next: ChooseDate): void => {
      chooseDate = next;
    },
    close: stop,
  };
}

function reply(response: ServerResponse, httpStatus: number, body: string): void {
  response.writeHead(httpStatus, { 'content-type': 'application/json' });
  response.end(body);
}

const signedHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['content-type', 'key', 'sign'].map((name) => [name, String(headers[name] ?? '')]),
  );
