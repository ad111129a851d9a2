import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { withSourcesToRead } from '../../operations/batch/sources.ts';
import { tellStory } from '../../operations/batch/story.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { printResult } from '../print/output.ts';
import { storyText } from '../print/story-text.ts';

type ExplainFlags = Readonly<{ batch: string; row: string }>;

/** `bursar explain BATCH ROW`: the history of one row. */
export async function explain(flags: ExplainFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const row = readRow(flags.row);
  return withSourcesToRead(context, async (sources) => {
    const record = await findRecord(sources, batchId);
    const story = await tellStory(sources, record, row);
    if (story === undefined) throw new BursarError('ROW_NOT_FOUND', { batchId, row: flags.row });
    printResult(context, { json: story, text: storyText(story, context) });
    return EXIT.done;
  });
}

function readRow(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw flagInvalid('ROW', `"${text}" is not the number of a line`);
}
