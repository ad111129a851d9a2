import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type AdminServerDeps,
  createAdminServer,
  LOOP_DELAY_MS_MAX,
} from '../../src/monitoring/admin-server.ts';
import { BEAT_MS, createLoopWatch, WINDOW_MS } from '../../src/monitoring/loop-watch.ts';

const WORKING: AdminServerDeps = {
  program: 'worker',
  standstill: () => null,
  readiness: async () => ({ status: 'ready', checks: { store: 'ok' } }),
  loopDelayMs: () => 3,
  metrics: async () => ({ contentType: 'text/plain; version=0.0.4', text: 'bursar_x 1\n' }),
};

const open: ReturnType<typeof createAdminServer>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function get(path: string, deps: Partial<AdminServerDeps> = {}) {
  const server = createAdminServer({ ...WORKING, ...deps });
  open.push(server);
  const { statusCode, body, headers } = await server.inject({ method: 'GET', url: path });
  return { status: statusCode, body, type: headers['content-type'] };
}

describe('the admin port', () => {
  it('answers that the program lives, with the delay of its event loop', async () => {
    const { status, body } = await get('/livez');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ status: 'live', program: 'worker', loopDelayMs: 3 });
  });

  it('answers 503 when only a restart helps', async () => {
    const failure = { what: 'It stands.', why: 'A poller failed.', fix: 'Restart it.' };
    const { status, body } = await get('/livez', { standstill: () => failure });
    expect(status).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ status: 'stuck', failure });
  });

  it('answers 503 when the event loop stood still for too long', async () => {
    const { status, body } = await get('/livez', { loopDelayMs: () => LOOP_DELAY_MS_MAX + 1 });
    expect(status).toBe(503);
    expect(body).toContain('did nothing for 10001 ms');
  });

  it('answers 503 with the failed check when the program is not ready', async () => {
    const checks = { store: { what: 'a', why: 'b', fix: 'c' } };
    const readiness = async () => ({ status: 'not ready', checks }) as const;
    const { status, body } = await get('/readyz', { readiness });
    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({ status: 'not ready', checks });
    expect((await get('/readyz')).status).toBe(200);
  });

  it('serves the metrics under the type that Prometheus expects', async () => {
    expect(await get('/metrics')).toEqual({
      status: 200,
      body: 'bursar_x 1\n',
      type: 'text/plain; version=0.0.4',
    });
  });

  it('has nothing else, and no text of an error', async () => {
    expect(await get('/other')).toMatchObject({ status: 404, body: '' });
    const metrics = () => Promise.reject(new Error('canary'));
    expect(await get('/metrics', { metrics })).toMatchObject({ status: 500, body: '' });
  });
});

describe('the longest delay of the event loop', () => {
  function watchAt() {
    let nowMs = 0;
    const watch = createLoopWatch(() => nowMs);
    const beatAfter = (ms: number): void => {
      nowMs += ms;
      watch.beat();
    };
    const wait = (ms: number): void => {
      nowMs += ms;
    };
    return { delayMs: watch.delayMs, beatAfter, wait };
  }

  it('is nothing while every beat is in time', () => {
    const { delayMs, beatAfter } = watchAt();
    for (let beat = 0; beat < 10; beat += 1) beatAfter(BEAT_MS);
    expect(delayMs()).toBe(0);
  });

  it('shows before the late beat came', () => {
    const { delayMs, wait } = watchAt();
    wait(BEAT_MS + 12_000);
    expect(delayMs()).toBe(12_000);
  });

  it('is remembered for one window more, and then forgotten', () => {
    const { delayMs, beatAfter } = watchAt();
    beatAfter(BEAT_MS + 700);
    beatAfter(WINDOW_MS - 700);
    const first = delayMs();
    expect(first).toBeGreaterThanOrEqual(700);
    for (let ms = 0; ms < 2 * WINDOW_MS; ms += BEAT_MS) beatAfter(BEAT_MS);
    expect(delayMs()).toBe(0);
  });
});
