import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPacer, type PacerClock } from '../../../src/store/sending/pacer.ts';
import { onServer } from '../../support/test-database.ts';
import { type PlayedTime, playTime } from '../../support/played-time.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Store } from '../../../src/store/index.ts';

const START_MS = 1_800_000_000_000;
const SECOND_MS = 1_000;
const YEAR_MS = 31_536_000_000;

let time: PlayedTime;
let stores: Store[];
beforeEach(async () => {
  time = await playTime(temporaryFolder(), START_MS);
  stores = [await time.open(), await time.open(), await time.open(), await time.open()];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await time.close();
});

/** The clock of a host differs by so much from the true time. The processes of one machine have one clock, and share a file. */
const differenceMs = (host: number): number => (onServer ? host * 5 * SECOND_MS : 0);

const clockOf = (host: number): PacerClock => ({
  nowMs: () => time.nowMs() + differenceMs(host),
  wait: time.wait,
});

const warnings: string[] = [];

const pacerOf = (host: number, requestsPerSecond?: number) => {
  const store = stores[host];
  if (store === undefined) throw new Error('there are four hosts');
  const clock = clockOf(host);
  const warn = (reason: string): void => void warnings.push(reason);
  const { nowMs } = clock;
  return createPacer({ store, account: 'a', requestsPerSecond, nowMs, warn, clock });
};

type Host = Readonly<{ pacer: ReturnType<typeof createPacer>; lanes: number }>;

/** Lets hosts send for a time, each in so many lanes. Returns when the service received each request, from the start. */
async function received(
  hosts: readonly Host[],
  forMs: number,
  onReceived: (host: Host, count: number) => Promise<void> = () => Promise.resolve(),
): Promise<number[]> {
  const times: number[] = [];
  const laneOf = (host: Host) => async (): Promise<void> => {
    for (;;) {
      await host.pacer.pace();
      times.push(time.nowMs() - START_MS);
      await onReceived(host, times.length);
      await time.wait(37);
    }
  };
  const lanes = hosts.flatMap((host) => Array.from({ length: host.lanes }, () => laneOf(host)));
  await time.run(lanes, START_MS + forMs);
  return times;
}

const countIn = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter((atMs) => atMs >= fromMs && atMs < toMs).length;

describe('the requests of four hosts, whose clocks are five seconds apart where the store is on a server', () => {
  it('are 20 a second, give or take one, in every five seconds', async () => {
    const hosts = [0, 1, 2, 3].map((host) => ({ pacer: pacerOf(host, 20), lanes: 2 + 2 * host }));
    const times = await received(hosts, 20 * SECOND_MS);
    for (let fromMs = 0; fromMs <= 15 * SECOND_MS; fromMs += 500) {
      const perSecond = countIn(times, fromMs, fromMs + 5 * SECOND_MS) / 5;
      expect(perSecond).toBeGreaterThanOrEqual(19);
      expect(perSecond).toBeLessThanOrEqual(21);
    }
  });

  it('are exact in the long run, also where a slot is no whole number of milliseconds', async () => {
    const hosts = [0, 1].map((host) => ({ pacer: pacerOf(host, 30), lanes: 3 }));
    const times = await received(hosts, 10 * SECOND_MS);
    expect(Math.abs(times.length - 300)).toBeLessThanOrEqual(1);
  });

  it('never leave together, however many wait', async () => {
    const hosts = [0, 1].map((host) => ({ pacer: pacerOf(host, 0.5), lanes: 40 }));
    const times = await received(hosts, 200 * SECOND_MS);
    expect(times).toHaveLength(101);
    expect(times.every((atMs, i) => i === 0 || atMs - (times[i - 1] ?? 0) >= 1_999)).toBe(true);
  });
});

it('each account has slots of its own', async () => {
  const [store] = stores;
  const take = (account: string) => store?.pace.takeSlot(account, 250, time.nowMs());
  expect(await take('a')).toEqual({ slotMs: START_MS, waitMs: 0 });
  expect(await take('a')).toEqual({ slotMs: START_MS + 250, waitMs: 250 });
  expect(await take('b')).toEqual({ slotMs: START_MS, waitMs: 0 });
});

describe('a 429 with Retry-After that one host receives', () => {
  /** Two hosts send, and the tenth request is refused for a time. */
  const whenRefused = (retryAfterMs: number, forMs: number, requestsPerSecond?: number) => {
    const hosts = [0, 1].map((host) => ({ pacer: pacerOf(host, requestsPerSecond), lanes: 2 }));
    return received(hosts, forMs, async ({ pacer }, count) => {
      if (count === 10) await pacer.heed({ httpStatus: 429, retryAfterMs });
    });
  };

  it.each([20, undefined])(
    'holds the requests of all hosts back until then, with a limit of %s',
    async (limit) => {
      const times = await whenRefused(12 * SECOND_MS, 30 * SECOND_MS, limit);
      const refusedMs = times[9] ?? 0;
      // Another host reads the store once a second.
      expect(countIn(times, refusedMs + 1_001, refusedMs + 12 * SECOND_MS)).toBe(0);
      expect(
        countIn(times, refusedMs + 12 * SECOND_MS, refusedMs + 13 * SECOND_MS),
      ).toBeGreaterThan(15);
    },
  );

  it('is obeyed at once by the requests of its own host, and by those that have a slot already', async () => {
    const pacer = pacerOf(0, 20);
    const times = await received([{ pacer, lanes: 8 }], 20 * SECOND_MS, async (_host, count) => {
      if (count === 10) await pacer.heed({ httpStatus: 429, retryAfterMs: 12 * SECOND_MS });
    });
    const refusedMs = times[9] ?? 0;
    expect(times[10]).toBeGreaterThanOrEqual(refusedMs + 12 * SECOND_MS);
  });

  it('stops no payments for a year', async () => {
    const times = await whenRefused(YEAR_MS, 70 * SECOND_MS, 20);
    expect(countIn(times, 61 * SECOND_MS, 70 * SECOND_MS)).toBeGreaterThan(150);
  });

  it.each([
    ['another refusal', { httpStatus: 503, retryAfterMs: 12_000 }],
    ['a 429 that names no time', { httpStatus: 429 }],
  ])('is not %s', async (_what, refusal) => {
    const pacer = pacerOf(0, 20);
    await pacer.heed(refusal);
    expect(await received([{ pacer, lanes: 1 }], SECOND_MS)).not.toHaveLength(0);
  });

  it('is obeyed by its own host when the store cannot be written, and the answer is not lost', async () => {
    const [store, other] = stores;
    if (store === undefined || other === undefined) throw new Error('there are four hosts');
    const setRetryAfter = () => Promise.reject(new Error('the disk is full'));
    const clock = clockOf(0);
    const options = { account: 'a', requestsPerSecond: undefined, nowMs: clock.nowMs, clock };
    const warn = (reason: string): void => void warnings.push(reason);
    const pace = { ...store.pace, setRetryAfter };
    const pacer = createPacer({ ...options, store: { pace }, warn });
    await pacer.heed({ httpStatus: 429, retryAfterMs: 12_000 });
    expect(warnings).toEqual(['the disk is full']);
    const [first] = await received([{ pacer, lanes: 1 }], 20 * SECOND_MS);
    expect(first).toBe(12_000);
  });
});
