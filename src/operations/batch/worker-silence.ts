import type { Sources } from './types.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import { HEALTH_CHECKS } from '../../store/housekeeping/health-checks.ts';
import type { ShownZone } from '../context.ts';
import { instantText } from '../text/instants.ts';

/** A task queue whose workers do not answer. `seenAt`: when one was seen last; null when that is not on record. */
export type WorkerSilence = Readonly<{ answers: false; seenAt: string | null; taskQueue: string }>;

/**
 * Since when no worker answers; null when one does. Temporal forgets after minutes when it saw a worker; the housekeeping
 * in the store remembers. `taskQueue`: that of a batch; missing: that of the settings.
 */
export async function readSilence(
  { store, engine, settings }: Sources,
  taskQueue: string = settings.temporal.taskQueue,
): Promise<WorkerSilence | null> {
  const { answers, seenAtMs } = await (await engine()).worker(taskQueue);
  if (answers) return null;
  const isOwn = taskQueue === settings.temporal.taskQueue;
  const round = isOwn ? await store.watches.find(HEALTH_CHECKS.housekeeping) : undefined;
  const atMs = Math.max(seenAtMs ?? 0, round?.seenAtMs ?? 0);
  return { answers: false, seenAt: atMs === 0 ? null : new Date(atMs).toISOString(), taskQueue };
}

/** `No worker answers on task queue bursar since 2026-11-21 14:02:00 UTC.` */
export const silenceText = ({ seenAt, taskQueue }: WorkerSilence, clock: ShownZone) =>
  seenAt === null
    ? `No worker answers on task queue ${taskQueue}, and none was seen lately.`
    : `No worker answers on task queue ${taskQueue} since ${instantText(seenAt, clock)}.`;

/** {@link silenceText}, with the effect on a batch and the next step of a person. */
export function silenceAdvice(silence: WorkerSilence, clock: ShownZone): string {
  const { why, fix } = noteOf('WORKER_SILENT', silence);
  return [silenceText(silence, clock), why, fix].join(' ');
}
