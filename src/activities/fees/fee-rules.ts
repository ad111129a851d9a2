import type { PlannedBatch } from '../funds/types.ts';
import type { FeeRules, Money } from '../../domain/plan/rules.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';

/** Batches of before there were rules have none. */
const NO_RULES: FeeRules = { driftMaxPercent: null, shareMaxPercent: null, totalMax: [] };

/** The fee rules of a batch, and the totals that they are applied to. */
export const rulesOf = ({ rules, summary }: PlannedBatch) => ({
  rules: rules?.fees ?? NO_RULES,
  totals: totalsOf(summary),
});

/** The sum of the rows of each currency. */
export const totalsOf = ({ currencies }: IngestSummary): Money[] =>
  currencies.map(({ currency, total }) => ({ currency, amount: total }));
