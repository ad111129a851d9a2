import { join } from 'node:path';
import { openTokenBook } from './app/tokens/tokens.ts';
import type { RunningApi } from './cli/context.ts';
import type { Settings } from './config.ts';
import { createContexts } from './http-api/contexts.ts';
import { createHttpApi } from './http-api/server.ts';
import { packageRoot } from './local-stack/package-root.ts';
import { createLog } from './monitoring/log.ts';
import type { Surroundings } from './operations/context.ts';
import { listenOn } from './serve.ts';

/** Starts the HTTP API. Its log is that of other programs. Throws PORT_TAKEN, TOKEN_FILE_OPEN, TOKEN_FILE_UNREADABLE. */
export async function startHttpApi(
  surroundings: Surroundings,
  { serve, log }: Settings,
): Promise<RunningApi> {
  const tokens = openTokenBook(serve.tokenFile);
  const server = await createHttpApi({
    tokens,
    contextOf: createContexts(surroundings),
    requestsPerMinute: serve.requestsPerMinute,
    webFolder: join(packageRoot(), 'build', 'web'),
    version: surroundings.version,
    nowMs: () => surroundings.clock.nowMs(),
    log: createLog('serve', log.level),
  });
  const url = await listenOn(server, serve.listen, 'the HTTP API');
  return { url, close: () => server.close() };
}
