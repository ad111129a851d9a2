import type { AdminSnapshot } from '@bursar/sandbox/admin';
import { flag } from '../../operation-table/operation.ts';
import { list, type ListView } from '../../operation-table/printout.ts';
import { printable } from '../../terminal/printable.ts';
import { text } from './fields.ts';
import { sandboxOperation, sandboxRecord } from './operations.ts';

const SNAPSHOT_VIEW: ListView<AdminSnapshot> = {
  schema: 'bursar.sandbox-snapshots/v1',
  array: 'snapshots',
  lineSchema: 'bursar.sandbox-snapshot/v1',
  columns: [
    { title: 'ID', width: 36, cell: (of) => of.id },
    { title: 'BYTES', width: 12, right: true, cell: (of) => of.sizeBytes },
    { title: 'TIME', width: 0, cell: (of) => ({ moment: of.time }) },
  ],
};

const named = { id: flag('<id>', 'id of the snapshot', text) };

/** Whole states of the sandbox. */
export const STATE_OPERATIONS = [
  sandboxRecord({
    name: 'reset',
    summary: 'start afresh: no mass payout, and nothing that was set here',
    endpoint: 'POST /reset',
    schema: 'bursar.sandbox-reset/v1',
    text: () => 'The sandbox is as at its first start.',
  }),
  sandboxOperation({
    name: 'snapshots list',
    isDefault: true,
    summary: 'list the snapshots (the default)',
    run: async (_given, sandbox) =>
      list(SNAPSHOT_VIEW, (await sandbox.call('GET /snapshots')).snapshots),
  }),
  sandboxRecord({
    name: 'snapshots take',
    summary: 'keep the whole state in the memory of the sandbox',
    endpoint: 'POST /snapshots',
    schema: 'bursar.sandbox-snapshot/v1',
    text: ({ id }) => printable(`Snapshot ${id} is there.`),
  }),
  sandboxRecord({
    name: 'snapshots restore',
    summary: 'return to a snapshot, which stays',
    fields: named,
    endpoint: 'POST /snapshots/restore',
    schema: 'bursar.sandbox-restore/v1',
    text: ({ id }) => printable(`The sandbox is as in snapshot ${id}.`),
  }),
  sandboxOperation({
    name: 'snapshots remove',
    summary: 'remove a snapshot',
    fields: named,
    run: async (given, sandbox) =>
      list(SNAPSHOT_VIEW, (await sandbox.call('DELETE /snapshots', given)).snapshots),
  }),
];
