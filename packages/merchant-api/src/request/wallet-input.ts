import { z } from 'zod';
import { type InputSchema, requiredText } from './check-input.ts';
import { walletName } from './wallet-name.ts';

/** A settlement wallet to create. Spec: "Settlement wallets", "Limits". */
export type WalletInput = Readonly<{
  /** Name of the wallet: 0 to 100 characters (`WALLET_NAME_LENGTH_MAX`), counted as `name.length`. */
  name: string;
  /** Blockchain of the wallet. Not empty. The spec does not show the allowed names. */
  blockchain: string;
}>;

/** A new name for a settlement wallet. Spec: "Settlement wallets", "Limits". */
export type WalletRename = Readonly<{
  /** Address of the wallet to rename. Not empty. */
  address: string;
  /** The new name: 0 to 100 characters (`WALLET_NAME_LENGTH_MAX`), counted as `name.length`. */
  name: string;
}>;

/** An address to look up. Spec: "Settlement wallets", ByAddressRequestDTO. */
export type AddressInput = Readonly<{
  /** A blockchain address. Not empty. */
  address: string;
}>;

export const WalletSchema: InputSchema<WalletInput> = z.strictObject({
  name: walletName,
  blockchain: requiredText,
});

export const WalletRenameSchema: InputSchema<WalletRename> = z.strictObject({
  address: requiredText,
  name: walletName,
});

export const AddressSchema: InputSchema<AddressInput> = z.strictObject({ address: requiredText });
