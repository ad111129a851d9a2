import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import { type AssumedWallet, readAssumedWallet } from '../records/wallet.ts';
import { checkInput, requiredText } from '../request/check-input.ts';
import { walletName } from '../request/wallet-name.ts';
import type { Answer } from '../response/conclude.ts';

/** A new name for a settlement wallet. Spec: "Settlement wallets". */
export type WalletRename = Readonly<{
  address: string;
  /** 0 to 100 characters, counted as UTF-16 code units: what `name.length` says. */
  name: string;
}>;

const RenameSchema = z.strictObject({ address: requiredText, name: walletName });

/** Renames a settlement wallet. Spec: "Settlement wallets"; its path and its answer are ASSUMED. */
export const renameWallet =
  (send: Send) =>
  async (rename: WalletRename, call: AccountCallOptions = {}): Promise<Answer<AssumedWallet>> =>
    send(
      {
        operation: 'WALLET_RENAME',
        payloadText: writeJson(checkInput('WALLET_RENAME', RenameSchema, rename)),
        anyShape: true,
        read: readAssumedWallet,
      },
      call,
    );
