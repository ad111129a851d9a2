import { once } from 'node:events';
import { connect } from 'node:net';

export type RawConnection = Readonly<{
  /** Sends a whole request, and waits for its whole answer. Throws unless the status is 200. */
  ask(request: Buffer): Promise<void>;
  close(): void;
}>;

/** One HTTP connection that does less than any client library, so that a sender is quicker than any server. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let missingBytes = 0;
  let settle: (error?: Error) => void = () => undefined;
  socket.on('data', (bytes: Buffer) => {
    try {
      if (missingBytes === 0) missingBytes = answerBytes(bytes);
      missingBytes -= bytes.length;
      if (missingBytes === 0) settle();
    } catch (error) {
      settle(error as Error);
    }
  });
  socket.on('close', () => settle(new Error('the server closed the connection')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** How long an answer is, by its first bytes; a server of ours sends its head at once. */
function answerBytes(bytes: Buffer): number {
  const head = bytes.toString('latin1');
  const headBytes = head.indexOf('\r\n\r\n') + '\r\n\r\n'.length;
  const [, bodyBytes] = /\r\ncontent-length: (\d+)\r\n/i.exec(head) ?? [];
  if (!head.startsWith('HTTP/1.1 200 ') || bodyBytes === undefined) {
    throw new Error(`the answer is not one of 200: ${head}`);
  }
  return headBytes + Number(bodyBytes);
}
