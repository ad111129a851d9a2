import type { Db } from '../../../src/store/database/db.ts';
import type { Outcome } from '../../../src/domain/settling/outcome.ts';
import {
  hasRoom,
  lossesOf,
  lossesOfFacts,
  type Parcel,
} from '../../../src/domain/holds/stop-loss.ts';
import { liftedHolds } from '../../../src/store/control/hold-records.ts';
import { SENT_STATES } from '../../../src/store/rows/counted-payments.ts';
import type { ChunkRef } from '../../../src/store/sending/send-records.ts';
import { sharesOfChunks } from '../../../src/store/settlement/shares.ts';

/** Outcomes that a stop loss counts. */
const LOST: readonly Outcome[] = ['FAILED', 'UNKNOWN'];

/** Whether a chunk that was never sent may be begun, as far as the stop loss in the options of its batch goes. */
export async function hasRoomFor(
  db: Db,
  { batchId, chunk }: ChunkRef,
  optionsJson: string,
): Promise<boolean> {
  const { stopLoss: rules = [] } = JSON.parse(optionsJson) as { stopLoss?: readonly string[] };
  if (rules.length === 0) return true;
  const [accepted] = await liftedHolds(db, batchId, 'STOP_LOSS');
  const risk = {
    losses: lossesOf(await sharesOfChunks(db, batchId, await lossyChunks(db, batchId))),
    accepted: accepted && lossesOfFacts(accepted.facts),
    underWay: (await underWay(db, batchId)).filter((parcel) => parcel.chunk !== chunk),
    batchRows: await rowsOf(db, batchId),
  };
  return hasRoom(rules, risk, await parcelOf(db, batchId, chunk));
}

type ChunkParcel = Parcel & Readonly<{ chunk: number }>;

const parcels = (db: Db, batchId: string) =>
  db
    .selectFrom('chunk')
    .select(['chunk', 'currency', 'row_count as rows', 'total as amount'])
    .where('batch_id', '=', batchId);

const underWay = (db: Db, batchId: string): Promise<ChunkParcel[]> =>
  parcels(db, batchId).where('state', 'in', SENT_STATES).where('final', '=', 0).execute();

const parcelOf = (db: Db, batchId: string, chunk: number): Promise<ChunkParcel> =>
  parcels(db, batchId).where('chunk', '=', chunk).executeTakeFirstOrThrow();

async function rowsOf(db: Db, batchId: string): Promise<number> {
  const { rows } = await db
    .selectFrom('chunk')
    .select(({ fn }) => fn.sum<number>('row_count').as('rows'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return rows;
}

/** Chunks at their end of which any row is lost: of nearly all chunks none is, so that they need not be read. */
async function lossyChunks(db: Db, batchId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('chunk')
    .select('chunk')
    .where('batch_id', '=', batchId)
    .where('final', '=', 1)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('default_outcome', 'in', LOST),
        exists(
          selectFrom('row_outcome')
            .select('row_outcome.row')
            .where('row_outcome.batch_id', '=', batchId)
            .whereRef('row_outcome.chunk', '=', 'chunk.chunk')
            .where('row_outcome.outcome', 'in', LOST),
        ),
      ]),
    )
    .execute();
  return rows.map(({ chunk }) => chunk);
}
