import type { ScheduleDefinition } from '../../contract/schedule.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import type { Files } from '../../files/index.ts';
import type { Store } from '../../store/index.ts';

/** An event of a run for people. One key is sent once. Never an address or a secret. */
export type ScheduleNews = Readonly<{
  event: 'schedule.missed' | 'schedule.failed';
  batchId: string | null;
  key: string;
  data: Readonly<Record<string, string | null>>;
}>;

/** Temporal's schedules, as activities use them. */
export type Timetables = Readonly<{
  /**
   * Updates Temporal's list of runs, and returns the state of the schedule there. `unknown`: Temporal has no such
   * schedule, and only a person may change that.
   */
  sync(definition: ScheduleDefinition, nowMs: number): Promise<'at work' | 'paused' | 'unknown'>;
  /**
   * Lets Temporal start under other ids from now on, made of `tag`. A run that was started ahead of its time has used
   * its id up, and would not be started again when it is due.
   */
  renewIds(scheduleId: string, tag: string): Promise<void>;
  /** Whether a workflow is running. */
  isRunning(workflowId: string): Promise<boolean>;
}>;

export type ScheduleDeps = Readonly<{
  store: Store;
  blobs: Files;
  timetables: Timetables;
  /** The approval policy of this worker's settings. */
  policy: ApprovalPolicy | null;
  /** The only folder, or prefix of a bucket, from which scheduled files are taken. */
  folder: string;
  /** The files of that prefix; null: a folder. */
  bucket: Files | null;
  notify(news: ScheduleNews): Promise<void>;
  nowMs(): number;
}>;
