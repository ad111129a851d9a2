import type { Db } from '../database/db.ts';
import type { CreatedAgain } from '../../domain/funds/balance-check.ts';
import type { AttemptOutcome } from '../../domain/sending/send-record.ts';

/** The chunks of a batch with more than one attempt of these outcomes, by number. */
export const readCreatedAgain = (
  db: Db,
  batchId: string,
  outcomes: readonly AttemptOutcome[],
): Promise<CreatedAgain[]> =>
  db
    .selectFrom('chunk')
    .innerJoin('attempt', 'attempt.idempotency_key', 'chunk.idempotency_key')
    .select(['chunk.chunk', 'chunk.first_row as firstRow', 'chunk.last_row as lastRow'])
    .where('chunk.batch_id', '=', batchId)
    .where('attempt.outcome', 'in', outcomes)
    .groupBy(['chunk.chunk', 'chunk.first_row', 'chunk.last_row'])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('chunk.chunk')
    .execute();
