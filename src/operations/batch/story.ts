import type { Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { batchWorkflowId } from '../../contract/names.ts';
import { type DetailedNote, detailedNoteOf } from '../../domain/errors/error-details.ts';
import type { ReportRow } from '../../domain/report/report.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { SendRecord } from '../../domain/sending/send-record.ts';
import {
  canBeResent,
  fixText,
  investigationText,
  needsInvestigation,
  reasonText,
} from '../../report/row-advice.ts';
import { type LineageOutcome, standingOf, tellingOf } from '../../domain/lineage/lineage.ts';
import { composeReport } from '../../report/compose-report.ts';
import type { GenerationRow } from '../../report/lineage-rows.ts';
import { reportRows, type ShownRow, shownRow } from '../../report/report-rows.ts';
import { readRowHistories } from '../../report/row-history.ts';
import { shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { outcomeAt } from './found-payments.ts';
import {
  type GenerationStory,
  generationStories,
  IS_PAID,
  type RowNextStep,
  nextInLine,
  type RowStep,
} from './generation-story.ts';

/** The history of one row, from its line in the file to the next step. */
type RowTale = Readonly<{
  schema: 'bursar.row-story/v1';
  batchId: string;
  parentBatchId: string | null;
  generation: number;
  file: Readonly<{ name: string; sha256: string }>;
  row: ShownRow;
  /** Why the row was refused when the file was read. */
  refusedFor: readonly DetailedNote[];
  chunk: ChunkStory | null;
  /** When its outcome was first seen, ISO 8601 in UTC; null while it is open. */
  at: string | null;
  /** Changes of its outcome after the report of its batch, the oldest first. Instants are ISO 8601 in UTC. */
  changes: readonly Readonly<{ at: string; before: Outcome; after: Outcome }>[];
  /** Why it has its outcome; empty without a reason. */
  why: string;
  /** The next step of a person, in a sentence; empty: there is none. */
  next: string;
  step: RowStep;
}>;

export type RowStory = RowTale &
  Readonly<{
    /** The row in each batch of the lineage that holds it, the oldest first. */
    lineage: readonly GenerationStory[];
    /** The outcome of the row over all of them. */
    standing: LineageOutcome;
    /** The batches that paid it. */
    paidBy: readonly string[];
  }>;

/** Instants are ISO 8601 in UTC. */
export type ChunkStory = Readonly<{
  chunk: number;
  firstRow: RowNumber;
  lastRow: RowNumber;
  rows: number;
  currency: string;
  total: string;
  idempotencyKey: string;
  externalId: string;
  /** The state of its mass payout once there is one. */
  state: string;
  massPayoutId: string | null;
  fee: string | null;
  needsOperator: string | null;
  attempts: readonly Readonly<{
    n: number;
    signedAt: string;
    endedAt: string | null;
    outcome: string;
    httpStatus?: number;
    errorCode?: string;
    traceId?: string;
  }>[];
  lookups: readonly Readonly<{ at: string; result: string; afterAttempts: number }>[];
  /** The answer of a person, if one was given. */
  answer: string | null;
}>;

/**
 * Reads the history of one row, from the batch of the lineage that decides about it. Returns undefined when the file
 * has no such row.
 */
export async function tellStory(
  sources: Sources,
  asked: BatchRecord,
  row: RowNumber,
): Promise<RowStory | undefined> {
  const line = await sources.store.lineage.line(asked.batchId);
  const history = (await readRowHistories(sources.store, line, [row])).get(row) ?? [];
  const record = tellerOf(asked, line, history);
  const told = await tellOne(sources, record, row);
  if (told === undefined) return undefined;
  const standing = told.row.refused ? 'UNPAID' : standingOf(history);
  const lineage = await generationStories(sources.store, history);
  const after = nextInLine({ line, standing, row });
  const paidBy = lineage.filter(({ outcome }) => outcome === 'PAID').map((one) => one.batchId);
  return { ...told, lineage, standing, paidBy, ...after };
}

/**
 * The batch that decides about the row, where `asked` does not hold it. Refused rows are in the root of the lineage.
 */
function tellerOf(
  asked: BatchRecord,
  line: readonly BatchRecord[],
  history: readonly GenerationRow[],
): BatchRecord {
  if (history.some(({ batchId }) => batchId === asked.batchId)) return asked;
  const telling = tellingOf(history)?.batchId ?? line[0]?.batchId;
  return line.find(({ batchId }) => batchId === telling) ?? asked;
}

async function tellOne(
  sources: Sources,
  record: BatchRecord,
  row: RowNumber,
): Promise<RowTale | undefined> {
  const { store } = sources;
  const chunks = await store.chunks.list(record.batchId);
  const near = chunks.filter(({ firstRow, lastRow }) => firstRow <= row && row <= lastRow);
  const found = await findRow(store, record, { chunks: near, row });
  if (found === undefined) return undefined;
  const chunk = near.find((one) => one.chunk === found.chunk);
  const shown = shownRow(found, chunk);
  return {
    schema: 'bursar.row-story/v1',
    batchId: record.batchId,
    parentBatchId: record.parentBatchId,
    generation: record.generation,
    file: { name: record.fileName, sha256: record.fileSha256 },
    row: shown,
    refusedFor: found.refused ? await reasonsOf(store, record, row) : [],
    chunk: chunk === undefined ? null : await chunkStory(store, record, chunk),
    at: outcomeAt(shown, record, chunk),
    changes: await changesOf(store, record, row),
    why: reasonText(shown),
    ...(await nextOf(sources, record, { found, chunk, chunks })),
  };
}

/** People can send again in the service's own interface what had failed, or decline what had not. */
async function changesOf(
  { rechecks }: Store,
  { batchId }: BatchRecord,
  row: RowNumber,
): Promise<RowStory['changes']> {
  const noted = await rechecks.all(batchId);
  return noted.flatMap(({ atMs, change }) =>
    (change.kind === 'outcomes' ? change.rows : [])
      .filter((changed) => changed.row === row)
      .map(({ before, after }) => ({ at: new Date(atMs).toISOString(), before, after })),
  );
}

async function findRow(
  store: Store,
  record: BatchRecord,
  { chunks, row }: Readonly<{ chunks: readonly ChunkRecord[]; row: RowNumber }>,
): Promise<ReportRow | undefined> {
  for await (const candidate of reportRows(store, record, chunks)) {
    if (candidate.row === row) return candidate;
  }
  return undefined;
}

async function reasonsOf(
  { staging }: Store,
  { ingestId }: BatchRecord,
  row: RowNumber,
): Promise<DetailedNote[]> {
  const notes: DetailedNote[] = [];
  for await (const refused of staging.refused(ingestId ?? '')) {
    if (refused.row === row) notes.push(detailedNoteOf(refused.code, refused.facts));
  }
  return notes;
}

export async function chunkStory(
  store: Store,
  { batchId }: BatchRecord,
  record: ChunkRecord,
): Promise<ChunkStory> {
  const { chunk, firstRow, lastRow, currency, total, idempotencyKey, externalId } = record;
  const sends = await store.sends.record({ batchId, chunk, idempotencyKey });
  return {
    chunk,
    firstRow,
    lastRow,
    rows: record.rowCount,
    currency,
    total,
    idempotencyKey,
    externalId,
    state: shownState(record),
    massPayoutId: record.massPayoutId,
    fee: record.fee,
    needsOperator: record.state === 'NEEDS_OPERATOR' ? record.attentionReason : null,
    attempts: sends.attempts.map(attemptStory),
    lookups: sends.lookups.map(({ atMs, result, attempts }) => ({
      at: isoOf(atMs),
      result,
      afterAttempts: attempts,
    })),
    answer: answerText(sends),
  };
}

const attemptStory = (attempt: SendRecord['attempts'][number]) => {
  const { n, timestampMs, endedMs, outcome, httpStatus, errorCode, traceId } = attempt;
  return {
    n,
    signedAt: isoOf(timestampMs),
    endedAt: endedMs === undefined ? null : isoOf(endedMs),
    outcome,
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(traceId === undefined ? {} : { traceId }),
  };
};

function answerText({ answer }: SendRecord): string | null {
  if (answer === undefined) return null;
  return answer.kind === 'adopt' ? `adopt ${answer.massPayoutId}` : answer.kind;
}

type Found = Readonly<{
  found: ReportRow;
  chunk: ChunkRecord | undefined;
  chunks: readonly ChunkRecord[];
}>;

const CORRECT: RowNextStep = {
  step: 'CORRECT',
  next: 'Correct the row and submit it as a new batch; nack.csv has it.',
};

async function nextOf(
  sources: Sources,
  record: BatchRecord,
  { found, chunk, chunks }: Found,
): Promise<RowNextStep> {
  const { batchId, endState, endedAtMs } = record;
  if (found.refused) return CORRECT;
  if (found.outcome === 'PAID') return IS_PAID;
  if (endState === null || endedAtMs === null) {
    return chunk?.state === 'NEEDS_OPERATOR'
      ? {
          step: 'ANSWER',
          next: `An operator must answer for chunk ${chunk.chunk}: see "bursar status ${batchId}".`,
        }
      : { step: 'WAIT', next: `Wait for the end of the batch: bursar watch ${batchId}` };
  }
  if (found.resentAs !== undefined) return { step: 'RESENT', next: fixText(found) };
  if (canBeResent(found)) return { step: 'RESEND', next: fixText(found) };
  if (!needsInvestigation(found)) return { step: 'NONE', next: '' };
  const ended = { ...record, endState, endedAtMs };
  const workflowId = batchWorkflowId(batchId);
  const report = await composeReport(sources.store, ended, { chunks, accepted: [], workflowId });
  return { step: 'INVESTIGATE', next: investigationText(found, report) };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
