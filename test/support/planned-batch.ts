import type { HouseRules } from '../../src/domain/plan/rules.ts';
import { sumByCurrency } from '../../src/domain/money/sum-by-currency.ts';
import { externalIdOf, idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import type { Store } from '../../src/store/index.ts';
import { ACCOUNT, newBatch, summaryOf } from './store-fixtures.ts';
import { writableDb } from '../../src/store/database/writable.ts';

export type TestBatch = Readonly<{
  batchId: string;
  /** Total of each chunk: `5`, of TRX, or `5:BTC`. */
  chunks: readonly string[];
  /** Fee of the batch by currency. */
  fees?: Readonly<Record<string, string>>;
  options?: Readonly<Record<string, unknown>>;
  rules?: Partial<HouseRules>;
  account?: string;
}>;

/** A house without rules. */
export const NO_RULES: HouseRules = {
  approval: null,
  findings: { confirm: [], block: [] },
  historyDays: 25,
  limits: { row: [], batch: [], day: [], payee: [] },
  fees: { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] },
};

/** Writes a batch down as it stands when its plan is made and its fees were quoted. */
export async function addPlannedBatch(store: Store, batch: TestBatch): Promise<void> {
  const { batchId, options = {}, account = ACCOUNT } = batch;
  const heads = batch.chunks.map((text, chunk) => {
    const [total = '', currency = 'TRX'] = text.split(':');
    return { chunk, currency, total, rowCount: 1, firstRow: chunk + 2, lastRow: chunk + 2 };
  });
  const totals = sumByCurrency(heads.map(({ currency, total }) => ({ currency, amount: total })));
  const summary = summaryOf([], {
    currencies: totals.map(({ currency, amount }) => ({
      currency,
      rows: 1,
      total: amount,
      amounts: [[amount, 1]],
    })),
  });
  const optionsJson = JSON.stringify(options);
  await store.batches.register(newBatch(batchId, { account, optionsJson }));
  await writableDb(store)
    .updateTable('batch')
    .set({
      summary_json: JSON.stringify(summary),
      digest: 'sha256:d',
      rules_json: JSON.stringify({ ...NO_RULES, ...batch.rules }),
    })
    .where('batch_id', '=', batchId)
    .execute();
  await store.chunks.plan(
    batchId,
    heads.map((head) => ({
      ...head,
      idempotencyKey: idempotencyKeyOf({ account, batchId, chunk: head.chunk, generation: 0 }),
      externalId: externalIdOf({ batchId, chunk: head.chunk, generation: 0 }),
    })),
  );
  if (batch.fees === undefined) return;
  const quotes = Object.entries(batch.fees).map(([currency, fee]) => ({
    currency,
    fee,
    estimated: false,
  }));
  await store.batches.setFees(batchId, { quotes });
}

/** Puts a chunk into a state, as the send activity does. */
export async function setChunkState(
  store: Store,
  { batchId, chunk, state }: Readonly<{ batchId: string; chunk: number; state: string }>,
): Promise<void> {
  await writableDb(store)
    .updateTable('chunk')
    .set({ state })
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
}
