import type { FastifyRequest } from 'fastify';
import type { Sessions } from '../app/sessions/sessions.ts';
import type { TokenBook } from '../app/tokens/tokens.ts';
import { includesRole, type Role } from '../domain/access/role.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { sessionSecretOf } from './cookie.ts';

/** Characters of a token or of a session's secret. */
const SECRET_LENGTH_MAX = 200;

/** Who sends a request: a program with a token, or a person with a session. */
export type ApiCaller = Readonly<{
  kind: 'token' | 'person';
  /** The audit log names who acted by it. */
  name: string;
  role: Role;
  /** A name of `[accounts.NAME]`; null: the account of the server. */
  account: string | null;
  /** Names the caller where requests are counted: the hash of the secret. */
  sha256: string;
}>;

/** The callers that are let in. `origin`: the address of the web app; null: nobody can sign in. */
export type CallerSources = Readonly<{
  tokens: TokenBook;
  sessions: Sessions;
  origin(): string | null;
  nowMs(): number;
}>;

/** @throws TOKEN_MISSING, TOKEN_UNKNOWN, SESSION_UNKNOWN, ORIGIN_WRONG */
export function callerOf(request: FastifyRequest, sources: CallerSources): ApiCaller {
  const { authorization } = request.headers;
  return authorization === undefined
    ? bySession(request, sources)
    : byToken(authorization, sources);
}

function byToken(authorization: string, { tokens, nowMs }: CallerSources): ApiCaller {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw new BursarError('TOKEN_MISSING', {});
  const found = token.length > SECRET_LENGTH_MAX ? undefined : tokens.find(token, nowMs());
  if (found === undefined) throw new BursarError('TOKEN_UNKNOWN', {});
  const { name, role, account, sha256 } = found;
  return { kind: 'token', name, role, account, sha256 };
}

function bySession(request: FastifyRequest, { sessions, origin, nowMs }: CallerSources): ApiCaller {
  const secret = sessionSecretOf(request, origin());
  if (secret === undefined) throw new BursarError('TOKEN_MISSING', {});
  const found = secret.length > SECRET_LENGTH_MAX ? undefined : sessions.find(secret, nowMs());
  if (found === undefined) throw new BursarError('SESSION_UNKNOWN', {});
  // A browser sends the cookie for any page of the same site.
  if (!isRead(request)) refuseOtherPages(request, origin());
  const { person, sha256 } = found;
  return { kind: 'person', name: person.name, role: person.webRole, account: null, sha256 };
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Returns the address of the web app, which is that of the page. @throws WEB_ORIGIN_MISSING, ORIGIN_WRONG */
export function refuseOtherPages({ headers }: FastifyRequest, origin: string | null): string {
  if (origin === null) throw new BursarError('WEB_ORIGIN_MISSING', {});
  if (headers.origin === origin) return origin;
  throw new BursarError('ORIGIN_WRONG', { origin });
}

/** @throws ROLE_TOO_LOW */
export function refuseRole(needed: Role, { kind, name, role }: ApiCaller): void {
  if (!includesRole(role, needed))
    throw new BursarError('ROLE_TOO_LOW', { kind, name, role, needed });
}
