import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Role } from '../../../src/domain/access/role.ts';
import { createSessions } from '../../../src/app/sessions/sessions.ts';
import type { WebPerson } from '../../../src/config.ts';
import { hashOfToken, openTokenBook, tokensText } from '../../../src/app/tokens/tokens.ts';
import { createContexts } from '../../../src/http-api/contexts.ts';
import type { OidcProvider } from '../../../src/http-api/oidc/provider.ts';
import { createHttpApi } from '../../../src/http-api/server.ts';
import { keepOpen } from '../../../src/operations/keep-open.ts';
import { ROOT } from '../../architecture/repository.ts';
import { type FakeWorld, NOW } from '../../cli/support/fake-world.ts';

/** Where the build has the web app. */
export const WEB_FOLDER = join(ROOT, 'build', 'web');

type Answer = Readonly<{ status: number; type: string; body: string; value: unknown }>;

export type Api = Readonly<{
  server: FastifyInstance;
  /** Lines of the log. */
  logged: readonly object[];
  /** Calls with the token of a role. `accept`: the form of the answer. */
  call(
    role: Role,
    place: string,
    more?: Readonly<{ body?: unknown; accept?: string }>,
  ): Promise<Answer>;
  close(): Promise<void>;
}>;

export const tokenOf = (role: string): string => `bursar_${role}`;

/** The HTTP API over the store and the engine of a world, with a token of each role. */
export async function apiOf(
  { world }: FakeWorld,
  {
    requestsPerMinute = 1_000,
    names = {},
    people = [],
    origin = null,
    oidc = null,
    expiresAt = null,
  }: Readonly<{
    requestsPerMinute?: number;
    names?: Partial<Record<Role, string>>;
    people?: readonly WebPerson[];
    origin?: string | null | (() => string);
    oidc?: OidcProvider | null;
    /** Of every token. */
    expiresAt?: string | null;
  }> = {},
): Promise<Api> {
  const file = join(world.cwd, 'tokens.json');
  const tokens = (['read', 'submit', 'operate'] as const).map((role) => ({
    name: names[role] ?? `${role}er`,
    role,
    sha256: hashOfToken(tokenOf(role)),
    account: null,
    createdAt: NOW,
    expiresAt,
  }));
  writeFileSync(file, tokensText(tokens), { mode: 0o600 });
  const open = keepOpen(world.open);
  const logged: object[] = [];
  const server = await createHttpApi({
    tokens: openTokenBook(file),
    sessions: createSessions(people, { lifeMs: 8 * 3_600_000 }),
    oidc,
    origin: typeof origin === 'function' ? origin : () => origin,
    contextOf: createContexts({ ...world, open }),
    requestsPerMinute,
    webFolder: WEB_FOLDER,
    version: world.version,
    nowMs: world.clock.nowMs,
    log: {
      info: (facts, message) => void logged.push({ ...facts, message }),
      error: (facts, message) => void logged.push({ ...facts, message }),
    },
  });
  return {
    server,
    logged,
    async call(role, place, { body, accept = 'application/json' } = {}) {
      const [method = '', url = ''] = place.split(' ');
      const headers = { authorization: `Bearer ${tokenOf(role)}`, accept };
      const answer = await server.inject({
        method: method as 'GET',
        url,
        headers,
        ...(body === undefined ? {} : { payload: body as object }),
      });
      const type = String(answer.headers['content-type']);
      const isJson = /json(;|$)/.test(type) && !type.includes('jsonl');
      return {
        status: answer.statusCode,
        type,
        body: answer.body,
        value: isJson ? (JSON.parse(answer.body) as unknown) : undefined,
      };
    },
    async close() {
      await server.close();
      await open.close();
    },
  };
}
