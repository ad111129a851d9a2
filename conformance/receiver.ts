import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import type { Receiver } from './given.ts';

const LOOK_MS = 50;

type Box = { readonly statuses: number[]; readonly bodies: string[] };

/** Starts a receiver on this computer; `publicUrl` is how the service reaches it, when not at 127.0.0.1. */
export async function startReceiver({
  port,
  publicUrl,
}: Readonly<{ port: number; publicUrl: string | null }>): Promise<Receiver & { close(): void }> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const box = boxes.get(request.url?.split('/').at(-1) ?? '');
      box?.bodies.push(body);
      response.statusCode = box === undefined ? 404 : (box.statuses.shift() ?? 200);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : port;
  const base = (publicUrl ?? `http://127.0.0.1:${ownPort}`).replace(/\/+$/, '');
  return {
    expect(statuses = []) {
      const id = randomUUID();
      const box: Box = { statuses: [...statuses], bodies: [] };
      boxes.set(id, box);
      return {
        url: `${base}/${id}`,
        bodies: () => box.bodies,
        async until(enough, patienceMs) {
          for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs; ) {
            if (enough(box.bodies)) return true;
            await pause(LOOK_MS);
          }
          return enough(box.bodies);
        },
      };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
