import type { Write } from './writes.ts';

const SCHEDULE = 'rent';

/** Claims a run, unless another worker has it. */
export const claimRun =
  (claimant: string): Write =>
  (store) =>
    store.scheduleRuns.claim(
      { scheduleId: SCHEDULE, nominal: '2026-05-04T09:00', dueAtMs: 1_000, atMs: 1_001, claimant },
      (record) => ({
        decision:
          record === undefined || record.claimedBy === claimant
            ? { kind: 'claim' }
            : { kind: 'taken', record },
      }),
    );

/** Takes a file for a run. */
export const takeFile =
  (nominal: string, claimant: string): Write =>
  (store) =>
    store.scheduleRuns.takeFile(
      { scheduleId: SCHEDULE, nominal },
      {
        file: { name: 'a.csv', sha256: 'the file', batchId: `rent-${nominal.slice(0, 10)}` },
        claimant,
        rejected: 0,
        allowUnchanged: false,
        atMs: 2_000,
      },
    );
