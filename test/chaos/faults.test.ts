import { describe, expect, it } from '@jest/globals';
import { freezes } from '../../chaos/faults/processes.ts';
import { serviceFaults } from '../../chaos/faults/service.ts';
import type { SandboxDesk } from '../../chaos/stack/desk.ts';
import type { Processes } from '../../chaos/stack/processes.ts';

describe('a freeze', () => {
  /** Freezes a process, of which these are the ids that take one signal after the other. */
  const freeze = (...pids: readonly (number | undefined)[]): Promise<number> | undefined => {
    const takers = [...pids];
    const processes = { signal: () => takers.shift() } as unknown as Processes;
    return freezes({ processes, names: ['bridge'] })[0]?.happen(1);
  };

  it.each<[string, readonly (number | undefined)[], number]>([
    ['counts when the process wakes up', [7, 7], 1],
    ['does not count when there is no process', [undefined], 0],
    ['does not count when it was killed meanwhile', [7, undefined], 0],
    ['does not count when another one has its place by then', [7, 8], 0],
  ])('%s', async (_what, pids, times) => {
    expect(await freeze(...pids)).toBe(times);
  });
});

describe('a fault of the service for a while', () => {
  const LOGGED = { n: 1, time: '', timestampMs: null, status: 404 };
  const log = [
    { ...LOGGED, idempotencyKey: 'a key' },
    { ...LOGGED, idempotencyKey: null },
  ];

  it.each([
    ['too many requests: 429', 'status=429', 2],
    ['lookups: late', 'operation=MASS_GET&status=404', 1],
    ['clock of the service: ahead', 'operation=MASS_CREATE', 2],
    ['clock of the service: behind', 'operation=MASS_CREATE', 2],
  ])('%s: counts the requests that came since', async (name, query, times) => {
    const asked: string[] = [];
    const desk: Partial<SandboxDesk> = {
      lastRequest: () => Promise.resolve(41),
      play: () => Promise.resolve(''),
      setClock: () => Promise.resolve(''),
      requestsAfter: (n, kind) => {
        asked.push(`${n} ${kind.query}`);
        return Promise.resolve(log.filter(kind.isMet ?? (() => true)).length);
      },
    };
    const fault = serviceFaults(desk as SandboxDesk).find((one) => one.name === name);
    expect(await fault?.happen(1)).toBe(times);
    expect(new Set(asked)).toEqual(new Set([`41 ${query}`]));
  });
});
