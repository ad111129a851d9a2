import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** A port that something wants to listen on; 0 means any. */
export type WantedPort = Readonly<{ name: string; host: string; port: number }>;

/**
 * Any port is one of these. From 32,768 on Linux gives ports to outgoing connections, and such a connection could take the port of a
 * program that restarts.
 */
const ANY_FIRST = 22_000;
const ANY_LAST = 32_767;
const TRIES_MAX = 100;

/** `fixed`: the wanted port or PORT_TAKEN. `free`: the wanted port where it is free, else another. */
export type PortMode = 'fixed' | 'free';

/** Finds a port for each wanted one, all different. Another program can still take one before it is used. */
export async function choosePorts(
  wanted: readonly WantedPort[],
  mode: PortMode,
): Promise<readonly number[]> {
  const held: Server[] = [];
  try {
    for (const one of wanted) held.push(await hold(one, mode));
    return held.map(portOf);
  } finally {
    await Promise.all(held.map(release));
  }
}

async function hold(wanted: WantedPort, mode: PortMode): Promise<Server> {
  if (wanted.port === 0) return holdAny(wanted);
  try {
    return await listen(wanted);
  } catch (cause) {
    if (!isTaken(cause)) throw cause;
    if (mode === 'free') return holdAny(wanted);
    const address = `${wanted.host}:${wanted.port}`;
    throw new BursarError('PORT_TAKEN', { name: wanted.name, address }, { cause });
  }
}

async function holdAny(wanted: WantedPort): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await listen({ ...wanted, port: randomInt(ANY_FIRST, ANY_LAST + 1) });
    } catch (cause) {
      if (!isTaken(cause) || tries === TRIES_MAX) throw cause;
    }
  }
}

const isTaken = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';

async function listen({ host, port }: WantedPort): Promise<Server> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
