import { readSecretFile } from '../config.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { Env } from '../config.ts';
import { flagInvalid } from '../operations/input/flag-error.ts';
import type { CommandOpeners, Context, ServerPlace } from './context.ts';

/** The server of a command. @throws FLAG_INVALID, SERVER_TOKEN_MISSING, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE */
export function serverPlace(url: string, env: Env): ServerPlace {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw flagInvalid('--server', `"${url}" is not an address such as https://bursar.example`);
  }
  const { BURSAR_SERVER_TOKEN: given, BURSAR_SERVER_TOKEN_FILE: file } = env;
  const token = given ?? (file === undefined ? undefined : readSecretFile(file));
  if (token === undefined || token === '') throw new BursarError('SERVER_TOKEN_MISSING', {});
  return { url, token };
}

/** For a command that opens something of this machine by itself. @throws SERVER_CANNOT with a server */
export function refuseAtServer({ server }: Context, what: string): void {
  if (server !== undefined) throw new BursarError('SERVER_CANNOT', { what });
}

/**
 * With a server the batches of this machine are others: no command may read or change them by mistake. @throws SERVER_CANNOT at
 * each use
 */
export function closedHere(open: CommandOpeners): CommandOpeners {
  const refuse = (what: string) => async () => {
    throw new BursarError('SERVER_CANNOT', { what });
  };
  return {
    ...open,
    store: refuse('the store'),
    blobs: refuse('the files'),
    engine: refuse('the connection to Temporal'),
    namespace: refuse('the connection to Temporal'),
    service: refuse('the key of the service'),
    probe: refuse('the key of the service'),
    stack: refuse('the local stack'),
    temporalAlone: refuse('the local stack'),
    httpApi: refuse('the HTTP API'),
  };
}
