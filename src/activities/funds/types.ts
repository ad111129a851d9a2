import type { Service } from '../service/service.ts';
import type { Store } from '../../store/index.ts';
import type { BatchRecord } from '../../store/batches/types.ts';

export type FundsDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  /** Throws ENDS_UNREADABLE where the service understands no read of a mass payout. */
  requireReadableEnds(): Promise<void>;
  /** Waits between two questions. */
  pause(delayMs: number): Promise<void>;
}>;

/** A batch that has a plan. */
export type PlannedBatch = BatchRecord & Readonly<{ summary: NonNullable<BatchRecord['summary']> }>;
