import { z } from 'zod';
import type { AdminAnswer, AdminSnapshot } from '../../admin/index.ts';
import type { Snapshot, StateControl } from '../../snapshots.ts';
import { adminRoute, Nothing } from './route.ts';
import { isoTime } from './times.ts';

const Named = z.strictObject({ id: z.string().max(100) });

/**
 * POST /sandbox/reset, and /sandbox/snapshots: whole states of the sandbox. A reset and a restore
 * end the requests, the waits and the webhooks that are under way.
 */
export const stateRoutes = (states: StateControl) => [
  adminRoute({
    endpoint: 'POST /reset',
    input: Nothing,
    answer: async (): Promise<AdminAnswer<'POST /reset'>> => {
      await states.reset();
      return {};
    },
  }),
  adminRoute({
    endpoint: 'GET /snapshots',
    input: Nothing,
    answer: (): AdminAnswer<'GET /snapshots'> => snapshotsOf(states),
  }),
  adminRoute({
    endpoint: 'POST /snapshots',
    input: Nothing,
    answer: async (): Promise<AdminAnswer<'POST /snapshots'>> =>
      snapshotRecord(await states.takeSnapshot()),
  }),
  adminRoute({
    endpoint: 'POST /snapshots/restore',
    input: Named,
    answer: async ({ id }): Promise<AdminAnswer<'POST /snapshots/restore'>> => {
      await states.restore(id);
      return { id };
    },
  }),
  adminRoute({
    endpoint: 'DELETE /snapshots',
    input: Named,
    answer: ({ id }): AdminAnswer<'DELETE /snapshots'> => {
      states.removeSnapshot(id);
      return snapshotsOf(states);
    },
  }),
];

const snapshotsOf = (states: StateControl) => ({
  snapshots: states.snapshots().map(snapshotRecord),
});

const snapshotRecord = ({ id, atMs, bytes }: Snapshot): AdminSnapshot => ({
  id,
  time: isoTime(atMs),
  sizeBytes: bytes.length,
});
