import type { Db } from '../database/db.ts';
import { addFee, type StatedFee } from '../../domain/report/stated-fee.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';

/** The fees of a batch by currency, as far as its mass payouts state any. */
export async function readStatedFees(
  db: Db,
  batchId: string,
): Promise<ReadonlyMap<string, StatedFee>> {
  const named = await readNamed(db, batchId);
  const fees = new Map<string, StatedFee>();
  const chunks = await db
    .selectFrom('chunk')
    .select(['chunk', 'currency', 'fee', 'row_count', 'default_outcome'])
    .where('batch_id', '=', batchId)
    .where('fee', 'is not', null)
    .execute();
  for (const { chunk, currency, fee, ...of } of chunks) {
    const { rows, outcomes } = named.get(chunk) ?? { rows: 0, outcomes: [] };
    const defaultOutcome = rows < of.row_count ? [of.default_outcome as Outcome] : [];
    const sum = addFee(fees.get(currency), {
      fee: fee ?? '0',
      outcomes: [...outcomes, ...defaultOutcome],
    });
    if (sum !== undefined) fees.set(currency, sum);
  }
  return fees;
}

type Named = { rows: number; outcomes: Outcome[] };

/** By chunk: the outcomes of rows that have one of their own. */
async function readNamed(db: Db, batchId: string): Promise<Map<number, Named>> {
  const counts = await db
    .selectFrom('row_outcome')
    .select(({ fn }) => ['chunk', 'outcome', fn.countAll<number>().as('rows')])
    .where('batch_id', '=', batchId)
    .groupBy(['chunk', 'outcome'])
    .execute();
  const named = new Map<number, Named>();
  for (const { chunk, outcome, rows } of counts) {
    const one = named.get(chunk) ?? { rows: 0, outcomes: [] };
    one.rows += rows;
    one.outcomes.push(outcome as Outcome);
    named.set(chunk, one);
  }
  return named;
}
