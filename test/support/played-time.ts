import pg from 'pg';
import { openStore, type Store } from '../../src/store/index.ts';
import { onServer, testStoreUrl } from './test-database.ts';

/** The tables of the store come first, and so does a function in their schema. */
const SEARCH_PATH = '-c search_path=public,pg_catalog';

export type PlayedTime = Readonly<{
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves once the time has come. Time stands still while any lane works. */
  wait(delayMs: number): Promise<void>;
  /** Opens the store of the folder, on a connection of its own. On a server its clock is this time. */
  open(): Promise<Store>;
  /** Does something at a time, also at one that has passed. */
  at<Result>(atMs: number, work: () => Promise<Result>): Promise<Result>;
  /** Runs lanes until `endMs`. A lane that waits then never goes on. */
  run(lanes: readonly (() => Promise<void>)[], endMs: number): Promise<void>;
  close(): Promise<void>;
}>;

/** A time that moves when all lanes of a test wait, so that minutes take seconds, and the same in each run. */
export async function playTime(folder: string, startMs = 1_800_000_000_000): Promise<PlayedTime> {
  const url = await testStoreUrl(folder);
  const server = onServer ? await takeClockOf(url) : undefined;
  const waiting: { atMs: number; wake(): void }[] = [];
  let nowMs = startMs;
  let working = 0;
  let onRest: () => void = () => undefined;
  const rest = (): void => {
    working -= 1;
    if (working === 0) onRest();
  };
  const resting = (): Promise<void> =>
    working === 0 ? Promise.resolve() : new Promise((resolve) => void (onRest = resolve));
  await server?.set(nowMs);

  return {
    nowMs: () => nowMs,
    wait: (delayMs) =>
      new Promise((wake) => {
        waiting.push({ atMs: nowMs + delayMs, wake });
        rest();
      }),
    open: () => openStore(server?.url ?? url),
    async at(atMs, work) {
      nowMs = atMs;
      await server?.set(nowMs);
      return work();
    },
    async run(lanes, endMs) {
      let failure: { cause: unknown } | undefined;
      for (const lane of lanes) {
        working += 1;
        lane()
          .catch((cause: unknown) => void (failure ??= { cause }))
          .finally(rest);
        await resting();
      }
      for (;;) {
        waiting.sort((a, b) => a.atMs - b.atMs);
        const [next] = waiting;
        if (failure !== undefined) throw failure.cause;
        if (next === undefined || next.atMs > endMs) return;
        waiting.shift();
        nowMs = Math.max(nowMs, next.atMs);
        await server?.set(nowMs);
        working += 1;
        next.wake();
        await resting();
      }
    },
    close: async () => server?.close(),
  };
}

/** Puts a clock in the place of that of the server, for connections by the returned url. */
async function takeClockOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create table played_time (now_ms double precision);
    insert into played_time values (0);
    create function clock_timestamp() returns timestamptz language sql volatile
      as 'select to_timestamp(now_ms / 1000) from played_time'`);
  const played = new URL(url);
  played.searchParams.set('options', SEARCH_PATH);
  return {
    url: played.href,
    set: (nowMs: number) => client.query('update played_time set now_ms = $1', [nowMs]),
    close: () => client.end(),
  };
}
