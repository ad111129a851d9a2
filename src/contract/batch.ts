import type { Approval } from '../domain/approval/statement.ts';
import type { EndState } from '../domain/batch/batch-state.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { ExpectedPlan, SeenNote } from '../domain/plan/expected-plan.ts';
import type { Totals } from '../domain/report/totals.ts';
import type { OfStore } from './store.ts';
import type { FileForm } from '../domain/rows/file-form.ts';
import type { RowTagMode } from '../domain/rows/row-tag.ts';

/** How many chunks a partition sends side by side, and how often it reads a mass payout. */
export type PartitionPace = Readonly<{
  chunksInFlight: number;
  pollMinMs: number;
  pollMaxMs: number;
}>;

/** The choices of the submitter. Instants are ISO 8601 with an offset, amounts decimal text, durations milliseconds. */
export type SubmitterChoices = Readonly<{
  /** Currency of rows that name none. */
  currency: string | null;
  skipInvalid: boolean;
  expectCount: number | null;
  /** `AMOUNT` or `AMOUNT:CURRENCY`, one for each currency of the file. */
  expectTotals: readonly string[];
  /** Codes of findings that the submitter has seen and accepts. */
  accept: readonly string[];
  /** When Bursar starts to pay; null: at once. */
  at: string | null;
  /** Handed to the service, which pays at that time; null: not sent. */
  executionDate: string | null;
  /** What to do when the account holds too little: fail, or wait this long for a top-up. */
  fundsWaitMs: number | null;
  /** Whether it is paid before batches that came first and whose time has not come, or that wait for people. */
  beforeScheduled: boolean;
  /** How the file is to be read, as far as it cannot show that; missing: nothing was stated. */
  form?: FileForm;
}>;

/** The options that decide which payments are made. With these and the file, the same batch can be started again. */
export type PaymentOptions = SubmitterChoices &
  Readonly<{
    chunkRows: number;
    rowTag: RowTagMode;
    /** Rows of the first chunk of each currency, which must be paid before any other is sent; 0: no such chunk. */
    canaryRows: number;
    /** Percentages of rows (`5%`) and sums (`1000:USDT_TRC20`) above which failures stop the batch. */
    stopLoss: readonly string[];
  }>;

/**
 * The options of a batch. `expectedDigest`: the confirmed plan, any other one is refused; null: the plan that the worker makes.
 * `rowsSha256`: the hash of the confirmed rows of a resend, which pays no others; missing in resends of older versions.
 */
export type BatchOptions = PartitionPace &
  PaymentOptions &
  Readonly<{ expectedDigest: ExpectedPlan | null; rowsSha256?: string }>;

/** Starts a batch: references and choices, never rows, keys or secrets. */
export type BatchInput = OfStore &
  Readonly<{
    batchId: string;
    /** Name of the account in the settings of the workers. */
    accountRef: string;
    file: Readonly<{ name: string; sha256: string }>;
    options: BatchOptions;
    /**
     * The notes of the confirmed plan: codes, counts and numbers of rows. Missing where no plan was confirmed, and in a
     * batch that is started again from the store.
     */
    seenNotes?: readonly SeenNote[];
    submittedBy: string;
    submittedAt: string;
    generation: number;
    /** The batch that this one is a resend of: its rows come from the store then, not from the file. */
    parentBatchId: string | null;
    /**
     * The statement of the submitter of a resend: nothing of it was sent again elsewhere. Missing in batches of a file.
     */
    statement?: string;
    /** The signed submit: of this batch, of its schedule, or of its run. Missing without a policy. */
    submission?: Approval;
  }>;

/** How a batch ended. The rows' outcomes are in the store and the report. */
export type BatchResult = Totals &
  Readonly<{
    state: EndState;
    digest: string | null;
    /**
     * The address of the report at the end: a folder (`file:`) or a prefix in a bucket (`s3:`); null: there is none. Missing in
     * results of older workers, which have `reportDir`, a path of their machine.
     */
    reportUrl?: string | null;
    error: ErrorNote | null;
  }>;

/** Choices that batches had no need to make when older workers wrote them down. */
const LATER_OPTIONS = {
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  beforeScheduled: false,
} as const;

/** Reads the choices of a batch as they were written down when it was submitted. */
export const readBatchOptions = (optionsJson: string): BatchOptions => ({
  ...LATER_OPTIONS,
  ...(JSON.parse(optionsJson) as BatchOptions),
});
