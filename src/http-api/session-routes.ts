import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inputReader } from '../app/input-reader.ts';
import type { Session } from '../app/sessions/sessions.ts';
import { SIGNATURE_LENGTH_MAX } from '../domain/approval/statement.ts';
import { ROLES } from '../domain/access/role.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { type CallerSources, refuseOtherPages } from './caller.ts';
import { sessionCookie, sessionSecretOf } from './cookie.ts';

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
});

const readSignIn = inputReader(signInInput);

/** How a person signs in and out. No token is needed. `signedIn`: receives each sign-in. */
export function addSessionRoutes(
  server: FastifyInstance,
  sources: CallerSources & Readonly<{ signedIn(session: Session): void }>,
): void {
  const { sessions, nowMs, signedIn } = sources;
  const pageOf = (request: FastifyRequest): string => refuseOtherPages(request, sources.origin());
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
      const { secret, session } = sessions.signIn(answer as z.output<typeof signInInput>, at);
      sessions.end(sessionSecretOf(request, origin) ?? '');
      signedIn(session);
      const seconds = Math.floor((session.expiresAtMs - at.nowMs) / 1_000);
      reply.header('set-cookie', sessionCookie(origin, secret, seconds));
      return shown(session);
    },
  });
  server.route({
    method: 'GET',
    url: '/v1/session',
    handler: async (request) => shown(sessionOf(request, sources)),
  });
  server.route({
    method: 'DELETE',
    url: '/v1/session',
    handler: async (request, reply) => {
      const origin = pageOf(request);
      sessions.end(sessionSecretOf(request, origin) ?? '');
      return reply
        .code(204)
        .header('set-cookie', sessionCookie(origin, '', 0))
        .send();
    },
  });
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

const shown = ({ person, expiresAtMs }: Session): z.output<typeof sessionResult> => ({
  schema: 'bursar.session/v1',
  person: person.name,
  roles: [...person.roles],
  role: person.webRole,
  expiresAt: new Date(expiresAtMs).toISOString(),
});
