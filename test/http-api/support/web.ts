import { expect } from '@jest/globals';
import { signInText } from '../../../src/domain/approval/sign-in.ts';
import { type Choices, ORIGIN, signedByPasskey } from '../../support/passkeys.ts';
import type { Api } from './api.ts';

export type Headers = Readonly<Record<string, string>>;
type Sent = Readonly<{ body?: object; headers?: Headers }>;

/** Sends a request as a page of the web app does. */
export async function send({ server }: Api, place: string, { body, headers = {} }: Sent = {}) {
  const [method = '', url = ''] = place.split(' ');
  const answer = await server.inject({
    method: method as 'GET',
    url,
    headers: { ...(method === 'GET' ? {} : { origin: ORIGIN }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  const value = answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
  return { status: answer.statusCode, code: value['code'], value, headers: answer.headers };
}

export const challengeFrom = async (api: Api): Promise<string> =>
  String((await send(api, 'POST /v1/session/challenge')).value['challenge']);

/** The body of a sign-in by a passkey. */
export const bodyOf = (name: string, challenge: string, choices: Choices = {}) => ({
  challenge,
  person: name,
  signature: signedByPasskey(name, signInText({ origin: ORIGIN, challenge }), choices),
});

/** Signs a person in. Returns the header with the cookie. */
export async function signIn(api: Api, name = 'bob'): Promise<Headers> {
  const answer = await send(api, 'POST /v1/session', {
    body: bodyOf(name, await challengeFrom(api)),
  });
  expect(answer.status).toBe(200);
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' };
}
