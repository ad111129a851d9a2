import type { BatchOptions } from '../../contract/batch.ts';
import type { Claim } from '../../domain/funds/claim.ts';
import { claimsBeforePlanned } from '../../domain/funds/order.ts';
import type { Store } from '../../store/index.ts';

/** A batch that is planned, as far as its place in the order of asking goes. */
type PlannedBatch = Readonly<{
  batchId: string;
  account: string | null;
  options: Pick<BatchOptions, 'beforeScheduled'>;
}>;

/**
 * The claims whose money is kept before a batch may pay; null when its account is not known. Read them before the balance: what is taken in between then counts
 * twice, and never as free.
 */
export async function readClaimsFirst(
  { funds }: Pick<Store, 'funds'>,
  { batchId, account, options: { beforeScheduled } }: PlannedBatch,
  nowMs: number,
): Promise<Claim[] | null> {
  if (account === null) return null;
  const { claims } = await funds.look(account);
  return claimsBeforePlanned(claims, { batchId, beforeScheduled }, nowMs);
}
