import { z } from 'zod';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';
import {
  inner,
  readEntries,
  readFields,
  readWhole,
  recordSource,
  type UnreadableParts,
} from './unreadable-parts.ts';

/** Balance of an account in one currency. Spec: "Account and balances". */
export type CurrencyBalance = {
  /** Currency code, for example of the form `<TICKER>_<NETWORK>` or `<TICKER>`. */
  readonly currency: string;
  /** Balance in units of `currency`, as canonical decimal text such as '12.5'. May be negative. */
  readonly amount: string;
};

/** One account and its balances. Spec: "Account and balances". */
export type Balances = {
  /** Account id. Absent when the service leaves it out. */
  readonly account?: string;
  /** Display name of the account. Absent when the service leaves it out. */
  readonly name?: string;
  /** Id (a UUID) of the user who owns the account. Absent when the service leaves it out. */
  readonly ownerId?: string;
  /** One entry for each currency that the account holds, and whose balance could be read. */
  readonly balances: readonly CurrencyBalance[];
  /**
   * Parts that could not be read; empty when all was read. While a balance is among them, a currency that `balances` lacks is not
   * known to be zero.
   */
  readonly unreadableParts: UnreadableParts;
};

const CertainFields = z.object({ balances: z.array(z.unknown()) });

const TEXTS = { account: idText, name: text, ownerId: text };

const CurrencyBalanceRecord: z.ZodType<CurrencyBalance> = z.object({
  currency: idText,
  amount: decimal,
});

/** Reads an account with its balances, wrapped or not. Throws `Unreadable` without a list of balances. */
export function readBalances(json: unknown): Balances {
  const source = recordSource(unwrap(json, 'balances'));
  readRecord(CertainFields, source.json);
  return {
    ...readFields(TEXTS, source),
    balances: readEntries(inner(source, 'balances'), (entry) =>
      readWhole(CurrencyBalanceRecord, entry),
    ),
    unreadableParts: source.parts.list(),
  };
}
