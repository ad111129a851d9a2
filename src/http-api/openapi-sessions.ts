import { z } from 'zod';
import { CALLBACK_PATH, OIDC_PATH, oidcResult, oidcStartResult } from './oidc/oidc-routes.ts';
import { DEFAULT_RESPONSE, resultOf } from './openapi-parts.ts';
import { challengeResult, sessionResult, signInInput } from './session-routes.ts';

const CHALLENGE = {
  operationId: 'askToSignIn',
  summary: 'A challenge that a passkey signs to sign in',
  description: 'Needs no token. The header Origin must be that of the web app.',
  security: [],
  responses: resultOf(challengeResult),
};

const SIGN_IN = {
  operationId: 'signIn',
  summary: 'Sign in by the signature of a passkey; the answer sets the cookie of the session',
  description: 'Needs no token. The header Origin must be that of the web app.',
  security: [],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: z.toJSONSchema(signInInput) } },
  },
  responses: resultOf(sessionResult),
};

const SESSION = {
  operationId: 'showSession',
  summary: 'Who is signed in',
  description: 'Needs the cookie of a session.',
  security: [{ session: [] }],
  responses: resultOf(sessionResult),
};

const SIGN_OUT = {
  operationId: 'signOut',
  summary: 'End the session',
  description: 'Removes the cookie. The header Origin must be that of the web app.',
  security: [{ session: [] }],
  responses: { 204: { description: 'done' }, default: DEFAULT_RESPONSE },
};

const OIDC = {
  operationId: 'showOidc',
  summary: 'Whether people can also sign in at a provider of OpenID Connect',
  description: 'Needs no token.',
  security: [],
  responses: resultOf(oidcResult),
};

const OIDC_START = {
  operationId: 'beginOidc',
  summary:
    'Begin a sign-in at the provider of OpenID Connect; the browser goes to the url of the answer',
  description: 'Needs no token. The header Origin must be that of the web app.',
  security: [],
  responses: resultOf(oidcStartResult),
};

const OIDC_CALLBACK = {
  operationId: 'finishOidc',
  summary:
    'Where the provider sends the browser back; a good answer sets the cookie of the session',
  description:
    'Needs no token, and the cookie of the browser that began. Each answer leads to the web app.',
  security: [],
  parameters: ['code', 'state', 'iss', 'error'].map((name) => ({
    name,
    in: 'query',
    required: false,
    schema: { type: 'string' },
  })),
  responses: { 303: { description: 'to the web app' }, default: DEFAULT_RESPONSE },
};

/** The places of sessions. No operation has them. */
export const SESSION_PATHS = {
  '/v1/session/challenge': { post: CHALLENGE },
  '/v1/session': { post: SIGN_IN, get: SESSION, delete: SIGN_OUT },
  [OIDC_PATH]: { get: OIDC, post: OIDC_START },
  [CALLBACK_PATH]: { get: OIDC_CALLBACK },
};
