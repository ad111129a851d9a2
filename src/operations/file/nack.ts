import { join } from 'node:path';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';
import type { OperationContext } from '../context.ts';
import { shownPath } from '../text/shown-path.ts';
import { unwritable } from '../text/unwritable.ts';
import { holdsReport } from './holds-report.ts';

/** Writes the faults of refused rows into the folder of the batch. Returns the path. */
export async function writeNackFile(
  refused: readonly RefusedRow[],
  dir: string,
  { cwd }: OperationContext,
): Promise<string> {
  const { writeRefusedRows: writeNack } = await import('../../report/write-refused-rows.ts');
  const file = (await holdsReport(dir)) ? 'plan.nack.csv' : 'nack.csv';
  try {
    await writeNack({ dir, file, refused });
  } catch (error) {
    throw unwritable('report.dir', error);
  }
  return shownPath(join(dir, file), cwd);
}
