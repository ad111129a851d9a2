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

/** A row with its transaction, a row without one, or a transaction without a row. What there is not is left out. */
export type ReconciliationLine = Readonly<
  Partial<Record<(typeof COLUMNS)[number], string | undefined>>
>;

export type ReconciliationWriter = Readonly<{
  add(line: ReconciliationLine): void;
  /** To be called now and then: hands what was added to the disk once it is enough. */
  flush(): Promise<void>;
  /** Gives both files their names; the statement comes last. */
  publish(statement: Reconciliation): Promise<void>;
  /** Removes everything that was not published. */
  discard(): Promise<void>;
}>;

/** Starts the two files of a statement, `<stem>.csv` and `<stem>.json`, in a folder that is made if needed. */
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
