import { lackingAuthority } from '../../domain/approval/batch-authority.ts';
import type { Store } from '../../store/store.ts';
import type { Problems } from './problems.ts';
import type { Found } from './verify-batch.ts';

/** Verifies again that a batch had every signed statement that its policy asked for. */
export async function checkApprovals(
  { approvals }: Pick<Store, 'approvals'>,
  { batchId, found }: Readonly<{ batchId: string; found: Pick<Found, 'checked'> }>,
  problems: Problems,
): Promise<void> {
  const facts = await approvals.authority(batchId);
  if (facts === undefined) return;
  for (const why of lackingAuthority(facts)) problems.add('BATCH_NOT_APPROVED', { batchId, why });
  if (facts.batch.releasedAtMs === null) return;
  found.checked.push({ what: 'releases held against signed approvals', count: 1 });
}
