import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onCleanup } from './start.ts';

export type Received = Readonly<{ path: string; headers: IncomingHttpHeaders; body: string }>;

export type Answering = (response: ServerResponse, received: Received) => void;

export const answerStatus =
  (status: number): Answering =>
  (response) =>
    void response.writeHead(status).end();

export type Receiver = Readonly<{
  url: string;
  received: readonly Received[];
  /** Resolves when this many webhooks have come in total. */
  count(wanted: number): Promise<void>;
  answer(answering: Answering): void;
}>;

/** An address for webhooks on this computer. By default it answers 200. */
export async function startReceiver(): Promise<Receiver> {
  let answering = answerStatus(200);
  const received: Received[] = [];
  const waiting = new Set<{ wanted: number; resolve: () => void }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const event = { path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(event);
      answering(response, event);
      for (const each of waiting) if (received.length >= each.wanted) each.resolve();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer: (next) => void (answering = next),
    count: (wanted) =>
      received.length >= wanted
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.add({ wanted, resolve })),
  };
}
