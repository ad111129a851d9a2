import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { ListenAddress } from './config.ts';
import { BursarError } from './domain/errors/bursar-error.ts';
import { PRIVATE_UMASK } from './domain/files/private-modes.ts';

/** Usage or configuration is wrong, as everywhere in Bursar. */
const EXIT_CONFIGURATION = 2;

/** What of a server of Fastify is needed to start it. */
type Startable = Readonly<{
  listen(place: ListenAddress): Promise<unknown>;
  server: Server;
}>;

/** A server, and the setting of its address, as an error has them. */
type ServerName = Readonly<{ name: string; setting: string }>;

/** Starts a server and returns its address. Throws PORT_TAKEN. */
export async function listenOn(
  server: Startable,
  { host, port }: ListenAddress,
  { name, setting }: ServerName,
): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new BursarError('PORT_TAKEN', { name, setting, address: `${host}:${port}` }, { cause });
  }
  return urlOf(server.server.address() as AddressInfo);
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/** Runs a program. An error in its settings is printed, and ends it with 2. */
export async function runProgram(main: () => Promise<void>): Promise<void> {
  process.umask(PRIVATE_UMASK);
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BursarError)) throw error;
    const { code, what, why, fix } = error.note;
    process.stderr.write(`${code}: ${what}\n${why}\n${fix}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}
