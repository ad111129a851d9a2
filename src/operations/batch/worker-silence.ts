import type { Sources } from './types.ts';
import { HEALTH_CHECKS } from '../../store/housekeeping/health-checks.ts';
import type { ShownZone } from '../context.ts';
import { instantText } from '../text/instants.ts';

/** A task queue whose workers do not answer. `seenAt`: when one was seen last; null when that is not on record. */
export type WorkerSilence = Readonly<{ answers: false; seenAt: string | null }>;

/**
 * Since when no worker answers; null when one does. Temporal forgets after minutes when it saw a worker; the housekeeping
 * in the store remembers.
 */
export async function readSilence({ store, engine }: Sources): Promise<WorkerSilence | null> {
  const { answers, seenAtMs } = await (await engine()).worker();
  if (answers) return null;
  const round = await store.watches.find(HEALTH_CHECKS.housekeeping);
  const atMs = Math.max(seenAtMs ?? 0, round?.seenAtMs ?? 0);
  return { answers: false, seenAt: atMs === 0 ? null : new Date(atMs).toISOString() };
}

/** `No worker answers since 2026-11-21 14:02:00 UTC.` */
export const silenceText = ({ seenAt }: WorkerSilence, clock: ShownZone) =>
  seenAt === null
    ? 'No worker answers, and none was seen of late.'
    : `No worker answers since ${instantText(seenAt, clock)}.`;
