import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { insertChunks, openTestStore, type TestStore } from './support/bridge-fakes.ts';
import { startChild, type TestChild } from './support/child.ts';
import type { Point } from './support/crashing-bridge.ts';

const BRIDGE = new URL('./support/crashing-bridge.ts', import.meta.url);
const TOKEN = 'crash-token-0123456789-0123456789-0123456789';
const WEBHOOK = '{"data":{"id":"mass-7"}}';
const SIGNAL = 'batch/payroll/p0 7';

// A process starts slowly on a busy machine.
jest.setTimeout(600_000);

let store: TestStore;
let children: TestChild[];

beforeEach(async () => {
  store = await openTestStore();
  await insertChunks(store.db, [{ batchId: 'payroll', chunk: 7, massPayoutId: 'mass-7' }]);
  children = [];
});

afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  await store.close();
});

async function startBridge(point: Point): Promise<TestChild & { send(): Promise<number> }> {
  const child = startChild(BRIDGE, { args: [store.url, TOKEN, point] });
  children.push(child);
  const port = await child.line('listening ');
  return {
    ...child,
    async send() {
      const url = `http://127.0.0.1:${port}/hooks/${TOKEN}`;
      return (await fetch(url, { method: 'POST', body: WEBHOOK })).status;
    },
  };
}

const states = async (): Promise<string[]> =>
  (await store.db.selectFrom('spool').select('state').orderBy('seq').execute()).map(
    ({ state }) => state,
  );

describe('a bridge that is killed', () => {
  it('after it read a body, before that is in the spool, has sent no response: the sender tries again', async () => {
    const first = await startBridge('bodyRead');
    const answer = first.send();
    const refused = expect(answer).rejects.toThrow();
    await first.line('held');
    await first.end('SIGKILL');
    await refused;
    expect(await states()).toEqual([]);

    const second = await startBridge('none');
    expect(await second.send()).toBe(200);
    expect(await second.line('signal ')).toBe(SIGNAL);
  });

  it('after it spooled a webhook, before its response, forwards it, and takes it a second time', async () => {
    const first = await startBridge('spooled');
    const refused = expect(first.send()).rejects.toThrow();
    await first.line('held');
    await first.end('SIGKILL');
    await refused;
    expect(await states()).toEqual(['WAITING']);

    const second = await startBridge('none');
    expect(await second.line('signal ')).toBe(SIGNAL);
    await second.line('settled FORWARDED');
    expect(await second.send()).toBe(200);
    expect(await states()).toHaveLength(2);
  });

  it('after its response, before the signal, forwards the webhook at its next start', async () => {
    const first = await startBridge('acked');
    expect(await first.send()).toBe(200);
    await first.line('held');
    await first.end('SIGKILL');
    expect(first.output()).not.toContain('signal');
    expect(await states()).toEqual(['WAITING']);

    const second = await startBridge('none');
    expect(await second.line('signal ')).toBe(SIGNAL);
    await second.line('settled FORWARDED');
    expect(await states()).toEqual(['FORWARDED']);
  });

  it('after the signal, before the acknowledgement, signals again', async () => {
    const first = await startBridge('signalled');
    expect(await first.send()).toBe(200);
    expect(await first.line('signal ')).toBe(SIGNAL);
    await first.line('held');
    await first.end('SIGKILL');
    expect(await states()).toEqual(['WAITING']);

    const second = await startBridge('none');
    expect(await second.line('signal ')).toBe(SIGNAL);
    await second.line('settled FORWARDED');
    expect(await states()).toEqual(['FORWARDED']);
  });
});
