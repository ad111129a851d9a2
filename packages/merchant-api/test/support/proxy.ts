import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An HTTP proxy for tunnels. `heads` are the heads of the `CONNECT` requests so far. */
export type Proxy = Readonly<{
  url: string;
  heads: readonly string[];
  /** Bytes that came through tunnels from the client. */
  sentBytes(): number;
  close(): Promise<void>;
}>;

/** The tunnel that a `CONNECT` gets: open, answered with a status, cut, or never answered. */
export type Tunnel = 'open' | 'reset' | 'silent' | 403 | 407 | 502;

export async function startProxy(tunnel: Tunnel): Promise<Proxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let sentBytes = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    client.once('data', (bytes: Buffer) => {
      const head = bytes.toString('latin1');
      heads.push(head);
      if (tunnel === 'silent') return;
      if (tunnel === 'reset') return void client.destroy();
      if (tunnel !== 'open')
        return void client.end(`HTTP/1.1 ${tunnel} No\r\nContent-Length: 0\r\n\r\n`);
      const port = /^CONNECT [^ ]*:(\d+) /.exec(head)?.[1];
      const service = connect({ host: '127.0.0.1', port: Number(port) });
      keep(service);
      service.on('error', () =>
        client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
      );
      service.on('connect', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.on('data', (sent: Buffer) => (sentBytes += sent.length));
        client.pipe(service).pipe(client);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    sentBytes: () => sentBytes,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
