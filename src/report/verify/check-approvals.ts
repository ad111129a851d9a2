import { type BatchAuthority, lackingAuthority } from '../../domain/approval/audit-authority.ts';
import {
  OLDER_STORE,
  type OlderStoreNote,
  unsignedNotes,
} from '../../domain/approval/older-store.ts';
import type { StoreParts } from '../../store/index.ts';
import type { Problems } from './problems.ts';
import type { CheckLists } from './verification-state.ts';

type ApprovalCheck = Readonly<{
  batchId: string;
  found: CheckLists;
  olderNotes: readonly OlderStoreNote[];
}>;

/** Checks that a batch had every signed statement that its policy requires. */
export async function checkApprovals(
  store: StoreParts,
  { batchId, found, olderNotes }: ApprovalCheck,
  problems: Problems,
): Promise<void> {
  const facts = await store.approvals.authority(batchId);
  if (facts === undefined) return;
  const lacking = [
    ...lackingAuthority(facts),
    ...(await lackingNotes(store, facts.batch, olderNotes)),
  ];
  for (const why of lacking) problems.add('BATCH_NOT_APPROVED', { batchId, why });
  if (facts.batch.releasedAtMs === null) return;
  found.checked.push({ what: 'releases compared with signed approvals', count: 1 });
}

async function lackingNotes(
  { approvals, batches }: StoreParts,
  { batchId, plannedAtMs }: BatchAuthority['batch'],
  notes: readonly OlderStoreNote[],
): Promise<string[]> {
  const batch = notes.length === 0 ? undefined : await batches.find(batchId);
  if (batch === undefined) return [];
  const { rules, submittedAtMs, endedAtMs } = batch;
  const batchFacts = { policy: rules?.approval ?? null, submittedAtMs, plannedAtMs, endedAtMs };
  const statements = (await approvals.statements(OLDER_STORE)).map(({ approval }) => approval);
  return unsignedNotes(batchFacts, notes, statements).map(
    ({ seq }) => `no person of its policy signed entry ${seq}, that the store is an older copy`,
  );
}
