import type { BatchInput } from '../../contract/batch.ts';
import type { Act } from '../../contract/messages.ts';
import type { ApprovalStatus } from '../../contract/status.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import type { BatchFigures } from './batch-details.ts';
import { type BatchNews, openBatchNews } from './batch-news.ts';

export type PartitionPlace = 'started' | 'sent' | 'settled';

/** The memory of a running batch. */
export type Notes = {
  readonly news: BatchNews;
  state: BatchState;
  since: string;
  note: string;
  figures: Partial<BatchFigures>;
  partitionsTotal: number;
  readonly partitions: Map<number, PartitionPlace>;
  readonly needsOperator: Map<number, readonly number[]>;
  canceled: Act | null;
  /** Who of the approvers said no; before anything was paid, that refuses the batch, and later it cancels the rest. */
  refused: Act | null;
  halted: string | null;
  fundsNews: boolean;
  /** What is being written down that no handler waits for. */
  noting: Promise<void>;
  holds: readonly Hold[];
  approval: ApprovalStatus | null;
};

/** The memory of a batch that begins. */
export const freshNotes = (input: BatchInput): Notes => ({
  news: openBatchNews(input),
  state: 'INGESTING',
  since: new Date().toISOString(),
  note: 'reads the file',
  figures: {},
  partitionsTotal: 0,
  partitions: new Map(),
  needsOperator: new Map(),
  canceled: null,
  refused: null,
  halted: null,
  fundsNews: false,
  noting: Promise.resolve(),
  holds: [],
  approval: null,
});
