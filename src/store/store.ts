import { createBatchStore } from './batches.ts';
import { createChunkStore } from './chunks.ts';
import { createFundStore } from './funds.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLateStore } from './late.ts';
import { createLineageStore } from './lineage.ts';
import { createLookStore } from './looks.ts';
import { createPaceStore } from './pace.ts';
import { createProofStore } from './proofs.ts';
import { createSendStore } from './sends.ts';
import { createSettlementStore } from './settlements.ts';
import { openSqlite } from './sqlite.ts';
import { createStagingStore } from './staging.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the store behind `store.url`. Throws STORE_UNUSABLE when it cannot be opened and written. */
export async function openStore(url: string) {
  const db = await openSqlite(url);
  const write = createGroupCommit(db);
  return {
    db,
    batches: createBatchStore(db),
    staging: createStagingStore(db),
    chunks: createChunkStore(db),
    sends: createSendStore(db, write),
    settlements: createSettlementStore(db, write),
    looks: createLookStore(db, write),
    lineage: createLineageStore(db),
    late: createLateStore(db, write),
    funds: createFundStore(db),
    proofs: createProofStore(db),
    pace: createPaceStore(db),
    close: () => db.destroy(),
  };
}
