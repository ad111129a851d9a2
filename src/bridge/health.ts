import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Spool, SpoolCounts } from '../store/webhooks/spool.ts';
import type { BridgeClock } from './clock.ts';
import type { ForwardingStatus } from './forwarder.ts';
import { type Log, reasonOf } from './log.ts';

/** The bridge reports `failing` for this time after it could not write a webhook. */
const WRITE_FAILURE_MS = 30_000;

/** The state of the bridge, as `GET /health` returns it. */
export type BridgeHealth = ForwardingFacts &
  Readonly<{
    /** `alarm`: the spool is half full. `failing`: the bridge cannot take webhooks. */
    status: 'ok' | 'alarm' | 'failing';
    spoolWaiting: number | null;
    oldestWaitingMs: number | null;
    lastReceivedAt: string | null;
    /** Error code of the reason to refuse all webhooks; null while the bridge takes them. */
    refusal: string | null;
  }>;

type ForwardingFacts = Readonly<{
  lastForwardedAt: string | null;
  temporal: ForwardingStatus['temporal'];
  /** Webhooks acknowledged since the start of the bridge. */
  forwarded: number;
  ignored: number;
}>;

export type BridgeHealthDeps = Readonly<{
  spool: Spool;
  forwarding: () => ForwardingStatus;
  lastWriteFailureAtMs: number | null;
  refusal?: () => ErrorNote | null;
  clock: BridgeClock;
  log: Log;
}>;

/**
 * Reads the state of the bridge. It returns `failing` when the spool cannot be read, and never
 * throws.
 */
export async function readHealth(deps: BridgeHealthDeps): Promise<BridgeHealth> {
  const refusal = deps.refusal?.()?.code ?? null;
  const forwarding = { ...forwardingFacts(deps.forwarding()), refusal };
  try {
    const counts = await deps.spool.counts();
    const nowMs = deps.clock.nowMs();
    const { oldestWaitingAtMs } = counts;
    return {
      status:
        refusal === null ? statusOf(counts.room, deps.lastWriteFailureAtMs, nowMs) : 'failing',
      spoolWaiting: counts.waiting,
      oldestWaitingMs: oldestWaitingAtMs === null ? null : nowMs - oldestWaitingAtMs,
      lastReceivedAt: instantOf(counts.lastReceivedAtMs),
      ...forwarding,
    };
  } catch (error) {
    deps.log.error({ reason: reasonOf(error) }, 'the spool cannot be read');
    const unknown = { spoolWaiting: null, oldestWaitingMs: null, lastReceivedAt: null };
    return { status: 'failing', ...unknown, ...forwarding };
  }
}

function statusOf(
  room: SpoolCounts['room'],
  lastWriteFailureAtMs: number | null,
  nowMs: number,
): BridgeHealth['status'] {
  if (room === 'full' || failedRecently(lastWriteFailureAtMs, nowMs)) return 'failing';
  return room === 'high' ? 'alarm' : 'ok';
}

/** Whether the last failed write of a webhook is less than `WRITE_FAILURE_MS` ago. */
export const failedRecently = (failedAtMs: number | null, nowMs: number): boolean =>
  failedAtMs !== null && nowMs - failedAtMs < WRITE_FAILURE_MS;

const forwardingFacts = (status: ForwardingStatus): ForwardingFacts => ({
  lastForwardedAt: instantOf(status.lastForwardedAtMs),
  temporal: status.temporal,
  forwarded: status.forwarded,
  ignored: status.ignored,
});

const instantOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
