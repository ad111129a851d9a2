import { join } from 'node:path';
import { createSessions } from './app/sessions/sessions.ts';
import { openTokenBook } from './app/tokens/tokens.ts';
import type { RunningApi } from './cli/context.ts';
import { isLoopbackUrl, type OidcSettings, readSecretFile, type Settings } from './config.ts';
import { createContexts } from './http-api/contexts.ts';
import { createOidcProvider, type OidcProvider } from './http-api/oidc/provider.ts';
import { createHttpApi } from './http-api/server.ts';
import { packageRoot } from './local-stack/package-root.ts';
import { createLog } from './monitoring/log.ts';
import type { Surroundings } from './operations/context.ts';
import { listenOn } from './serve.ts';

/** Starts the HTTP API. Its log is that of other programs. Throws PORT_TAKEN, and the errors of its private files. */
export async function startHttpApi(
  surroundings: Surroundings,
  { serve, log, people }: Settings,
): Promise<RunningApi> {
  let url: string | undefined;
  const webUrl = (): string | null => serve.origin ?? originHere(url);
  const server = await createHttpApi({
    tokens: openTokenBook(serve.tokenFile),
    sessions: createSessions(people, { lifeMs: serve.sessionHours * HOUR_MS }),
    oidc: providerOf(serve.oidc),
    origin: webUrl,
    contextOf: createContexts(surroundings),
    requestsPerMinute: serve.requestsPerMinute,
    webFolder: join(packageRoot(), 'build', 'web'),
    version: surroundings.version,
    nowMs: () => surroundings.clock.nowMs(),
    log: createLog('serve', log.level),
  });
  url = await listenOn(server, serve.listen, { name: 'the HTTP API', setting: 'serve.listen' });
  return { url, webUrl: webUrl(), close: () => server.close() };
}

const HOUR_MS = 3_600_000;

/** The address of the web app on this machine. Passkeys belong to a name, and not to 127.0.0.1. */
const originHere = (url: string | undefined): string | null =>
  url !== undefined && isLoopbackUrl(url) ? `http://localhost:${new URL(url).port}` : null;

/** The settings have all of the three, or none. */
function providerOf({
  issuer,
  clientId,
  clientSecretFile,
  ...rest
}: OidcSettings): OidcProvider | null {
  if (issuer === undefined || clientId === undefined || clientSecretFile === undefined) return null;
  const clientSecret = readSecretFile(clientSecretFile);
  const name = rest.name ?? new URL(issuer).host;
  return createOidcProvider({ ...rest, name, issuer, clientId, clientSecret });
}
