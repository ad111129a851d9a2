import type { Reconciliation } from '../domain/reconcile/statement.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { startDrafts } from './drafts.ts';
import { createLineWriter, sheetHeader } from './sheet.ts';

const COLUMNS = [
  'row',
  'address',
  'amount',
  'currency',
  'reference',
  'outcome',
  'massPayoutId',
  'difference',
  'certainty',
  'equalRows',
  'transactionHash',
  'createdDate',
  'serviceFee',
  'serviceFeeCurrency',
  'networkFee',
  'networkFeeCurrency',
] as const;

/** A row with its transaction, a row alone, or a transaction alone. Missing cells stay empty. */
export type ReconciliationLine = Readonly<
  Partial<Record<(typeof COLUMNS)[number], string | undefined>>
>;

export type ReconciliationWriter = Readonly<{
  add(line: ReconciliationLine): void;
  /** Writes the collected lines to disk once they are enough. Call it often. */
  flush(): Promise<void>;
  /** Renames both files to their names. The statement is the last one. */
  publish(statement: Reconciliation): Promise<void>;
  /** Removes both files unless they are published. */
  discard(): Promise<void>;
}>;

/**
 * Starts the two files `<stem>.csv` and `<stem>.json` of a statement. The folder is made if needed.
 */
export async function startReconciliation(
  { dir, stem }: Readonly<{ dir: string; stem: string }>,
  disk: Disk = nodeDisk,
): Promise<ReconciliationWriter> {
  const files = [`${stem}.csv`, `${stem}.json`] as const;
  const [csv, json] = files;
  const drafts = await startDrafts(disk, dir, files);
  const writeLine = createLineWriter(COLUMNS.length);
  const lines = drafts.draft(csv, sheetHeader([...COLUMNS]));
  return {
    add: (line) => lines.add(writeLine(COLUMNS.map((column) => line[column] ?? ''))),
    async flush() {
      if (drafts.isFull()) await drafts.flush();
    },
    async publish(statement) {
      drafts.draft(json).add(`${JSON.stringify(statement, undefined, 2)}\n`);
      await drafts.publish(files);
    },
    discard: () => drafts.discard(),
  };
}
