import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lockFolder } from '../../src/local-stack/lock.ts';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { openStore } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeStack } from './support/fake-stack.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { csv, address, GOOD, withFiles } from './support/files.ts';
import { playEnd, playPlan, playSettle } from './support/play.ts';

const DEATH = new BursarError('PROCESS_DIED', {
  name: 'worker',
  code: 'exit code 1',
  log: 'w.log',
});

function world(more: Partial<WorldOptions> = {}) {
  const stack = fakeStack();
  const controller = new AbortController();
  const open = { stack: stack.start, ...more.open };
  const cwd = more.cwd ?? temporaryFolder();
  const made = fakeWorld({ interrupted: controller.signal, ...more, cwd, open });
  return { ...made, stack, interrupt: () => controller.abort() };
}

describe('bursar up', () => {
  it('prints its addresses and the command for other terminals, and stops everything at Ctrl-C', async () => {
    const { run, stack, interrupt } = world();
    setImmediate(interrupt);
    const { code, out, err } = await run('up');
    expect(code).toBe(0);
    expect(out).toContain('http://127.0.0.1:8233');
    expect(out).toContain('eval "$(bursar env)"');
    expect(err).toContain('temporal ready');
    expect(stack.stopped()).toBe(1);
    expect(stack.asked).toMatchObject([{ ports: 'fixed' }]);
    expect(stack.asked[0]).not.toHaveProperty('sandbox');
  });

  it('encrypts only on demand', async () => {
    const { run, stack, interrupt } = world();
    setImmediate(interrupt);
    await run('up');
    await run('up', '--encrypt');
    expect(stack.asked.map(({ encrypt }) => encrypt)).toEqual([undefined, true]);
  });

  it('prints the address of the bridge when it differs from the settings', async () => {
    const { json, interrupt } = world();
    setImmediate(interrupt);
    const { value } = await json('up', '--free-ports');
    expect(value['env']).toMatchObject({ BURSAR_BRIDGE_LISTEN: '127.0.0.1:4711' });
  });

  it('prints one object with -o json', async () => {
    const { json, interrupt } = world();
    setImmediate(interrupt);
    expect((await json('up')).value).toEqual({
      schema: 'bursar.stack/v1',
      addresses: {
        temporal: '127.0.0.1:7233',
        ui: 'http://127.0.0.1:8233',
        bridge: 'http://127.0.0.1:8787',
        sandbox: 'http://127.0.0.1:8788',
      },
      env: {
        TEMPORAL_ADDRESS: '127.0.0.1:7233',
        BURSAR_API_BASE_URL: 'http://127.0.0.1:8788',
        BURSAR_API_KEY: 'local',
      },
    });
  });

  it('ends with 6 when a process dies, and stops the others', async () => {
    const { run, stack } = world();
    setImmediate(() => stack.die(DEATH));
    const { code, err } = await run('up');
    expect([code, stack.stopped()]).toEqual([6, 1]);
    expect(err).toContain('The worker process ended (exit code 1).');
  });

  it('needs the settings of a real service with --no-sandbox', async () => {
    const { json, stack } = world();
    const { code, value } = await json('up', '--no-sandbox');
    expect([code, value['code']]).toEqual([2, 'SETTING_MISSING']);
    expect(stack.asked).toEqual([]);
  });

  it('starts without a sandbox when they are there', async () => {
    const env = {
      BURSAR_API_BASE_URL: 'https://service.test',
      BURSAR_API_KEY: 'key',
      BURSAR_API_SECRET: 'secret',
    };
    const { run, stack, interrupt } = world({ env });
    setImmediate(interrupt);
    const { code, out } = await run('up', '--no-sandbox', '--free-ports');
    expect(code).toBe(0);
    expect(out).toMatch(
      /service +https:\/\/service\.test, from the settings; no sandbox is started/,
    );
    expect(stack.asked).toMatchObject([{ sandbox: false, ports: 'free' }]);
  });
});

describe('npm run temporal', () => {
  it('starts Temporal alone, until Ctrl-C', async () => {
    let stops = 0;
    const child = {
      name: 'temporal',
      log: 't.log',
      pid: 1,
      ended: new Promise<string>(() => undefined),
      async stop() {
        stops += 1;
      },
    };
    const { run, interrupt } = world({ open: { temporalAlone: async () => child } });
    setImmediate(interrupt);
    expect((await run('run-temporal')).code).toBe(0);
    expect(stops).toBe(1);
  });

  it('ends with 6 when Temporal ends by itself', async () => {
    const child = {
      name: 'temporal',
      log: 't.log',
      pid: 1,
      ended: Promise.resolve('exit code 1'),
      stop: async () => undefined,
    };
    const { run } = world({ open: { temporalAlone: async () => child } });
    const { code, err } = await run('run-temporal');
    expect([code, err]).toEqual([6, expect.stringContaining('t.log')]);
  });
});

describe('bursar demo', () => {
  const EXAMPLES = {
    'a.csv': GOOD,
    'b.csv': csv(`${address(9)},5,USDT_TRC20`),
    'bad/c.csv': 'never read',
  };

  /** A demo whose worker pays the first file and fails the second. */
  function demoWorld(more: Partial<WorldOptions> = {}) {
    const cwd = withFiles(temporaryFolder(), EXAMPLES);
    const made: ReturnType<typeof world> = world({
      cwd,
      onPause: () => play(made, join(cwd, '.bursar/demo')),
      ...more,
    });
    return { ...made, folder: join(cwd, '.bursar/demo') };
  }

  async function play({ engine, world: { cwd } }: FakeWorld, folder: string): Promise<void> {
    const input = engine.started.at(-1);
    if (input === undefined) return;
    const store = await openStore(`sqlite:${join(folder, '.bursar/store.db')}`);
    await playPlan(store, input, join(cwd, input.file.name));
    const outcome = input.file.name === 'a.csv' ? 'PAID' : 'FAILED';
    await playSettle(store, input.batchId, { outcome });
    await playEnd(store, input.batchId, { state: outcome === 'PAID' ? 'COMPLETED' : 'FAILED' });
    await store.close();
  }

  it('pays every example file and ends with the worst of their exit codes', async () => {
    const { json, stack, folder, engine } = demoWorld();
    const { code, value } = await json('demo');
    expect(code).toBe(11);
    expect(value).toMatchObject({
      schema: 'bursar.demo/v1',
      ui: 'http://127.0.0.1:8233',
      batches: [{ state: 'COMPLETED' }, { state: 'FAILED' }],
    });
    expect(engine.started.map(({ file }) => file.name)).toEqual(['a.csv', 'b.csv']);
    expect(stack.asked).toMatchObject([{ cwd: folder, ports: 'free', sandbox: true }]);
    expect(stack.stopped()).toBe(1);
  });

  it('prints the addresses of the pages', async () => {
    const { run } = demoWorld();
    const { out } = await run('demo');
    expect(out).toMatch(/report +\.bursar\/demo\/runs\/a-[0-9a-f]{8}\/summary\.html/);
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:8233\/namespaces\/default\/workflows\/batch%2Fa-/);
    expect(out).toMatch(/bursar rows b-[0-9a-f]{8} --outcome FAILED/);
  });

  it('never uses the settings of the person, but those of its pace', async () => {
    const env = {
      BURSAR_API_BASE_URL: 'https://real.test',
      BURSAR_STORE_URL: 'sqlite:/real/store.db',
      BURSAR_API_SECRET: 'real',
      BURSAR_SANDBOX_STEP_MS: '7',
      PATH: '/bin',
    };
    const { run, stack, folder } = demoWorld({ env });
    await run('demo');
    const [asked] = stack.asked;
    expect(asked?.env).toEqual({
      BURSAR_SANDBOX_STEP_MS: '7',
      BURSAR_POLL_MIN_MS: '1000',
      BURSAR_BATCH_CHUNK_ROWS: '20',
      PATH: '/bin',
    });
    expect(asked?.settings.store.url).toBe(`sqlite:${folder}/.bursar/store.db`);
  });

  it('starts afresh each time', async () => {
    const { run, folder, engine } = demoWorld();
    await run('demo');
    withFiles(folder, { leftover: '' });
    engine.executions.clear();
    expect((await run('demo')).code).toBe(11);
    expect(existsSync(join(folder, 'leftover'))).toBe(false);
    expect(engine.started).toHaveLength(4);
  });

  it('does not wipe the folder of another demo that runs', async () => {
    const { run, folder, stack } = demoWorld();
    await mkdir(join(folder, '.bursar'), { recursive: true });
    const lock = lockFolder(join(folder, '.bursar'));
    const { code, err } = await run('demo');
    lock.release();
    expect([code, err]).toEqual([2, expect.stringContaining('STACK_RUNNING')]);
    expect(existsSync(join(folder, '.bursar/stack.lock'))).toBe(true);
    expect(stack.asked).toEqual([]);
  });

  it('stays up with --keep until Ctrl-C', async () => {
    const made: ReturnType<typeof demoWorld> = demoWorld();
    const running = made.run('demo', '--keep');
    const waiting = setInterval(() => {
      if (made.terminal.said().includes('stays up until Ctrl-C')) made.interrupt();
    }, 5);
    const { code } = await running;
    clearInterval(waiting);
    expect([code, made.stack.stopped()]).toEqual([11, 1]);
  });

  it('ends with 6 when a process dies on the way', async () => {
    const made: ReturnType<typeof demoWorld> = demoWorld({ onPause: () => made.stack.die(DEATH) });
    expect((await made.run('demo')).code).toBe(6);
    expect(made.stack.stopped()).toBe(1);
  });

  it('ends with 130 at Ctrl-C and stops everything', async () => {
    const controller = new AbortController();
    const made = demoWorld({ interrupted: controller.signal, onPause: () => controller.abort() });
    expect((await made.run('demo')).code).toBe(130);
    expect(made.stack.stopped()).toBe(1);
  });
});
