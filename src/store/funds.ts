import { addAmounts, formatAmount, sumAmounts, ZERO } from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import type { Db } from './sqlite.ts';

/** A currency and an amount of it, canonical decimal text. */
export type Money = Readonly<{ currency: string; amount: string }>;

/** What open batches still need from an account, so that two of them cannot count on the same money. */
export const createFundStore = (db: Db) => ({
  /**
   * What the other open batches of the account hold: their chunks that no mass payout was accepted for, and their fees.
   * ASSUMED: the service takes amount and fee from the balance when it accepts a mass payout; the spec does not say.
   */
  heldByOthers: (batchId: string, account: string): Promise<ReadonlyMap<string, string>> =>
    heldByOthers(db, batchId, account),

  /**
   * Decides and reserves in one step: `decide` sees what others hold at that instant, and when it answers true the
   * batch's needs are held from then on.
   */
  async reserveIf(
    batch: { batchId: string; account: string; fees: readonly Money[] },
    decide: (held: ReadonlyMap<string, string>) => boolean,
  ): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      const agreed = decide(await heldByOthers(tx, batch.batchId, batch.account));
      if (!agreed) return false;
      const values = batch.fees.map(({ currency, amount }) => ({
        batch_id: batch.batchId,
        account: batch.account,
        currency,
        fee: amount,
      }));
      await tx
        .insertInto('reservation')
        .values(values)
        .onConflict((conflict) => conflict.columns(['batch_id', 'currency']).doNothing())
        .execute();
      return true;
    });
  },
});

async function heldByOthers(
  db: Db,
  batchId: string,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const reserved = await db
    .selectFrom('reservation')
    .select(['batch_id', 'currency', 'fee'])
    .where('account', '=', account)
    .where('batch_id', '!=', batchId)
    .execute();
  const held = new Map<string, string>();
  for (const { batch_id, currency, fee } of reserved) {
    const waiting = await db
      .selectFrom('chunk')
      .select('total')
      .where('batch_id', '=', batch_id)
      .where('currency', '=', currency)
      .where('state', 'in', ['PLANNED', 'SENDING', 'NEEDS_OPERATOR'])
      .execute();
    if (waiting.length === 0) continue;
    const sum = addAmounts(
      sumAmounts(waiting.map((chunk) => parseSignedAmount(chunk.total))),
      parseSignedAmount(fee),
    );
    const before = held.has(currency) ? parseSignedAmount(held.get(currency) ?? '0') : ZERO;
    held.set(currency, formatAmount(addAmounts(before, sum)));
  }
  return held;
}
