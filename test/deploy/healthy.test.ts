import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local-stack/support/folders.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A program that answers its admin port with these statuses. */
async function programWith(statuses: Readonly<Record<string, number>>): Promise<number> {
  const server = createServer(({ url = '' }, answer) =>
    answer.writeHead(statuses[url] ?? 404).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => void server.close();
  return (server.address() as AddressInfo).port;
}

async function exitCode(port: number, ...args: readonly string[]): Promise<unknown> {
  const healthy = join(REPOSITORY, 'deploy/healthy.mjs');
  const env = { ...process.env, BURSAR_ADMIN_PORT: String(port) };
  const [code] = await once(spawn(process.execPath, [healthy, ...args], { env }), 'exit');
  return code;
}

describe('the health check of a container', () => {
  it('reads /livez of the program in it', async () => {
    expect(await exitCode(await programWith({ '/livez': 200, '/readyz': 503 }))).toBe(0);
  });

  it('fails when only a restart helps', async () => {
    expect(await exitCode(await programWith({ '/livez': 503 }))).toBe(1);
  });

  it('reads /readyz where other containers wait for it', async () => {
    expect(await exitCode(await programWith({ '/livez': 200, '/readyz': 503 }), '/readyz')).toBe(1);
  });

  it('reads another address of a program without an admin port', async () => {
    const port = await programWith({ '/sandbox/health': 200 });
    expect(await exitCode(0, `http://127.0.0.1:${port}/sandbox/health`)).toBe(0);
  });

  it('fails when the program does not answer', async () => {
    const port = await programWith({});
    close?.();
    expect(await exitCode(port)).toBe(1);
  });
});
