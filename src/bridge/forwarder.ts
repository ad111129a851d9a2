import { setImmediate } from 'node:timers/promises';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { SettledState, Spool } from '../store/webhooks/spool.ts';
import type { BridgeClock } from './clock.ts';
import { createChunkSignalQueue } from './chunk-signal-queue.ts';
import { createFundsSignalQueue, type WaitingClaims } from './funds-signal-queue.ts';
import { type Log, reasonOf } from './log.ts';
import { createMatcher, type MatchedWebhooks, type MatcherDeps } from './matcher.ts';
import { createSignalDispatcher, type SignalClient } from './signal-dispatcher.ts';
import type { TemporalState } from './temporal-state.ts';
import type { HandledWebhooks } from './signal-queue.ts';

/** Time between two passes. The webhooks of one pass share their signals. */
const PASS_MS = 250;
/** Time before the next pass after an error of the store. */
const STORE_RETRY_MS = 1_000;
const RETRY_MS = 2_000;
const PRUNE_MS = 60 * 60 * 1000;

/** Pages of webhooks read in one pass, before signals are sent. */
const PASS_PAGES_MAX = 40;
/**
 * Webhooks with pending signals in memory. While Temporal is down, the others wait in the spool.
 */
const UNDERWAY_MAX = 100_000;

export type ForwardingStatus = Readonly<{
  temporal: TemporalState;
  lastForwardedAtMs: number | null;
  /** Webhooks acknowledged since the start of the bridge. */
  forwarded: number;
  ignored: number;
}>;

export type ForwarderDeps = MatcherDeps &
  Readonly<{
    spool: Spool;
    claims: WaitingClaims;
    temporal: SignalClient;
    clock: BridgeClock;
    log: Log;
    /** Returns the reason to forward nothing, or null while the bridge may forward. */
    refusal?: () => ErrorNote | null;
    /** Is called with webhooks that name chunks, before their signals. */
    onMatched?: (webhooks: MatchedWebhooks['matched']) => void;
    /** Whether this bridge forwards the webhooks of all bridges that share the spool. */
    leads?: () => Promise<boolean>;
  }>;

export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Forwards the webhooks of the spool as signals to workflows.
 * A partition receives the chunks that webhooks name. A batch that waits for money is signaled that
 * there may be more. The webhooks are acknowledged in the spool only after their signals.
 * A crash in between repeats a signal, and loses none. Webhooks wait while Temporal is down.
 */
export function createForwarder(deps: ForwarderDeps) {
  const { spool, clock } = deps;
  const chunkSignals = createChunkSignalQueue();
  const fundsSignals = createFundsSignalQueue(deps.claims);
  const matcher = createMatcher(deps);
  const dispatcher = createSignalDispatcher({ ...deps, queues: [chunkSignals, fundsSignals] });
  const acknowledgements = createWebhookAcknowledgements(spool, clock);
  const isRetryDue = createInterval(RETRY_MS);
  const isPruneDue = createInterval(PRUNE_MS);
  let lastForwardedAtMs: number | null = null;

  function queueSignals({ matched, funding, ignored }: MatchedWebhooks): void {
    deps.onMatched?.(matched);
    for (const { seq, routes } of matched) chunkSignals.add(seq, routes);
    for (const seq of funding) acknowledgements.add(fundsSignals.add(seq));
    acknowledgements.add({ forwarded: [], ignored });
  }

  /** Reads webhooks and queues their signals. Returns whether more can be read at once. */
  async function readWebhooks(): Promise<boolean> {
    if (isRetryDue(clock.nowMs())) queueSignals(await matcher.retry(clock.nowMs()));
    for (let page = 0; page < PASS_PAGES_MAX; page += 1) {
      if (chunkSignals.size() >= UNDERWAY_MAX) return false;
      const matched = await matcher.next(clock.nowMs());
      if (matched === undefined) return false;
      queueSignals(matched);
      // The server must be able to take new webhooks between two pages.
      await setImmediate();
    }
    return true;
  }

  /**
   * Makes one pass. Returns whether the next one is due at once. Rejects only when the store fails.
   */
  async function forwardOnce(): Promise<boolean> {
    // Another store does not hold the chunks of these webhooks, and a pass would ignore them all.
    if ((deps.refusal?.() ?? null) !== null) return false;
    if (deps.leads !== undefined && !(await deps.leads())) return false;
    const isMore = await readWebhooks();
    acknowledgements.add(await fundsSignals.readWaitingBatches());
    const handled = await dispatcher.deliverAll();
    if (handled.forwarded.length > 0) lastForwardedAtMs = clock.nowMs();
    acknowledgements.add(handled);
    await acknowledgements.writeAll();
    if (isPruneDue(clock.nowMs())) await pruneAll(spool, clock.nowMs());
    return isMore;
  }

  const status = (): ForwardingStatus => ({
    temporal: dispatcher.temporalState(),
    lastForwardedAtMs,
    forwarded: acknowledgements.totals().FORWARDED,
    ignored: acknowledgements.totals().IGNORED,
  });

  return { forwardOnce, status, ...createLoop(forwardOnce, deps) };
}

async function pruneAll(spool: Spool, nowMs: number): Promise<void> {
  while ((await spool.prune(nowMs)) > 0) await setImmediate();
}

/** Repeats passes until it is stopped. */
function createLoop(forwardOnce: () => Promise<boolean>, { clock, log }: ForwarderDeps) {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  /** Makes one pass. Returns the milliseconds until the next one. */
  async function tryPass(): Promise<number> {
    try {
      return (await forwardOnce()) ? 0 : PASS_MS;
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'the forwarder cannot use the store; it tries again');
      return STORE_RETRY_MS;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) await clock.wait(await tryPass(), stopping.signal);
    // The last pass sends the signals of the last webhooks.
    await tryPass();
  }

  return {
    start(): void {
      running = run();
    },
    /**
     * Stops after one last pass. Webhooks without a signal stay in the spool for the next start.
     */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Returns a function that is true at most once in `everyMs`, and at its first call. */
function createInterval(everyMs: number): (nowMs: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    // A clock that was set back must not stop the interval.
    if (nowMs >= lastMs && nowMs - lastMs < everyMs) return false;
    lastMs = nowMs;
    return true;
  };
}

/**
 * Collects the webhooks that the bridge has handled, and acknowledges them in the spool.
 * Until then the spool offers them again, so a crash repeats a signal but loses no webhook.
 */
function createWebhookAcknowledgements(spool: Spool, clock: BridgeClock) {
  const open: Record<SettledState, number[]> = { FORWARDED: [], IGNORED: [] };
  const totals: Record<SettledState, number> = { FORWARDED: 0, IGNORED: 0 };

  return {
    /** Webhooks acknowledged since the start of the bridge. */
    totals: (): Readonly<Record<SettledState, number>> => totals,

    add({ forwarded, ignored }: HandledWebhooks): void {
      open.FORWARDED = open.FORWARDED.concat(forwarded);
      open.IGNORED = open.IGNORED.concat(ignored);
    },

    /** Writes the acknowledgements. Those that cannot be written stay for the next call. */
    async writeAll(): Promise<void> {
      for (const state of ['FORWARDED', 'IGNORED'] as const) {
        const seqs = open[state];
        if (seqs.length === 0) continue;
        await spool.settle(seqs, { state, atMs: clock.nowMs() });
        totals[state] += seqs.length;
        open[state] = [];
      }
    },
  };
}
