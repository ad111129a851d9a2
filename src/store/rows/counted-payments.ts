import type { ExpressionBuilder } from 'kysely';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { Schema } from '../database/schema.ts';

/** States of a chunk that was sent, or may have been: its rows may have been paid. */
export const SENT_STATES: readonly ChunkState[] = [
  'SENDING',
  'CREATED',
  'NEEDS_OPERATOR',
  'ABANDONED',
];

/** Whether a batch may yet pay, or has sent something: its rows count as payments that could be made twice. */
export const countsAsPayment = ({
  or,
  eb,
  exists,
  selectFrom,
}: ExpressionBuilder<Schema, 'batch'>) =>
  or([
    eb('end_state', 'is', null),
    exists(
      selectFrom('chunk')
        .select('chunk.chunk')
        .whereRef('chunk.batch_id', '=', 'batch.batch_id')
        .where('chunk.state', 'in', SENT_STATES),
    ),
  ]);
