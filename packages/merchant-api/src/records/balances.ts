import { z } from 'zod';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';

/** Balance of an account in one currency. Spec: "Account and balances". */
export type CurrencyBalance = {
  /** Currency code, for example of the form `<TICKER>_<NETWORK>` or `<TICKER>`. */
  readonly currency: string;
  /** Balance in units of `currency`, as canonical decimal text such as '12.5'. May be negative. */
  readonly amount: string;
};

/** One account and its balances. Spec: "Account and balances". */
export type Balances = {
  /** Account id. */
  readonly account: string;
  /** Display name of the account. */
  readonly name: string;
  /** Id (a UUID) of the user who owns the account. Absent when the service leaves it out. */
  readonly ownerId?: string;
  /** One entry for each currency that the account holds. */
  readonly balances: readonly CurrencyBalance[];
};

const BalancesRecord: z.ZodType<Balances> = z.object({
  account: idText,
  name: text,
  ownerId: text.exactOptional(),
  balances: z.array(z.object({ currency: idText, amount: decimal })),
});

/** Reads an account with its balances, wrapped or not. Throws `Unreadable`. */
export const readBalances = (json: unknown): Balances =>
  readRecord(BalancesRecord, unwrap(json, 'account'));
