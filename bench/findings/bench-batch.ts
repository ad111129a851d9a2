import type { NewBatch } from '../../src/store/batches/types.ts';

/** The account that all batches of the bench are of. */
export const ACCOUNT = '0xbe0c000000000000000000000000000000000001';

/** A batch that was submitted a moment ago, so that all of them count as near. */
export const newBenchBatch = (batchId: string): NewBatch => ({
  batchId,
  code: batchId,
  accountRef: 'main',
  account: ACCOUNT,
  fileName: 'bench.csv',
  fileSha256: batchId,
  submittedBy: 'bench',
  submittedAtMs: Date.now(),
  optionsJson: '{}',
  generation: 0,
  parentBatchId: null,
});
