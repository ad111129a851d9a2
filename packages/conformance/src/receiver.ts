import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A webhook that the receiver got. */
export type ReceivedWebhook = Readonly<{
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** Milliseconds since 1970. */
  atMs: number;
}>;

/** Returns the status for the n-th webhook, counted from 1, or 'close' for no answer. */
export type WebhookResponder = (n: number) => number | 'close';

/** Receives webhooks. */
export type Receiver = Readonly<{
  /** Returns a new address. Without `answering` it answers each webhook with 200. */
  expect(answering?: WebhookResponder): Inbox;
  /** The common beginning of every address of this receiver. */
  base: string;
}>;

export type Inbox = Readonly<{
  url: string;
  webhooks(): readonly ReceivedWebhook[];
}>;

type Box = Readonly<{ answering: WebhookResponder; webhooks: ReceivedWebhook[] }>;

/**
 * Starts a receiver on this computer. `publicUrl` is its address for the service, by default at
 * 127.0.0.1.
 */
export async function startReceiver({
  port,
  publicUrl,
}: Readonly<{ port: number; publicUrl: string | null }>): Promise<Receiver & { close(): void }> {
  const boxes = new Map<string, Box>();
  const server = createServer((request, response) => {
    const box = boxes.get(request.url?.split('/').at(-1) ?? '');
    // A webhook whose connection breaks in the middle does not count.
    take(request, box).then(
      (status) => answer(response, status),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : port;
  const base = (publicUrl ?? `http://127.0.0.1:${ownPort}`).replace(/\/+$/, '');
  return {
    base,
    expect(answering = () => 200) {
      const id = randomUUID();
      const box: Box = { answering, webhooks: [] };
      boxes.set(id, box);
      return inboxOf(`${base}/${id}`, box);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function take(request: IncomingMessage, box: Box | undefined): Promise<number | 'close'> {
  const atMs = Date.now();
  const body = await text(request);
  if (box === undefined) return 404;
  const { method = '', headers } = request;
  return box.answering(box.webhooks.push({ method, headers, body, atMs }));
}

function answer(response: ServerResponse, status: number | 'close'): void {
  if (status === 'close') return void response.destroy();
  response.statusCode = status;
  response.end();
}

const inboxOf = (url: string, { webhooks }: Box): Inbox => ({ url, webhooks: () => webhooks });
