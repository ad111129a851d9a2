import type { InboxItem } from './types.ts';
import { readDefinition } from '../../contract/schedule.ts';
import { batchIdOf } from '../../domain/schedule/names.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import { codeInSentence } from '../../domain/text/state-words.ts';
import type { Store } from '../../store/index.ts';
import type { KnownSchedule } from '../schedule/find.ts';
import { unnotedRuns } from '../schedule/unnoted.ts';

/**
 * How long the inbox lists a run that never began, in milliseconds. There is no command that dismisses such a run, and
 * an entry without an end would hide the entries that wait.
 */
const TOLD_MS = 14 * 86_400_000;

/** Runs that are read of one schedule. */
const RUNS_MAX = 500;

/** Runs that sent nothing against the plan of their schedule. A person submits them now, or leaves them. */
export async function unstartedItems(
  { schedules, scheduleRuns }: Store,
  nowMs: number,
): Promise<InboxItem[]> {
  const dueAfterMs = nowMs - TOLD_MS;
  const items: InboxItem[] = [];
  for (const record of await schedules.list()) {
    const found = { record, definition: readDefinition(record) };
    const { scheduleId } = record;
    const records = await scheduleRuns.list(scheduleId, { dueAfterMs, limit: RUNS_MAX });
    const unnoted = unnotedRuns(found, { records, nowMs })
      .filter(({ run }) => run.dueAtMs > dueAfterMs)
      .map(({ run, state, reason }) => ({ ...run, state, detail: reason }));
    const unstarted = [...records, ...unnoted].filter(({ state }) => TOLD.includes(state));
    items.push(...unstarted.map((run) => itemOf(found, run)));
  }
  return items;
}

/** A SKIPPED run is missing: a person skipped it on purpose. */
const TOLD: readonly string[] = ['MISSED', 'FAILED'];

type Unstarted = Readonly<{
  nominal: string;
  dueAtMs: number;
  state: string;
  detail: string;
  rejected?: number;
  /** When it reached its state; absent for a run that the store does not have. */
  changedAtMs?: number;
}>;

function itemOf(
  { definition, record }: KnownSchedule,
  { nominal, dueAtMs, state, detail, rejected, changedAtMs = dueAtMs }: Unstarted,
): InboxItem {
  const { scheduleId } = definition;
  return {
    kind: 'RUN',
    batchId: batchIdOf(definition, nominal, rejected),
    scheduleId,
    run: nominal,
    waitsFor: [],
    gaps: [],
    missing: [`${codeInSentence(state)}: ${detail}`],
    // One that failed may be due only later.
    since: isoOf(state === 'FAILED' ? changedAtMs : dueAtMs),
    due: isoOf(dueAtMs),
    submittedBy: record.createdBy,
    totals: [],
    command: `bursar schedule trigger ${scheduleId} --run ${nominal} --reason TEXT`,
  };
}
