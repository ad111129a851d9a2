import type { Files } from '../../files/index.ts';
import type { Store } from '../../store/index.ts';
import type { HousekeepingTask } from './task.ts';

export type UploadRoundDeps = Readonly<{
  store: Store;
  blobs: Files;
  nowMs(): number;
}>;

/** How long an upload without a plan or a submit is kept, in milliseconds: 7 days. */
export const UPLOAD_KEPT_MS = 7 * 86_400_000;

/** Uploads that one round removes; a later round removes the others. */
const PER_ROUND_MAX = 1_000;

/** Removes uploads that were neither submitted nor planned for 7 days. A copy that a batch or a run names stays. */
export const createUploadRound = (deps: UploadRoundDeps): HousekeepingTask => ({
  name: 'uploads',
  run: () => run(deps),
});

async function run({ store, blobs, nowMs }: UploadRoundDeps): Promise<string> {
  let removed = 0;
  for await (const { sha256, atMs } of blobs.uploads.list()) {
    if (removed >= PER_ROUND_MAX) break;
    if (nowMs() - atMs < UPLOAD_KEPT_MS) continue;
    if (await store.retention.isFileNamed(sha256)) {
      await blobs.uploads.unmark(sha256);
    } else {
      await blobs.remove(sha256);
      removed += 1;
    }
  }
  return removed === 0 ? 'none to remove' : `${removed} removed`;
}
