import type { FastifyRequest } from 'fastify';

/** `Lax`: the browser sends it when it comes back from the provider. It signs nobody in by itself. */
const COOKIES = {
  session: { name: 'bursar_session', sameSite: 'Strict' },
  oidc: { name: 'bursar_oidc', sameSite: 'Lax' },
} as const;

type CookieKind = keyof typeof COOKIES;

/** With the prefix a browser takes the cookie over TLS alone, from this very host, and for no other one. */
const nameOf = (kind: CookieKind, origin: string): string =>
  isSecure(origin) ? `__Host-${COOKIES[kind].name}` : COOKIES[kind].name;

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/** The value of the session's cookie in a request; undefined: there is none. */
export const sessionSecretOf = (
  request: FastifyRequest,
  origin: string | null,
): string | undefined => (origin === null ? undefined : secretOf('session', request, origin));

/** The value of the cookie of a sign-in that waits for the provider; empty: there is none. */
export const oidcSecretOf = (request: FastifyRequest, origin: string): string =>
  secretOf('oidc', request, origin) ?? '';

function secretOf(
  kind: CookieKind,
  { headers }: FastifyRequest,
  origin: string,
): string | undefined {
  const start = `${nameOf(kind, origin)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

/** The value of a cookie, and how long the browser keeps it; 0 seconds remove it. */
type CookieValue = Readonly<{ secret: string; seconds: number }>;

/** The header `Set-Cookie` of a session. No script can read it, and no other site sends it. */
export const sessionCookie = (origin: string, value: CookieValue): string =>
  cookie('session', origin, value);

/** As {@link sessionCookie}, for the browser that begins a sign-in at the provider. */
export const oidcCookie = (origin: string, value: CookieValue): string =>
  cookie('oidc', origin, value);

const cookie = (kind: CookieKind, origin: string, { secret, seconds }: CookieValue): string =>
  [
    `${nameOf(kind, origin)}=${secret}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${COOKIES[kind].sameSite}`,
    ...(isSecure(origin) ? ['Secure'] : []),
  ].join('; ');
