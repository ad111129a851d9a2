import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** A port that something wants to listen on; 0 means any. */
export type WantedPort = Readonly<{ name: string; host: string; port: number }>;

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
  try {
    return await listen(wanted);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    if (mode === 'free') return listen({ ...wanted, port: 0 });
    const address = `${wanted.host}:${wanted.port}`;
    throw new BursarError('PORT_TAKEN', { name: wanted.name, address }, { cause });
  }
}

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
