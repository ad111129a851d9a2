import { get, type IncomingMessage } from 'node:http';
import { onCleanup } from './start.ts';

export type Message = Readonly<{ id: string; event: string; data: string }>;

export type Watcher = Readonly<{
  /** Resolves with the first `count` messages. */
  messages(count: number): Promise<Message[]>;
  /** Resolves when `isWanted` accepts the received text. */
  text(isWanted: (text: string) => boolean): Promise<void>;
  ended: Promise<void>;
  close(): void;
}>;

/** Opens a stream of server-sent events. Resolves when the stream is open. */
export async function watch(url: string, headers: Record<string, string> = {}): Promise<Watcher> {
  const response = await open(url, headers);
  const { promise: ended, resolve: end } = deferred();
  const checks = new Set<() => void>();
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (const check of checks) check();
  });
  response.on('error', () => {});
  response.on('close', end);
  onCleanup(async () => void response.destroy());

  const until = async (isWanted: (text: string) => boolean): Promise<void> => {
    const { promise, resolve } = deferred();
    const check = (): void => {
      if (isWanted(text)) resolve();
    };
    checks.add(check);
    check();
    await promise;
    checks.delete(check);
  };

  await until((begun) => begun.startsWith(': watching\n\n'));
  return {
    ended,
    text: until,
    close: () => void response.destroy(),
    async messages(count) {
      await until((so) => messagesIn(so).length >= count);
      return messagesIn(text).slice(0, count);
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => void (resolve = done));
  return { promise, resolve };
}

const open = (url: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`The sandbox answered ${response.statusCode}.`));
    });
    request.on('error', reject);
  });

const messagesIn = (text: string): Message[] =>
  [...text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm)].map(
    ([, id = '', event = '', data = '']) => ({ id, event, data }),
  );
