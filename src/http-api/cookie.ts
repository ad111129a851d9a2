import type { FastifyRequest } from 'fastify';

const NAME = 'bursar_session';

/** With the prefix a browser takes the cookie over TLS alone, from this very host, and for no other one. */
const sessionCookieName = (origin: string): string =>
  isSecure(origin) ? `__Host-${NAME}` : NAME;

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** The value of the session's cookie in a request; undefined: there is none. */
export function sessionSecretOf(
  { headers }: FastifyRequest,
  origin: string | null,
): string | undefined {
  if (origin === null) return undefined;
  const start = `${sessionCookieName(origin)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

/** The header `Set-Cookie` of a session. `seconds`: 0 removes the cookie. No script can read it, and no other site sends it. */
export const sessionCookie = (origin: string, secret: string, seconds: number): string =>
  [
    `${sessionCookieName(origin)}=${secret}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure(origin) ? ['Secure'] : []),
  ].join('; ');
