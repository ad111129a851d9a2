import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MadeSession } from '../../app/sessions/sessions.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { type CallerSources, refuseOtherPages } from '../caller.ts';
import { oidcCookie, oidcSecretOf } from '../cookie.ts';
import { BEGUN_MS, createBegunSignIns } from './begun.ts';
import type { OidcProvider } from './provider.ts';

export const OIDC_PATH = '/v1/session/oidc';
export const CALLBACK_PATH = `${OIDC_PATH}/callback`;

/** Whether people can sign in at a provider. */
export const oidcResult = z.object({
  schema: z.literal('bursar.oidc/v1'),
  name: z.string().nullable().meta({ description: 'the provider; null: there is none' }),
});

/** Where the browser goes to sign in. */
export const oidcStartResult = z.object({
  schema: z.literal('bursar.oidc-start/v1'),
  url: z.string(),
});

/** `oidc`: null where the settings name no provider. */
export type OidcSources = CallerSources &
  Readonly<{
    oidc: OidcProvider | null;
    /** Sets the cookie of a new session. */
    enter(reply: FastifyReply, made: MadeSession): void;
    /** Receives each sign-in that failed, in words for the operator. */
    refused(code: string, reason: string): void;
  }>;

/** Signing in by the code flow of OpenID Connect, with PKCE, state and nonce. */
export function addOidcRoutes(server: FastifyInstance, sources: OidcSources): void {
  const { oidc, nowMs } = sources;
  const begun = createBegunSignIns();
  server.route({
    method: 'GET',
    url: OIDC_PATH,
    handler: async (): Promise<z.output<typeof oidcResult>> => ({
      schema: 'bursar.oidc/v1',
      name: oidc?.name ?? null,
    }),
  });
  server.route({
    method: 'POST',
    url: OIDC_PATH,
    handler: async (request, reply): Promise<z.output<typeof oidcStartResult>> => {
      const origin = refuseOtherPages(request, sources.origin());
      const started = await providerOf(sources).begin(`${origin}${CALLBACK_PATH}`);
      const secret = begun.keep(started, nowMs());
      reply.header('set-cookie', oidcCookie(origin, { secret, seconds: BEGUN_MS / 1_000 }));
      return { schema: 'bursar.oidc-start/v1', url: started.url };
    },
  });
  server.route({
    method: 'GET',
    url: CALLBACK_PATH,
    handler: async (request, reply) => {
      const origin = sources.origin();
      if (origin === null) throw new BursarError('WEB_ORIGIN_MISSING', {});
      const provider = providerOf(sources);
      reply.header('referrer-policy', 'no-referrer');
      try {
        const query = queryOf(request);
        const returned = { state: query.get('state') ?? '', secret: oidcSecretOf(request, origin) };
        const account = await provider.finish(begun.take(returned, nowMs()), query);
        reply.header('set-cookie', oidcCookie(origin, { secret: '', seconds: 0 }));
        sources.enter(reply, sources.sessions.signInByAccount(account, nowMs()));
        return reply.redirect(`${origin}/`, 303);
      } catch (error) {
        if (!isBursarError(error)) throw error;
        sources.refused(error.code, error.note.what);
        // The page has a sentence for each code. Nothing that the request holds goes there.
        return reply.redirect(`${origin}/#/?refused=${error.code}`, 303);
      }
    },
  });
}

/** @throws OIDC_MISSING */
function providerOf({ oidc }: OidcSources): OidcProvider {
  if (oidc === null) throw new BursarError('OIDC_MISSING', {});
  return oidc;
}

/** As it was sent: a name that comes twice is refused by the library. */
const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URL(url, 'http://localhost').searchParams;
