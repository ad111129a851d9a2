import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A wire to a server of this machine. `cut` ends the connections that are open now; later ones are let through. */
export async function startCuttable(targetPort: number, port: number) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): number => {
    const count = open.size;
    for (const socket of open) socket.destroy();
    return count;
  };
  return {
    cut,
    async stop(): Promise<void> {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
