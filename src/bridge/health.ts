import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Spool } from '../store/webhooks/spool.ts';
import type { Clock } from './clock.ts';
import type { ForwardingStatus } from './forwarder.ts';
import { type Log, reasonOf } from './log.ts';

/** So long after a webhook could not be written, the bridge counts as failing. */
const REFUSED_MS = 30_000;

/** `alarm`: webhooks are taken, but the spool is filling up. `failing`: webhooks cannot be taken. */
export type Health = ForwardingFacts &
  Readonly<{
    status: 'ok' | 'alarm' | 'failing';
    spoolWaiting: number | null;
    oldestWaitingMs: number | null;
    lastReceivedAt: string | null;
    /** Why no webhook is taken, as a code; null while all are. */
    refusal: string | null;
  }>;

type ForwardingFacts = Readonly<{
  lastForwardedAt: string | null;
  temporal: ForwardingStatus['temporal'];
  /** Webhooks settled since the start of the bridge. */
  forwarded: number;
  ignored: number;
}>;

export type HealthDeps = Readonly<{
  spool: Pick<Spool, 'counts'>;
  forwarding: () => ForwardingStatus;
  lastRefusedAtMs: number | null;
  refusal?: () => ErrorNote | null;
  clock: Clock;
  log: Log;
}>;

/** How the bridge is, in one object; never fails. */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const refusal = deps.refusal?.()?.code ?? null;
  const forwarding = { ...forwardingFacts(deps.forwarding()), refusal };
  try {
    const counts = await deps.spool.counts();
    const nowMs = deps.clock.nowMs();
    const { oldestWaitingAtMs } = counts;
    return {
      status: refusal === null ? statusOf(counts.room, deps.lastRefusedAtMs, nowMs) : 'failing',
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
  room: 'ample' | 'high' | 'full',
  lastRefusedAtMs: number | null,
  nowMs: number,
): Health['status'] {
  if (room === 'full' || isLately(lastRefusedAtMs, nowMs)) return 'failing';
  return room === 'high' ? 'alarm' : 'ok';
}

/** Whether a webhook could not be written a short time ago. */
export const isLately = (refusedAtMs: number | null, nowMs: number): boolean =>
  refusedAtMs !== null && nowMs - refusedAtMs < REFUSED_MS;

const forwardingFacts = (status: ForwardingStatus): ForwardingFacts => ({
  lastForwardedAt: instantOf(status.lastForwardedAtMs),
  temporal: status.temporal,
  forwarded: status.forwarded,
  ignored: status.ignored,
});

const instantOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
