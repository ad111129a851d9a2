import { z } from 'zod';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';
import { type OpenValue, readOpenValue } from './open-value.ts';
import { pageReader } from './page.ts';

const WalletRecord = z.object({
  name: text,
  address: idText,
  blockchain: idText,
  balances: z.array(
    z.object({
      currency: idText,
      amount: decimal,
      /** Whether it is the balance of a token. */
      token: z.boolean(),
    }),
  ),
});

/** A settlement wallet; amounts are canonical decimal text. Spec: "Settlement wallets". */
export type Wallet = Readonly<z.output<typeof WalletRecord>>;

/** Reads a wallet, wrapped or not. Throws `Unreadable`. */
export const readWallet = (json: unknown): Wallet =>
  readRecord(WalletRecord, unwrap(json, 'address'));

/** Reads a page of wallets, wrapped or not. Throws `Unreadable`. */
export const readWalletPage = pageReader(WalletRecord);

/** What comes where a wallet is expected and the spec does not show it. */
export type AssumedWallet =
  | Readonly<{ kind: 'wallet' } & Wallet>
  /** Whatever came instead; null when nothing did. */
  | Readonly<{ kind: 'other'; content: OpenValue }>;

/**
 * ASSUMED: the answers of wallet rename and lookup by address are not shown; here the wallet.
 * Anything else is kept as it is. Never throws.
 */
export function readAssumedWallet(json: unknown): AssumedWallet {
  const { success, data } = WalletRecord.safeParse(unwrap(json, 'address'));
  return success ? { kind: 'wallet', ...data } : { kind: 'other', content: readOpenValue(json) };
}
