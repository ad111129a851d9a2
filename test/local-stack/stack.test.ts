import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataFolder } from '../../src/local-stack/data-folder.ts';
import { type Stack, startStack } from '../../src/local-stack/index.ts';
import { loadSettings } from '../../src/config.ts';
import { fixture, keptFolder, REPOSITORY } from './support/folders.ts';
import { eventually, isAlive } from './support/processes.ts';

const PROGRAMS = {
  bridge: fixture('bridge.mjs'),
  'codec-server': fixture('codec-server.mjs'),
  sandbox: fixture('sandbox.mjs'),
  worker: fixture('worker.mjs'),
};
const started: Stack[] = [];
afterAll(async () => {
  for (const stack of started) await stack.stop();
});

async function start(cwd: string, programs = PROGRAMS): Promise<Stack> {
  const stack = await startStack({
    settings: loadSettings({ env: {}, cwd: () => cwd }),
    env: process.env,
    cwd,
    ports: 'free',
    temporalPorts: { grpc: 0, ui: 0 },
    programs,
    say: (line) => said.push(line),
  });
  started.push(stack);
  return stack;
}

const said: string[] = [];

type Note = Readonly<{ pid: number; env: Record<string, string> }>;

/** What a fake program wrote about itself. */
const noteOf = (cwd: string, name: string): Note =>
  JSON.parse(readFileSync(join(cwd, '.bursar', `${name}.json`), 'utf8'));

describe('a stack', () => {
  const cwd = keptFolder();
  let stack: Stack;
  beforeAll(async () => {
    stack = await start(cwd);
  });

  it('runs every process in its order, and prints the address of each', () => {
    const { temporal, ui, bridge, sandbox } = stack.addresses;
    expect(stack.processes.map(({ name }) => name)).toEqual([
      'temporal',
      'bridge',
      'sandbox',
      'worker',
    ]);
    expect(stack.processes.map(({ pid }) => isAlive(pid))).not.toContain(false);
    expect(said).toEqual([
      `temporal ready at ${temporal}, web UI at ${ui}`,
      `bridge ready at ${bridge}`,
      `sandbox ready at ${sandbox}`,
      'worker ready',
    ]);
  });

  it('gives each process its part of the plan', () => {
    const { temporal, bridge, sandbox } = stack.addresses;
    const engine = { TEMPORAL_ADDRESS: temporal, BURSAR_API_BASE_URL: sandbox };
    expect(noteOf(cwd, 'worker').env).toMatchObject(engine);
    expect(noteOf(cwd, 'bridge').env).toMatchObject(engine);
    expect(noteOf(cwd, 'sandbox').env).toMatchObject({
      BURSAR_SANDBOX_WEBHOOK_URL: `${bridge}/hooks/token-4711-0123456789-0123456789-0123`,
    });
    expect(noteOf(cwd, 'worker').env['BURSAR_SANDBOX_KEYS']).toBeUndefined();
  });

  it('keeps closed workflows for 90 days and has the search attributes', async () => {
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    const namespace = 'default';
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 24 * 60 * 60);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    expect(customAttributes).toMatchObject({ BursarBatch: 2, BursarRows: 3, BursarCurrency: 7 });
    await connection.close();
  });

  it('does not share its folder with another stack', async () => {
    await expect(start(cwd)).rejects.toMatchObject({
      code: 'STACK_RUNNING',
      facts: { folder: join(cwd, '.bursar') },
    });
    expect(stack.processes.map(({ pid }) => isAlive(pid))).not.toContain(false);
  });

  it('reports a process that dies, while the others go on', async () => {
    process.kill(noteOf(cwd, 'bridge').pid, 'SIGKILL');
    expect(await stack.died).toMatchObject({
      code: 'PROCESS_DIED',
      facts: { name: 'bridge', code: 'signal SIGKILL', log: join(cwd, '.bursar/logs/bridge.log') },
    });
    expect(isAlive(noteOf(cwd, 'worker').pid)).toBe(true);
  });

  it('ends every process when it is stopped', async () => {
    await stack.stop();
    expect(stack.processes.map(({ pid }) => isAlive(pid))).not.toContain(true);
  });

  it('that cannot start ends its processes, and leaves the folder free', async () => {
    const dying = { ...PROGRAMS, worker: fixture('dying-worker.mjs') };
    const pidsBefore = ['bridge', 'sandbox'].map((name) => noteOf(cwd, name).pid);
    await expect(start(cwd, dying)).rejects.toMatchObject({
      code: 'PROCESS_DIED',
      facts: { name: 'worker', code: 'exit code 3' },
    });
    expect(readFileSync(join(cwd, '.bursar/logs/worker.log'), 'utf8')).toContain('last words');
    const pids = ['bridge', 'sandbox'].map((name) => noteOf(cwd, name).pid);
    expect(pids).not.toEqual(pidsBefore);
    expect(pids.map(isAlive)).toEqual([false, false]);
    takeDataFolder(cwd).release();
  });
});

it('ends when the process that started it is killed', async () => {
  const parent = spawn(process.execPath, [fixture('parent.mjs'), REPOSITORY, keptFolder()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const pids: number[] = JSON.parse(String(line));
  expect(pids).toHaveLength(4);
  expect(pids.every(isAlive)).toBe(true);
  parent.kill('SIGKILL');
  await eventually(() => !pids.some(isAlive));
});
