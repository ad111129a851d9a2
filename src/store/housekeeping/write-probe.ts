import type { Access } from '../database/decide.ts';

/** The name of the record that the probe writes and removes. No health check has it. */
const PROBE = 'write probe';

/** A write that leaves nothing behind. It fails as other writes do: on a full disk, a lock, or a file that may only be read. */
export const createWriteProbe =
  ({ decide }: Access) =>
  async (): Promise<void> =>
    decide([{ part: 'probe' }], async (tx) => {
      const probe = { name: PROBE, condition: 'PROBE', since_ms: 0, seen_at_ms: 0, detail: '' };
      await tx.insertInto('health_check').values(probe).execute();
      await tx.deleteFrom('health_check').where('name', '=', PROBE).execute();
    });
