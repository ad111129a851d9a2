import { createHash } from 'node:crypto';
import type { BatchOptions } from '../../contract/batch.ts';
import { recipientsText } from '../../domain/rows/recipients-text.ts';
import { type ChunkRow, type Row } from '../../domain/rows/row.ts';
import { taggedComment } from '../../domain/rows/row-tag.ts';
import type { SentRow } from '../../domain/settling/withdrawals.ts';
import { joinMassPayoutPayload } from '@bursar/merchant-api';
import type { Intent } from '../../store/sending/sends.ts';

/** How the rows of a batch are sent. `code`: the code of the batch in the comments. */
type RowFormat = Readonly<{
  code: string;
  options: Pick<BatchOptions, 'rowTag' | 'executionDate'>;
}>;

/** Which fields a create has: those that the engine needs, or every one that the specification shows. */
export type CreateFields = 'needed' | 'all';

/** The parts of a chunk's payload, beside its rows. */
export type PayloadParts = RowFormat &
  Readonly<{
    batchId: string;
    submittedAtMs: number;
    fields: CreateFields;
    chunk: Readonly<{
      chunk: number;
      currency: string;
      idempotencyKey: string;
      externalId: string;
    }>;
  }>;

/**
 * Writes the payload of a chunk: the same rows and choices give the same bytes. `packedRows`: the rows as they are
 * staged. The hash of this text is in the plan, and its JSON texts are in the payload as they are.
 */
export function writeIntent(parts: PayloadParts, packedRows: string): Intent {
  const { chunk, code, options } = parts;
  const fields = {
    currency: chunk.currency,
    idempotencyKey: chunk.idempotencyKey,
    ...optionalFields(parts),
  };
  const recipients = recipientsText(packedRows, {
    batchCode: options.rowTag === 'append' ? code : null,
    withEmptyComments: parts.fields === 'all',
  });
  const payload = joinMassPayoutPayload(fields, recipients);
  return { payload, payloadSha256: sha256Of(payload) };
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The rows of a chunk with the comments that they are sent with. */
export const sentRows = ({ code, options }: RowFormat, rows: readonly ChunkRow[]): SentRow[] =>
  rows.map(({ row, address, amount, comment }: Omit<Row, 'currency'>) => ({
    row,
    address,
    amount,
    comment: options.rowTag === 'append' ? taggedComment(comment, code, row) : comment,
  }));

/**
 * ASSUMED: the spec does not show which fields of a create are required. `name` and `externalId` are always sent, so
 * that people find a mass payout in the service's own interface; `executionDate` when the submitter gave one.
 */
const optionalFields = (parts: PayloadParts) => {
  const { batchId, chunk, fields } = parts;
  const executionDate = executionDateOf(parts);
  return {
    name: `${batchId}/${chunk.chunk}`,
    ...(fields === 'all' ? { comment: `Chunk ${chunk.chunk} of batch ${batchId}` } : {}),
    externalId: chunk.externalId,
    ...(executionDate === null ? {} : { executionDate }),
  };
};

/**
 * ASSUMED: a mass payout whose execution date has passed is executed at once. The spec does not show it. So the time at which the
 * batch was submitted stands for no date, and a payload that is written again has the same bytes.
 */
const executionDateOf = ({ fields, options, submittedAtMs }: PayloadParts): string | null =>
  options.executionDate ?? (fields === 'all' ? new Date(submittedAtMs).toISOString() : null);
