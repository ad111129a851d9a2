import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import { readWallet, type Wallet } from '../records/wallet.ts';
import { checkInput, requiredText } from '../request/check-input.ts';
import { walletName } from '../request/wallet-name.ts';
import type { Answer } from '../response/conclude.ts';

/** A settlement wallet to create. Spec: "Settlement wallets". */
export type WalletInput = Readonly<{
  /** 0 to 100 characters, counted as UTF-16 code units: what `name.length` says. */
  name: string;
  /** The names that the service accepts are not shown. */
  blockchain: string;
}>;

const InputSchema = z.strictObject({ name: walletName, blockchain: requiredText });

/**
 * Creates a settlement wallet. Spec: "Settlement wallets"; its path is ASSUMED. It has no
 * idempotency key: after `no-answer` or `unreadable`, look in the list before another attempt.
 */
export const createWallet =
  (send: Send) =>
  async (input: WalletInput, call: AccountCallOptions = {}): Promise<Answer<Wallet>> =>
    send(
      {
        operation: 'WALLET_CREATE',
        payloadText: writeJson(checkInput('WALLET_CREATE', InputSchema, input)),
        read: readWallet,
      },
      call,
    );
