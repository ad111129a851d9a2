import { setImmediate } from 'node:timers/promises';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Spool } from '../store/webhooks/spool.ts';
import type { Clock } from './clock.ts';
import { type Claims, createFundsBell } from './funds-bell.ts';
import type { LinkState } from './link.ts';
import { type Log, reasonOf } from './log.ts';
import { createMatcher, type Matched, type MatcherDeps } from './matcher.ts';
import { createOutbox } from './outbox.ts';
import { createPostman, type Temporal } from './postman.ts';
import { createSettler } from './settler.ts';

/** Time between two rounds; what comes in meanwhile is told together. */
const ROUND_MS = 250;
/** Time before the next round when the store could not be used. */
const STORE_REST_MS = 1_000;
const RETRY_MS = 2_000;
const PRUNE_MS = 60 * 60 * 1000;

/** Pages read in one round, before partitions are told. */
const ROUND_PAGES_MAX = 40;
/** Webhooks in memory that wait to be told. While Temporal is away, the others wait on disk. */
const UNDERWAY_MAX = 100_000;

export type ForwardingStatus = Readonly<{
  temporal: LinkState;
  lastForwardedAtMs: number | null;
  /** Webhooks settled since the start. */
  forwarded: number;
  ignored: number;
}>;

export type ForwarderDeps = MatcherDeps &
  Readonly<{
    spool: Pick<Spool, 'next' | 'settle' | 'prune'>;
    claims: Claims;
    temporal: Temporal;
    clock: Clock;
    log: Log;
    /** Why nothing may be forwarded; null or missing while all may. */
    refusal?: () => ErrorNote | null;
  }>;

export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Empties the spool: tells each partition which of its chunks webhooks have named, and batches that wait for money that
 * there may be more, and only then settles the webhooks.
 * A webhook can be told twice (after a crash) but is not lost; while Temporal is away, it waits.
 */
export function createForwarder(deps: ForwarderDeps) {
  const { spool, clock } = deps;
  const outbox = createOutbox();
  const bell = createFundsBell(deps.claims);
  const matcher = createMatcher(deps);
  const postman = createPostman({ ...deps, boxes: [outbox, bell] });
  const settler = createSettler(spool, clock);
  const isRetryDue = createMetronome(RETRY_MS);
  const isPruneDue = createMetronome(PRUNE_MS);
  let lastForwardedAtMs: number | null = null;

  function sortInto({ matched, news, ignored }: Matched): void {
    for (const { seq, routes } of matched) outbox.add(seq, routes);
    for (const seq of news) settler.add(bell.add(seq));
    settler.add({ forwarded: [], ignored });
  }

  /** Returns whether there is more to read at once. */
  async function takeIn(): Promise<boolean> {
    if (isRetryDue(clock.nowMs())) sortInto(await matcher.retry(clock.nowMs()));
    for (let page = 0; page < ROUND_PAGES_MAX; page += 1) {
      if (outbox.size() >= UNDERWAY_MAX) return false;
      const matched = await matcher.next(clock.nowMs());
      if (matched === undefined) return false;
      sortInto(matched);
      // New webhooks are answered before old ones are looked at.
      await setImmediate();
    }
    return true;
  }

  /** One round; returns whether there is more to do at once. Fails only when the store does. */
  async function round(): Promise<boolean> {
    // Another store does not know what the webhooks name, and they would be dropped as foreign.
    if ((deps.refusal?.() ?? null) !== null) return false;
    const isMore = await takeIn();
    settler.add(await bell.look());
    const settled = await postman.deliverAll();
    if (settled.forwarded.length > 0) lastForwardedAtMs = clock.nowMs();
    settler.add(settled);
    await settler.settle();
    if (isPruneDue(clock.nowMs())) await pruneAll(spool, clock.nowMs());
    return isMore;
  }

  const status = (): ForwardingStatus => ({
    temporal: postman.state(),
    lastForwardedAtMs,
    forwarded: settler.totals().FORWARDED,
    ignored: settler.totals().IGNORED,
  });

  return { round, status, ...createLoop(round, deps) };
}

async function pruneAll(spool: Pick<Spool, 'prune'>, nowMs: number): Promise<void> {
  while ((await spool.prune(nowMs)) > 0) await setImmediate();
}

/** Runs round after round until it is stopped. */
function createLoop(
  round: () => Promise<boolean>,
  { clock, log }: Pick<ForwarderDeps, 'clock' | 'log'>,
) {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  /** Returns the milliseconds until the next round. */
  async function tryRound(): Promise<number> {
    try {
      return (await round()) ? 0 : ROUND_MS;
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'the spool cannot be worked on; trying again');
      return STORE_REST_MS;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) await clock.wait(await tryRound(), stopping.signal);
    // What came in last is told before the end.
    await tryRound();
  }

  return {
    start(): void {
      running = run();
    },
    /** Ends after one more round. What is not told by then stays in the spool for the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Says, when asked, whether its time has come again; the first time at once. */
function createMetronome(everyMs: number): (nowMs: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    // A clock that was set back must not stop it.
    if (nowMs >= lastMs && nowMs - lastMs < everyMs) return false;
    lastMs = nowMs;
    return true;
  };
}
