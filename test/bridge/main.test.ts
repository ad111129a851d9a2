import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { BridgeHealth } from '../../src/bridge/health.ts';
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts';
import { startChild, type TestChild } from './support/child.ts';

const MAIN = new URL('../../src/bridge/main.ts', import.meta.url);
/** An address without a server. */
const NO_TEMPORAL = '127.0.0.1:1';

// A process starts slowly on a busy machine.
jest.setTimeout(600_000);

let folder: string;
let children: TestChild[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-bridge-main-'));
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  rmSync(folder, { recursive: true });
});

function start(listen = '127.0.0.1:0'): TestChild {
  const child = startChild(MAIN, {
    cwd: folder,
    env: { TEMPORAL_ADDRESS: NO_TEMPORAL, BURSAR_BRIDGE_LISTEN: listen, HOME: folder },
  });
  children.push(child);
  return child;
}

async function startReady() {
  const child = start();
  const url = await child.line('bridge listening on ');
  const token = readFileSync(join(folder, '.bursar/bridge-token'), 'utf8').trim();
  return {
    ...child,
    token,
    send: async (body: string): Promise<number> =>
      (await fetch(`${url}/hooks/${token}`, { method: 'POST', body })).status,
    health: async (): Promise<BridgeHealth> =>
      (await fetch(`${url}/health`)).json() as Promise<BridgeHealth>,
  };
}

it('takes webhooks while Temporal is down, and keeps them when it is killed', async () => {
  const first = await startReady();
  expect(await first.send('{"id":"canary-body"}')).toBe(200);
  await first.end('SIGKILL');

  const second = await startReady();
  expect(second.token).toBe(first.token);
  expect(await second.health()).toMatchObject({ status: 'ok', spoolWaiting: 1 });
  expect(await second.send('{"id":"another"}')).toBe(200);
  expect(await second.health()).toMatchObject({ spoolWaiting: 2 });
  for (const { output } of [first, second]) {
    expect(output()).not.toContain(first.token);
    expect(output()).not.toContain('canary');
  }
});

it('shows its health and its metrics at the admin port, and no token and no webhook there', async () => {
  const child = startChild(MAIN, {
    cwd: folder,
    env: {
      TEMPORAL_ADDRESS: NO_TEMPORAL,
      BURSAR_BRIDGE_LISTEN: '127.0.0.1:0',
      BURSAR_ADMIN_PORT: '0',
      HOME: folder,
    },
  });
  children.push(child);
  const url = await child.line('bridge listening on ');
  const admin = await child.line('admin port of the bridge on ');
  const token = readFileSync(join(folder, '.bursar/bridge-token'), 'utf8').trim();
  await fetch(`${url}/hooks/${token}`, { method: 'POST', body: '{"id":"canary-body"}' });

  const answers = await Promise.all(
    ['livez', 'readyz', 'metrics'].map(async (path) => {
      const answer = await fetch(`${admin}/${path}`);
      return { status: answer.status, text: await answer.text() };
    }),
  );
  // Without Temporal it takes webhooks all the same.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [live, ready, metrics] = answers.map(({ text }) => text);
  expect(live).toContain('"program":"bridge"');
  expect(ready).toContain('The check \\"temporal\\"');
  expect(metrics).toContain('bursar_spool_webhooks{program="bridge"} 1');
  const shown = answers.map(({ text }) => text).join() + child.output();
  expect(shown).not.toContain(token);
  expect(shown).not.toContain('canary');
});

it.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 on %s', async (signal) => {
  const bridge = await startReady();
  await bridge.send('{"id":"last"}');
  expect(await bridge.end(signal)).toBe(0);
});

it('takes webhooks while another process writes the store for a long time', async () => {
  const bridge = await startReady();
  const store = await openSqlite(`sqlite:${join(folder, '.bursar/store.db')}`);
  await store.transaction().execute(async (tx) => {
    await tx.deleteFrom('attempt').execute();
    expect(await bridge.send('{"id":"meanwhile"}')).toBe(200);
  });
  await store.destroy();
});

it('ends with PORT_TAKEN when its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const bridge = start(address);
  await expect(bridge.line('bridge listening on ')).rejects.toThrow(`PORT_TAKEN: ${address}`);
  expect(bridge.process.exitCode).toBe(2);
  other.close();
});

it('does not start with a token file that others can read', async () => {
  mkdirSync(join(folder, '.bursar'));
  writeFileSync(join(folder, '.bursar/bridge-token'), 'a'.repeat(43), { mode: 0o644 });
  const bridge = start();
  await expect(bridge.line('bridge listening on ')).rejects.toThrow('BRIDGE_TOKEN_FILE_OPEN');
  expect(bridge.process.exitCode).toBe(2);
});
