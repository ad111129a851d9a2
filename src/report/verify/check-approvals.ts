import { missingAuthority } from '../../domain/approval/authority.ts';
import type { Store } from '../../store/store.ts';
import type { Problems } from './problems.ts';
import type { Found } from './verify-batch.ts';

/** Verifies again that a batch that was released had every signed statement that its policy asked for. */
export async function checkApprovals(
  { approvals }: Pick<Store, 'approvals'>,
  { batchId, found }: Readonly<{ batchId: string; found: Pick<Found, 'checked'> }>,
  problems: Problems,
): Promise<void> {
  const facts = await approvals.authority(batchId);
  if (facts === undefined || facts.batch.releasedAtMs === null) return;
  const why = missingAuthority(facts);
  if (why !== null) problems.add('BATCH_NOT_APPROVED', { batchId, why });
  found.checked.push({ what: 'releases held against signed approvals', count: 1 });
}
