import { z } from 'zod';
import { ROWS_MAX } from '../../ingest/limits.ts';
import { BATCH_STATES } from '../../domain/batch/batch-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { SHOWN_OUTCOMES } from '../../domain/settling/outcome.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { findWord } from '../../operations/batch/find-word.ts';
import { followBatch as follow } from '../../operations/batch/follow-batch.ts';
import { listBatches as list } from '../../operations/batch/list-batches.ts';
import { readRows } from '../../operations/batch/rows.ts';
import { withSources, withSourcesToRead } from '../../operations/batch/sources.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';
import { standingView } from '../../operations/batch/standing-view.ts';
import { tellStory } from '../../operations/batch/story.ts';
import {
  listReportFiles as reportFilesOf,
  type ReportFiles,
} from '../../operations/report/report-files.ts';
import { listOperation, operation } from '../operation.ts';
import { batchStanding, listedBatch, workerSilence } from '../results/batch.ts';
import { foundPlace, rowStory, shownRow } from '../results/row.ts';
import { batchId, limit } from '../inputs.ts';

export const listBatches = listOperation({
  name: 'listBatches',
  summary: 'The batches, the newest first',
  role: 'read',
  http: 'GET /v1/batches',
  input: z.strictObject({
    states: z.array(z.enum(BATCH_STATES)).exactOptional(),
    limit: limit.exactOptional(),
  }),
  names: { schema: 'bursar.batch-list/v1', array: 'batches', lineSchema: 'bursar.batch-line/v1' },
  about: z.object({ worker: workerSilence.exactOptional() }),
  item: listedBatch,
  async run(input, context, use) {
    const { batches, ...about } = await list(input, context);
    return use({ about, items: batches });
  },
});

export const showBatch = operation({
  name: 'showBatch',
  summary: 'Where a batch stands',
  role: 'read',
  http: 'GET /v1/batches/:batchId',
  input: z.strictObject({ batchId }),
  result: batchStanding,
  run: (input, context) =>
    withSourcesToRead(context, async (sources) =>
      standingView(await readSnapshot(sources, input.batchId), context.clock.nowMs()),
    ),
});

export const followBatch = listOperation({
  name: 'followBatch',
  summary: 'Where a batch stands, again and again until it is over or a person must decide',
  role: 'read',
  http: 'GET /v1/batches/:batchId/events',
  input: z.strictObject({ batchId, timeoutMs: z.int().min(1).nullable().default(null) }),
  names: { schema: 'bursar.batch-events/v1', array: 'events', lineSchema: 'bursar.batch/v1' },
  about: z.object({}),
  item: batchStanding,
  run: (input, context, use) =>
    withSources(context, (sources) => use({ about: {}, items: follow(sources, input, context) })),
});

export const listRows = listOperation({
  name: 'listRows',
  summary: 'The rows of a batch with their outcomes, in the order of the file',
  role: 'read',
  http: 'GET /v1/batches/:batchId/rows',
  input: z.strictObject({
    batchId,
    outcomes: z.array(z.enum(SHOWN_OUTCOMES)).exactOptional(),
    after: z
      .int()
      .min(0)
      .exactOptional()
      .meta({ description: 'only rows behind this one, for the next page' }),
    limit: limit.exactOptional(),
  }),
  names: { schema: 'bursar.rows/v1', array: 'rows', lineSchema: 'bursar.row/v1' },
  about: z.object({ batchId }),
  item: shownRow,
  run: (input, context, use) =>
    withSourcesToRead(context, async (sources) => {
      const items = await readRows(sources, input);
      return use({ about: { batchId: input.batchId }, items });
    }),
});

export const explainRow = operation({
  name: 'explainRow',
  summary: 'The whole history of one row',
  role: 'read',
  http: 'GET /v1/batches/:batchId/rows/:row',
  input: z.strictObject({ batchId, row: z.int().min(1).max(ROWS_MAX) }),
  result: rowStory,
  run: (input, context) =>
    withSourcesToRead(context, async (sources) => {
      const record = await findRecord(sources, input.batchId);
      const story = await tellStory(sources, record, input.row);
      if (story !== undefined) return story;
      throw new BursarError('ROW_NOT_FOUND', { batchId: input.batchId, row: String(input.row) });
    }),
});

/** Characters of a word that is looked for. */
const WORD_LENGTH_MAX = 200;

export const find = operation({
  name: 'find',
  summary:
    'Payments by reference, address or payee name, and what an id of the service or a wallet stands for',
  role: 'read',
  http: 'GET /v1/find',
  input: z.strictObject({ word: z.string().trim().min(1).max(WORD_LENGTH_MAX) }),
  result: z.object({
    schema: z.literal('bursar.finds/v1'),
    word: z.string(),
    finds: z.array(foundPlace),
    more: z.boolean(),
  }),
  run: ({ word }, context) =>
    withSourcesToRead(context, async (sources) => ({
      schema: 'bursar.finds/v1' as const,
      word,
      ...(await findWord(sources, word)),
    })),
});

const reportFiles: z.ZodType<ReportFiles> = z.object({
  schema: z.literal('bursar.report-files/v1'),
  batchId: z.string(),
  version: z.int(),
  reportUrl: z.string(),
  files: z.array(
    z.object({
      name: z.string(),
      sha256: z.string(),
      workbook: z
        .string()
        .nullable()
        .meta({ description: 'the rows as an Excel workbook, to be fetched by this name' }),
    }),
  ),
});

export const listReportFiles = operation({
  name: 'listReportFiles',
  summary: 'The files of the newest report of an ended batch',
  role: 'read',
  http: 'GET /v1/batches/:batchId/report',
  input: z.strictObject({ batchId }),
  result: reportFiles,
  run: reportFilesOf,
});
