import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.ts';
import { sampleRows, type SampleRow, writeSample } from './sample-file.ts';
import type { TestStack } from './test-stack.ts';

export const newScheduleId = (): string => `rent-${randomUUID().slice(0, 8)}`;

/** A minute that begins soon, as a daily rule in UTC: cron knows no seconds. */
export function soonRule(aheadMs: number) {
  const dueMs = Math.ceil((Date.now() + aheadMs) / 60_000) * 60_000;
  const nominal = new Date(dueMs).toISOString().slice(0, 16);
  const [hour, minute] = nominal.slice(11).split(':').map(Number);
  return { cron: `${minute} ${hour} * * *`, nominal, dueMs };
}

/** The run of a daily rule so many days before another one. */
export const daysBefore = (nominal: string, days: number): string =>
  new Date(Date.parse(`${nominal}Z`) - days * 86_400_000).toISOString().slice(0, 16);

/** Folder from which the scheduled files of a stack are taken. */
export function incomingOf({ folder }: Pick<TestStack, 'folder'>): string {
  const incoming = join(folder, 'incoming');
  mkdirSync(incoming, { recursive: true });
  return incoming;
}

let files = 0;

/** Puts a file there whose rows are like no other file's of this process. */
export function putFile(stack: Pick<TestStack, 'folder'>, name: string, rows = 5): SampleRow[] {
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
