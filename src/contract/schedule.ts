import type { Approval } from '../domain/approval/statement.ts';
import type { EndState } from '../domain/batch/batch-state.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Timing } from '../domain/schedule/timing.ts';
import type { Refused } from './activities.ts';
import { type BatchInput, type BatchOptions, readBatchOptions } from './batch.ts';
import type { OfStore } from './store.ts';

/** A schedule as it was created. It is never changed: another definition is another schedule. */
export type ScheduleDefinition = Timing &
  Readonly<{
    /** Name of the account in the settings of the workers. */
    accountRef: string;
    file: Readonly<{
      /** A path below the folder of scheduled files. */
      pattern: string;
      /** Whether a run may take the very file that an earlier one took. */
      allowUnchanged: boolean;
    }>;
    /** The options of each of its batches. Each run sets `at`. */
    options: BatchOptions;
  }>;

/** The definition as the store keeps it; choices that there were not when it was written down are made as for batches. */
export function readDefinition(record: Readonly<{ definitionJson: string }>): ScheduleDefinition {
  const definition = JSON.parse(record.definitionJson) as ScheduleDefinition;
  return { ...definition, options: readBatchOptions(JSON.stringify(definition.options)) };
}

/** The demand of a person for one run, by name. `submission`: their signed submit of that run. */
export type Demand = Readonly<{
  nominal: string;
  by: string;
  reason: string;
  submission?: Approval;
}>;

/** Starts the run whose time has come, or the one that a person demanded. */
export type ScheduledBatchInput = OfStore & Readonly<{ scheduleId: string; demand: Demand | null }>;

/** The end of one run. `error`: why no batch of it began or it was rejected, or how its workflow ended. */
export type RunEnd = Readonly<{
  nominal: string;
  batchId: string | null;
  state: EndState | 'FAILED' | 'MISSED' | 'LEFT';
  note: string;
  error: ErrorNote | null;
}>;

export type ScheduledResult = Readonly<{ runs: readonly RunEnd[] }>;

export type ClaimInput = Readonly<{
  scheduleId: string;
  /** The instant for which Temporal started the workflow, ISO 8601; null for a demand of a person. */
  startAt: string | null;
  demand: Demand | null;
}>;

/** Whether a run may be carried out. */
export type Claim = Readonly<{ nominal: string; dueAt: string }> &
  Readonly<
    | {
        kind: 'claimed' /** After it nothing may begin; null: a person asked. */;
        latestStart: string | null;
      }
    | {
        kind: 'left';
        why: string;
        /** The refusal of a demand for this run. */
        error?: ErrorNote;
      }
    | { kind: 'missed'; error: ErrorNote }
  >;

export type Claims = Readonly<{ kind: 'claims'; claims: readonly Claim[] }>;

export type RunRef = Readonly<{ scheduleId: string; nominal: string }>;

export type TakeFileInput = RunRef & Readonly<{ demand: Demand | null }>;

/** The file of a run is copied, and this is its batch. `begun`: it is under way, by a former execution of the workflow. */
export type FileTaken = Readonly<{ kind: 'taken'; batch: BatchInput; begun: boolean }>;

export type EndRunInput = RunRef &
  Readonly<
    | { kind: 'ended'; batchId: string; state: EndState }
    /** Its batch was rejected before anything was sent; `problem`: why, in sentences. */
    | { kind: 'rejected'; batchId: string; problem: string }
    /** No batch began: the run may be demanded again. */
    | { kind: 'failed'; error: ErrorNote }
    /** Its batch began, and no workflow follows it. */
    | { kind: 'lost'; batchId: string; error: ErrorNote }
  >;

/** A batch that another workflow started, by the store. */
export type BatchStanding = Readonly<
  { kind: 'open' } | { kind: 'ended'; state: EndState; error: ErrorNote | null } | { kind: 'other' }
>;

export type ScheduleActivities = Readonly<{
  /** Takes the runs of this moment for this workflow. */
  claimRuns(input: ClaimInput): Promise<Claims | Refused>;
  /** Finds the file of a claimed run, copies it and stores it. */
  takeFile(input: TakeFileInput): Promise<FileTaken | Refused>;
  /** The state of a run's batch that another workflow started. */
  findBatch(input: RunRef): Promise<BatchStanding>;
  /** Writes down how a run ended; answers with why it failed, or null when it did not. */
  endRun(input: EndRunInput): Promise<ErrorNote | null>;
  /** Makes the list of runs in Temporal longer again. */
  listRuns(input: Readonly<{ scheduleId: string }>): Promise<void>;
}>;
