import type { Hint } from '../contract/messages.ts';
import type { BridgeClock } from './clock.ts';
import type { Log } from './log.ts';
import type { HandledWebhooks, PendingSignal, SignalQueue, SignalResult } from './signal-queue.ts';
import { type CallResult, createTemporalTracker, tryCall } from './temporal-state.ts';

/** Signals sent concurrently. */
const CONCURRENT_SIGNALS_MAX = 16;

/** Calls to Temporal. Both reject when Temporal does not answer in time. */
export type SignalClient = Readonly<{
  /** Sends a hint about chunks, or, for null, the signal that the account may hold more money. */
  signal(workflowId: string, hint: Hint | null): Promise<SignalResult>;
  ping(): Promise<void>;
}>;

export type SignalDispatcherDeps = Readonly<{
  queues: readonly SignalQueue[];
  temporal: SignalClient;
  clock: BridgeClock;
  log: Log;
}>;

type DueSignal = Readonly<{ signal: PendingSignal; queue: SignalQueue }>;

/** Delivers the pending signals of all queues to workflows while Temporal answers. */
export function createSignalDispatcher({ queues, temporal, clock, log }: SignalDispatcherDeps) {
  const tracker = createTemporalTracker(log);

  async function send(signal: PendingSignal): Promise<SignalResult> {
    const { workflowId, fallbackWorkflowId, hint } = signal;
    const result = await temporal.signal(workflowId, hint);
    if (result === 'delivered' || fallbackWorkflowId === undefined) return result;
    return temporal.signal(fallbackWorkflowId, hint);
  }

  async function deliver(due: DueSignal, handled: HandledWebhooks[]): Promise<CallResult> {
    const { signal, queue } = due;
    const { workflowId } = signal;
    const call = await tryCall(() => send(signal));
    if (call.worked) handled.push(queue.complete(workflowId, call.result, clock.nowMs()));
    else queue.postpone(workflowId, clock.nowMs());
    return call;
  }

  const dueNow = (): DueSignal[] =>
    queues
      .flatMap((queue) =>
        queue.due(clock.nowMs(), CONCURRENT_SIGNALS_MAX).map((signal) => ({ signal, queue })),
      )
      .slice(0, CONCURRENT_SIGNALS_MAX);

  return {
    temporalState: tracker.state,

    /** Sends all due signals, until Temporal stops answering. Returns the handled webhooks. */
    async deliverAll(): Promise<HandledWebhooks> {
      const handled: HandledWebhooks[] = [];
      while (tracker.mayTry(clock.nowMs())) {
        const due = dueNow();
        if (due.length === 0) break;
        const calls = await Promise.all(due.map((one) => deliver(one, handled)));
        // A failed call may concern one workflow only. Temporal is down when all calls fail.
        tracker.record(calls.find((call) => call.worked) ?? calls[0], clock.nowMs());
      }
      if (tracker.isPingDue(clock.nowMs())) {
        tracker.record(await tryCall(() => temporal.ping()), clock.nowMs());
      }
      return {
        forwarded: handled.flatMap(({ forwarded }) => forwarded),
        ignored: handled.flatMap(({ ignored }) => ignored),
      };
    },
  };
}
