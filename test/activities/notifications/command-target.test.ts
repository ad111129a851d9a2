import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type CommandTargetOptions,
  createCommandTarget,
} from '../../../src/activities/notifications/command-target.ts';
import type { Message } from '../../../src/activities/notifications/target.ts';
import { hookEnvOf } from '../../../src/activities/notifications/targets.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MESSAGE: Message = {
  id: 'msg_1',
  event: 'batch.failed',
  body: '{"data":{"a":"$(id) `id`"}}',
};

const run = (command: readonly string[], more: Partial<CommandTargetOptions> = {}) =>
  createCommandTarget({
    name: 'pager',
    events: [],
    command,
    env: hookEnvOf(process.env),
    ...more,
  }).deliver(MESSAGE);

/** A program of Node.js that runs this text. */
const node = (text: string): string[] => [process.execPath, '-e', text];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that has ended and that nobody has asked for yet is no longer at work.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a command target', () => {
  it('gets the payload on its standard input, and id and event in its environment', async () => {
    const file = join(temporaryFolder(), 'told');
    const text = `const [, file] = process.argv;
      const { BURSAR_NOTIFICATION_ID: id, BURSAR_NOTIFICATION_EVENT: event } = process.env;
      let body = '';
      process.stdin.on('data', (part) => { body += part; });
      process.stdin.on('end', () =>
        require('node:fs').writeFileSync(file, JSON.stringify({ id, event, body })));`;
    expect(await run([...node(text), file])).toEqual({ kind: 'delivered' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(MESSAGE);
  });

  it('gets no secret of the engine', async () => {
    const env = { PATH: '/bin', HOME: '/h', BURSAR_API_SECRET: 'hush', AWS_SECRET: 'hush' };
    expect(hookEnvOf(env)).toEqual({ PATH: '/bin', HOME: '/h' });
    const file = join(temporaryFolder(), 'env');
    const text = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify(process.env))`;
    await run([...node(text), file], { env: { PATH: '/bin' } });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object).sort()).toEqual([
      'BURSAR_NOTIFICATION_EVENT',
      'BURSAR_NOTIFICATION_ID',
      'PATH',
    ]);
  });

  it('is run without a shell, with its arguments unchanged', async () => {
    const file = join(temporaryFolder(), 'args');
    const text = `require('node:fs').writeFileSync(process.argv[1], process.argv.slice(2).join())`;
    await run([...node(text), file, '$HOME', '; touch x', '*']);
    expect(readFileSync(file, 'utf8')).toBe('$HOME,; touch x,*');
  });

  it.each([
    ['process.exit(0)', { kind: 'delivered' }],
    ['process.exit(3)', { kind: 'failed', why: 'exit code 3' }],
    ["process.kill(process.pid, 'SIGTERM')", { kind: 'failed', why: 'signal SIGTERM' }],
  ])('reports by its exit code whether it was notified: %s', async (text, outcome) => {
    expect(await run(node(text))).toEqual(outcome);
  });

  it('that does not exist, or is no program, has failed', async () => {
    expect(await run(['/nowhere/pager'])).toEqual({
      kind: 'failed',
      why: 'it cannot be started: ENOENT',
    });
    const file = join(temporaryFolder(), 'text');
    writeFileSync(file, 'no program', { mode: 0o600 });
    expect(await run([file])).toEqual({ kind: 'failed', why: 'it cannot be started: EACCES' });
  });

  it('is judged by its exit code alone when it does not read its input', async () => {
    const body = 'x'.repeat(5_000_000);
    const target = createCommandTarget({
      name: 'p',
      events: [],
      command: node('process.exit(0)'),
      env: {},
    });
    expect(await target.deliver({ ...MESSAGE, body })).toEqual({ kind: 'delivered' });
  });

  it('that prints without end is not read, and does not hang', async () => {
    const text = `for (let n = 0; n < 1000; n += 1) process.stdout.write('x'.repeat(10000))`;
    expect(await run(node(text))).toEqual({ kind: 'delivered' });
  });

  it('that takes too long is killed with all its processes', async () => {
    const file = join(temporaryFolder(), 'pids');
    const text = `const child = require('node:child_process').spawn('sleep', ['60']);
      require('node:fs').writeFileSync(process.argv[1], process.pid + ' ' + child.pid);
      setInterval(() => undefined, 1000);`;
    const outcome = run([...node(text), file], { tryMsMax: 1_500 });
    const pids = await eventually('it runs', () => {
      try {
        const read = readFileSync(file, 'utf8').split(' ').map(Number);
        return read.length === 2 && !read.includes(0) ? read : undefined;
      } catch {
        return undefined;
      }
    });
    expect(await outcome).toEqual({
      kind: 'failed',
      why: 'it was still running when its time was over',
    });
    await eventually('both have ended', () => (pids.some(isAlive) ? undefined : true));
  });
});
