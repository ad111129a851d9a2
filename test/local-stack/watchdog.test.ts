import { describe, expect, it } from '@jest/globals';
import type { Child } from '../../src/local-stack/processes/child.ts';
import { watched } from '../../src/local-stack/temporal/watchdog.ts';

type FakeChild = Child & Readonly<{ die(how: string): void; isStopped(): boolean }>;

function fakeChild(pid: number): FakeChild {
  let end: (how: string) => void = () => undefined;
  let isStopped = false;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return {
    name: 'temporal',
    log: 'temporal.log',
    pid,
    ended,
    die: end,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      end('signal SIGKILL');
    },
  };
}

/** A server that answers as `answers` has it, one entry for each probe; its clock moves with the pauses. */
function world(answers: readonly boolean[], failsToStart = false) {
  const first = fakeChild(1);
  const second = fakeChild(2);
  const said: string[] = [];
  let nowMs = 0;
  let probes = 0;
  let isOver: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  const server = watched(first, {
    probe: { answers: async () => answers[probes++] ?? true, close: async () => undefined },
    async start() {
      if (failsToStart) throw new Error('port taken');
      return second;
    },
    say: (line) => said.push(line),
    nowMs: () => nowMs,
    async pause(delayMs, signal) {
      nowMs += delayMs;
      if (probes < answers.length) return;
      isOver();
      // The rest of the test needs no more probes.
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  return { server, first, second, said, over };
}

const silent = (probes: number): false[] => Array.from({ length: probes }, () => false);

describe('a Temporal that answers nothing', () => {
  it('for 30 seconds is started again, and the stack goes on', async () => {
    const { server, first, second, said, over } = world(silent(6));
    await over;
    expect(first.isStopped()).toBe(true);
    expect(server.pid).toBe(2);
    expect(said).toEqual([
      'temporal answered nothing for 30 s: it is started again',
      'temporal ready again',
    ]);
    await server.stop();
    expect(second.isStopped()).toBe(true);
    expect(await server.ended).toBe('signal SIGKILL');
  });

  it('for less is left alone, however often', async () => {
    const { server, first, over } = world([...silent(5), true, ...silent(5)]);
    await over;
    expect(first.isStopped()).toBe(false);
    expect(server.pid).toBe(1);
    await server.stop();
  });

  it('and cannot be started again has ended', async () => {
    const { server } = world(silent(6), true);
    expect(await server.ended).toBe('not started again: port taken');
    await server.stop();
  });
});

it('a Temporal that ends by itself has ended', async () => {
  const { server, first, over } = world([true]);
  await over;
  first.die('exit code 1');
  expect(await server.ended).toBe('exit code 1');
  await server.stop();
});
