import { z } from 'zod';
import { decimal, idText, readRecord, text, unwrap } from './fields.ts';
import { type OpenValue, readOpenValue } from './open-value.ts';
import { pageReader } from './page.ts';

/** Balance of a settlement wallet in one currency. Spec: "Settlement wallets". */
export type SettlementBalance = {
  /** Currency ticker. */
  readonly currency: string;
  /** Balance in units of `currency`, as canonical decimal text such as '12.5'. */
  readonly amount: string;
  /** Whether it is the balance of a token. */
  readonly token: boolean;
};

/** A settlement wallet. Spec: "Settlement wallets". */
export type Wallet = {
  /** Name of the wallet: 0 to 100 characters. */
  readonly name: string;
  /** Blockchain address of the wallet. Never empty. */
  readonly address: string;
  /** Blockchain of the wallet. */
  readonly blockchain: string;
  /** One entry for each balance of the wallet. */
  readonly balances: readonly SettlementBalance[];
};

const WalletRecord: z.ZodType<Wallet> = z.object({
  name: text,
  address: idText,
  blockchain: idText,
  balances: z.array(z.object({ currency: idText, amount: decimal, token: z.boolean() })),
});

/** Reads a wallet, wrapped or not. Throws `Unreadable`. */
export const readWallet = (json: unknown): Wallet =>
  readRecord(WalletRecord, unwrap(json, 'address'));

/** Reads a page of wallets, wrapped or not. Throws `Unreadable`. */
export const readWalletPage = pageReader(WalletRecord);

/** A wallet, in an answer that the spec does not show. */
export type FoundWallet = {
  /** `wallet`: the answer has the fields of a wallet. */
  readonly kind: 'wallet';
} & Wallet;

/** An answer that is no wallet, where the spec does not show the answer. */
export type OtherContent = {
  /** `other`: the answer lacks the fields of a wallet. */
  readonly kind: 'other';
  /** The whole answer, with each number as exact decimal text. Null when the answer was empty. */
  readonly content: OpenValue;
};

/**
 * A wallet or any other answer; `kind` names the type. ASSUMED: the spec does not show the answers
 * of wallet rename and lookup by address.
 */
export type AssumedWallet = FoundWallet | OtherContent;

/** Reads a wallet, wrapped or not, and keeps any other answer as it is. Never throws. */
export function readAssumedWallet(json: unknown): AssumedWallet {
  const { success, data } = WalletRecord.safeParse(unwrap(json, 'address'));
  return success ? { kind: 'wallet', ...data } : { kind: 'other', content: readOpenValue(json) };
}
