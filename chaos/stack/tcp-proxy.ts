import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Random } from '../../sim/random.ts';

/** What the network between two programs does wrong, as TCP sees it. */
export const NETWORK_FAULTS = [
  /** New connections are refused, and those that exist are reset. */
  'refuse',
  /** Half of what is sent arrives, and the connection is reset. */
  'cut-request',
  /** All that is sent arrives; the answer does not, and the connection is reset. */
  'cut-answer',
  /** The same for what has the word "commit" in it. */
  'cut-commit',
  /** Half of the answer arrives, and the connection ends in order. */
  'half-answer',
  /** Nothing is ever answered, and the connection stays. */
  'silence',
  /** Answers are seconds late. */
  'slow',
] as const;

export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** Those of any network. */
export const COMMON_FAULTS = NETWORK_FAULTS.filter((kind) => kind !== 'cut-commit');

const SLOW_MS = 1_500;

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

type Options = Readonly<{
  /** Ports on this machine to which everything is passed on. */
  targetPorts: readonly number[];
  random: Random;
  /** The share of what passes that a fault meets while it lasts. */
  share: number;
}>;

const COMMIT = Buffer.from('commit');

/** Passes connections on, in turn to each target, and spoils some of them while it was told to. Listens on this machine only. */
export async function startTcpProxy({ targetPorts, random, share }: Options) {
  let fault: NetworkFault | undefined;
  let fired = 0;
  let connections = 0;
  const sockets = new Set<Socket>();

  const isMet = (...kinds: readonly NetworkFault[]): boolean => {
    if (fault === undefined || !kinds.includes(fault)) return false;
    if (fault !== 'refuse' && !random.happens(share)) return false;
    fired += 1;
    return true;
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(sockets, client);
    if (isMet('refuse')) return void client.resetAndDestroy();
    const port = targetPorts[(connections += 1) % targetPorts.length] ?? 0;
    const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    keep(sockets, target);
    const reset = (): void => {
      client.resetAndDestroy();
      target.resetAndDestroy();
    };
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
    client.on('error', reset);
    target.on('error', reset);
    client.on('end', () => target.end());
    target.on('end', () => client.end());
    let isCommitting = false;
    client.on('data', (bytes: Buffer) => {
      isCommitting ||= fault === 'cut-commit' && bytes.includes(COMMIT) && isMet('cut-commit');
      if (!isMet('cut-request')) return pass(client, target, bytes);
      target.write(bytes.subarray(0, bytes.length / 2), reset);
    });
    target.on('data', (bytes: Buffer) => {
      if (isCommitting) return reset();
      if (!isMet('cut-answer', 'half-answer', 'silence', 'slow'))
        return pass(target, client, bytes);
      if (fault === 'cut-answer') return reset();
      if (fault === 'half-answer') return void client.end(bytes.subarray(0, bytes.length / 2));
      if (fault === 'silence') return void target.pause();
      target.pause();
      setTimeout(() => {
        pass(target, client, bytes);
        target.resume();
      }, SLOW_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    port: address.port,
    /** Begins a fault, or ends it; connections that stay silent are reset then. */
    play(next: NetworkFault | undefined): void {
      if (next === 'refuse' || fault === 'silence')
        for (const socket of sockets) socket.resetAndDestroy();
      fault = next;
    },
    /** How often a fault met somebody. */
    fired: () => fired,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

/** Reads no faster than the other side takes it. */
function pass(from: Socket, to: Socket, bytes: Buffer): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
