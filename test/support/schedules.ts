import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { eventually } from './eventually.ts';
import { sampleRows, type SampleRow, writeSample } from './sample-file.ts';
import type { TestStack } from './test-stack.ts';

/** The part of a stack in which the files of schedules are. */
type StackFolder = Readonly<{ folder: TestStack['folder'] }>;

export const newScheduleId = (): string => `rent-${randomUUID().slice(0, 8)}`;

/** The first minute that begins so long from now, as a daily rule in UTC: cron knows no seconds. */
export const soonRule = (aheadMs: number) => ruleAt(Date.now() + aheadMs);

/** The minute that begins then, or the next one, as a daily rule in UTC. */
export function ruleAt(earliestMs: number) {
  const dueMs = Math.ceil(earliestMs / 60_000) * 60_000;
  const nominal = new Date(dueMs).toISOString().slice(0, 16);
  const [hour, minute] = nominal.slice(11).split(':').map(Number);
  return { cron: `${minute} ${hour} * * *`, nominal, dueMs };
}

/** The run of a daily rule so many days before another one. */
export const daysBefore = (nominal: string, days: number): string =>
  new Date(Date.parse(`${nominal}Z`) - days * 86_400_000).toISOString().slice(0, 16);

/** Folder from which the scheduled files of a stack are taken. */
export function incomingOf({ folder }: StackFolder): string {
  const incoming = join(folder, 'incoming');
  mkdirSync(incoming, { recursive: true });
  return incoming;
}

/** Settings with which people are told by a file, and housekeeping looks often. */
export const toldByFile = (folder: string): Record<string, string> => {
  const log = join(folder, 'told.jsonl');
  const command = ['sh', '-c', `cat >> '${log}'; echo >> '${log}'`];
  return {
    BURSAR_WATCH_EVERY_MS: '1000',
    BURSAR_NOTIFY_TARGETS: JSON.stringify([{ name: 'log', command }]),
  };
};

export type Told = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

/** What was told so far of one schedule. */
export function toldOf({ folder }: StackFolder, scheduleId: string): Told[] {
  const log = join(folder, 'told.jsonl');
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Told)
    .filter(({ data }) => data['scheduleId'] === scheduleId);
}

/** Waits until people are told of a schedule; answers with all that they were told of it. */
export const untilTold = (stack: StackFolder, scheduleId: string, type: string): Promise<Told[]> =>
  eventually(`${type} of ${scheduleId} is told`, () => {
    const told = toldOf(stack, scheduleId);
    return told.some((one) => one.type === type) ? told : undefined;
  });

let files = 0;

/** Puts a file there whose rows are like no other file's of this process. */
export function putFile(stack: StackFolder, name: string, rows = 5): SampleRow[] {
  files += 1;
  const all = sampleRows({ rows: files * 50 + rows, currencies: ['USDT_TRC20'] });
  const own = all.slice(-rows);
  writeSample(join(incomingOf(stack), name), own);
  return own;
}

type ShownRun = Readonly<{
  run: string;
  state: string | null;
  detail: string | null;
  batchId: string;
}>;

/** What `bursar schedule show` says of a run. */
export async function shownRun(
  stack: TestStack,
  scheduleId: string,
  nominal: string,
): Promise<ShownRun | undefined> {
  const { value } = await stack.json('schedule', 'show', scheduleId);
  const { lastRuns = [] } = value as { lastRuns?: ShownRun[] };
  return lastRuns.find(({ run }) => run === nominal);
}

/** Waits until a run is in a state. */
export const untilRun = (
  stack: TestStack,
  { scheduleId, nominal, state }: { scheduleId: string; nominal: string; state: string },
): Promise<ShownRun> =>
  eventually(`the run for ${nominal} is ${state}`, async () => {
    const run = await shownRun(stack, scheduleId, nominal);
    return run?.state === state ? run : undefined;
  });

/** The error codes with which the runs failed that Temporal began for this schedule. */
export async function failedRunCodes(temporal: Client, scheduleId: string): Promise<string[]> {
  const query = `WorkflowType = 'scheduledBatch' AND ExecutionStatus = 'Failed'`;
  const codes: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    if (!isBegunByTemporal(workflowId, scheduleId)) continue;
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const end = events?.at(-1)?.workflowExecutionFailedEventAttributes;
    codes.push(end?.failure?.applicationFailureInfo?.type ?? '');
  }
  return codes;
}

const isBegunByTemporal = (workflowId: string, scheduleId: string): boolean =>
  ['-', '/again/'].some((mark) => workflowId.startsWith(`schedule/${scheduleId}${mark}`));

/** Waits until a run fails that Temporal began for this schedule. Returns its error code. */
export const untilRunFails = (temporal: Client, scheduleId: string): Promise<string> =>
  eventually('a workflow fails', async () => (await failedRunCodes(temporal, scheduleId))[0]);
