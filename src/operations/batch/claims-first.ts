import type { BatchOptions } from '../../contract/batch.ts';
import type { FundsClaim } from '../../domain/funds/claim.ts';
import { claimsBeforePlanned } from '../../domain/funds/order.ts';
import type { Store } from '../../store/index.ts';

/** The parts of a planned batch that decide its place in the queue for the balance. */
type PlannedBatch = Readonly<{
  batchId: string;
  account: string | null;
  options: BatchOptions;
}>;

/**
 * The claims that come before a batch; null when its account is unknown. Read them before the balance. A claim that is
 * granted between the two reads then counts twice, and its money never counts as free.
 */
export async function readClaimsFirst(
  { funds }: Store,
  { batchId, account, options: { beforeScheduled } }: PlannedBatch,
  nowMs: number,
): Promise<FundsClaim[] | null> {
  if (account === null) return null;
  const { claims } = await funds.look(account);
  return claimsBeforePlanned(claims, { batchId, beforeScheduled }, nowMs);
}
