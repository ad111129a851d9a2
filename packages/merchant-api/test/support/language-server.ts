import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const TSC = resolve(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

/** A place in a text, both counted from 0. */
export type Position = Readonly<{ line: number; character: number }>;

type Message = Readonly<{ id?: number; method?: string; result?: unknown }>;
type Hover = Readonly<{ contents: Readonly<{ value: string }> }> | null;

/**
 * Opens a text as the content of a file in TypeScript's language server, and returns the comment
 * that a hover shows at each position. It is empty where the hover shows none.
 */
export async function hoverComments(
  file: string,
  text: string,
  positions: readonly Position[],
): Promise<string[]> {
  const server = startServer(dirname(file));
  try {
    const uri = pathToFileURL(file).href;
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(dirname(file)).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    });
    server.notify('initialized', {});
    server.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text },
    });
    const comments: string[] = [];
    for (const position of positions) {
      const params = { textDocument: { uri }, position };
      comments.push(commentIn((await server.request('textDocument/hover', params)) as Hover));
    }
    return comments;
  } finally {
    server.stop();
  }
}

/** A hover is a block of code with the type, and then the comment. */
function commentIn(hover: Hover): string {
  if (hover === null) throw new Error('there is nothing to hover over');
  return hover.contents.value.replace(/^```.*?^```/ms, '').trim();
}

/** Speaks JSON-RPC with `tsc --lsp` over its standard input and output. */
function startServer(cwd: string) {
  const child = spawn(process.execPath, [TSC, '--lsp', '--stdio'], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let received = Buffer.alloc(0);
  let lastId = 0;

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const take = ({ id, method, result }: Message): void => {
    if (id === undefined) return;
    // The server's own requests, such as one to watch files, need an answer and nothing else.
    if (method !== undefined) send({ id, result: null });
    else waiting.get(id)?.(result);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const [head, length] =
        /^Content-Length: (\d+)\r\n\r\n/.exec(received.toString('latin1')) ?? [];
      const end = (head?.length ?? 0) + Number(length);
      if (head === undefined || received.length < end) return;
      take(JSON.parse(received.subarray(head.length, end).toString('utf8')) as Message);
      received = received.subarray(end);
    }
  });

  return {
    request: (method: string, params: object): Promise<unknown> =>
      new Promise((resolveResult) => {
        lastId += 1;
        waiting.set(lastId, resolveResult);
        send({ id: lastId, method, params });
      }),
    notify: (method: string, params: object): void => send({ method, params }),
    stop: (): void => void child.kill(),
  };
}
