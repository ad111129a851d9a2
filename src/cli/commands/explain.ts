import { explainRow } from '../../app/batches/look.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { storyText } from '../print/story-text.ts';

type ExplainFlags = Readonly<{ batch: string; row: string }>;

/** `bursar explain BATCH ROW`: the history of one row. */
export async function explain(flags: ExplainFlags, context: Context): Promise<number> {
  const input = { batchId: readBatchId(flags.batch), row: readRow(flags.row) };
  const story = await perform(explainRow, input, context);
  printResult(context, { json: story, text: storyText(story, context) });
  return EXIT.done;
}

function readRow(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw flagInvalid('ROW', `"${text}" is not the number of a line`);
}
