import { z } from 'zod';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';

/** Balance of an account in one currency. Spec: "Account and balances". */
export type CurrencyBalance = Readonly<{
  /** Currency code, for example of the form `<TICKER>_<NETWORK>` or `<TICKER>`. */
  currency: string;
  /** Balance in units of `currency`, as canonical decimal text such as '12.5'. May be negative. */
  amount: string;
}>;

/** One account and its balances. Spec: "Account and balances". */
export type Balances = Readonly<{
  /** Account id. */
  account: string;
  /** Display name of the account. */
  name: string;
  /** Id (a UUID) of the user who owns the account. Absent when the service leaves it out. */
  ownerId?: string;
  /** One entry for each currency that the account holds. */
  balances: readonly CurrencyBalance[];
}>;

const BalancesRecord: z.ZodType<Balances> = z.object({
  account: idText,
  name: text,
  ownerId: text.exactOptional(),
  balances: z.array(z.object({ currency: idText, amount: decimal })),
});

/** Reads an account with its balances, wrapped or not. Throws `Unreadable`. */
export const readBalances = (json: unknown): Balances =>
  readRecord(BalancesRecord, unwrap(json, 'account'));
