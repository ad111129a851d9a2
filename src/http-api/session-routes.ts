import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inputReader } from '../app/input-reader.ts';
import {
  hasPasskey,
  type MadeSession,
  type Session,
  SIGN_IN_WAYS,
} from '../app/sessions/sessions.ts';
import { SIGNATURE_LENGTH_MAX } from '../domain/approval/statement.ts';
import { ROLES } from '../domain/access/role.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { type CallerSources, refuseOtherPages } from './caller.ts';
import { sessionCookie, sessionSecretOf } from './cookie.ts';
import { addOidcRoutes } from './oidc/oidc-routes.ts';
import type { OidcProvider } from './oidc/provider.ts';

/** The answer of a passkey to a challenge. */
export const signInInput = z.strictObject({
  challenge: z.string().max(100),
  person: z.string().max(100).meta({ description: 'the user handle of the passkey' }),
  signature: z.string().max(SIGNATURE_LENGTH_MAX),
});

/** A text that a passkey signs once, within five minutes. */
export const challengeResult = z.object({
  schema: z.literal('bursar.challenge/v1'),
  challenge: z.string(),
  rpId: z.string(),
  origin: z.string(),
  expiresAt: z.string(),
});

/** Who is signed in. */
export const sessionResult = z.object({
  schema: z.literal('bursar.session/v1'),
  person: z.string(),
  roles: z.array(z.string()),
  role: z.enum(ROLES),
  expiresAt: z.string(),
  secondsLeft: z.int().meta({ description: 'by the clock of the server' }),
  signedInBy: z.enum(SIGN_IN_WAYS),
  hasPasskey: z.boolean().meta({ description: 'whether the person can approve by a passkey' }),
});

const readSignIn = inputReader(signInInput);

/** `oidc`: null where the settings name no provider. */
export type SessionSources = CallerSources &
  Readonly<{
    oidc: OidcProvider | null;
    /** Receives each sign-in. */
    signedIn(session: Session): void;
    /** Receives each sign-in at the provider that failed. */
    refused(code: string, reason: string): void;
  }>;

/** How a person signs in and out. No token is needed. */
export function addSessionRoutes(server: FastifyInstance, sources: SessionSources): void {
  const { sessions, nowMs } = sources;
  const pageOf = (request: FastifyRequest): string => refuseOtherPages(request, sources.origin());
  const enter = (reply: FastifyReply, made: MadeSession): void => begin(reply, made, sources);
  server.route({
    method: 'POST',
    url: '/v1/session/challenge',
    handler: async (request) => challengeFor(pageOf(request), sources),
  });
  server.route({
    method: 'POST',
    url: '/v1/session',
    handler: async (request, reply) => {
      const origin = pageOf(request);
      const answer = readSignIn({ params: {}, query: {}, body: request.body ?? {} });
      const at = { origin, nowMs: nowMs() };
      const made = sessions.signIn(answer as z.output<typeof signInInput>, at);
      // A renewed session takes the place of the one before.
      sessions.end(sessionSecretOf(request, origin) ?? '');
      enter(reply, made);
      return shown(made.session, at.nowMs);
    },
  });
  server.route({
    method: 'GET',
    url: '/v1/session',
    handler: async (request) => shown(sessionOf(request, sources), nowMs()),
  });
  server.route({
    method: 'DELETE',
    url: '/v1/session',
    handler: async (request, reply) => {
      const origin = pageOf(request);
      sessions.end(sessionSecretOf(request, origin) ?? '');
      return reply
        .code(204)
        .header('set-cookie', sessionCookie(origin, { secret: '', seconds: 0 }))
        .send();
    },
  });
  addOidcRoutes(server, { ...sources, enter });
}

/** Gives a new session to the browser. */
function begin(
  reply: FastifyReply,
  { secret, session }: MadeSession,
  { origin, nowMs, signedIn }: SessionSources,
): void {
  const seconds = secondsLeft(session, nowMs());
  signedIn(session);
  reply.header('set-cookie', sessionCookie(origin() ?? '', { secret, seconds }));
}

function challengeFor(
  origin: string,
  { sessions, nowMs }: CallerSources,
): z.output<typeof challengeResult> {
  const { challenge, expiresAtMs } = sessions.challenge(nowMs());
  return {
    schema: 'bursar.challenge/v1',
    challenge,
    rpId: new URL(origin).hostname,
    origin,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}

/** @throws SESSION_UNKNOWN */
function sessionOf(request: FastifyRequest, { sessions, origin, nowMs }: CallerSources): Session {
  const found = sessions.find(sessionSecretOf(request, origin()) ?? '', nowMs());
  if (found === undefined) throw new BursarError('SESSION_UNKNOWN', {});
  return found;
}

const shown = (session: Session, nowMs: number): z.output<typeof sessionResult> => ({
  schema: 'bursar.session/v1',
  person: session.person.name,
  roles: [...session.person.roles],
  role: session.person.webRole,
  expiresAt: new Date(session.expiresAtMs).toISOString(),
  secondsLeft: secondsLeft(session, nowMs),
  signedInBy: session.way,
  hasPasskey: hasPasskey(session.person),
});

const secondsLeft = ({ expiresAtMs }: Session, nowMs: number): number =>
  Math.floor((expiresAtMs - nowMs) / 1_000);
