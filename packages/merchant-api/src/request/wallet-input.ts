import { z } from 'zod';
import { anyText, type InputSchema, requiredText } from './check-input.ts';
import { isWalletName, WALLET_NAME_LENGTH_MAX } from '../spec/limits.ts';

/** A wallet's name, which may be empty. */
const walletName = anyText.refine(isWalletName, `longer than ${WALLET_NAME_LENGTH_MAX} characters`);

/** A settlement wallet to create. Spec: "Settlement wallets", "Limits". */
export type WalletInput = {
  /** Name of the wallet: 0 to 100 characters (`WALLET_NAME_LENGTH_MAX`), counted as `name.length`. */
  readonly name: string;
  /** Blockchain of the wallet. Not empty. The spec does not show the allowed names. */
  readonly blockchain: string;
};

/** A new name for a settlement wallet. Spec: "Settlement wallets", "Limits". */
export type WalletRename = {
  /** Address of the wallet to rename. Not empty. */
  readonly address: string;
  /** The new name: 0 to 100 characters (`WALLET_NAME_LENGTH_MAX`), counted as `name.length`. */
  readonly name: string;
};

/** An address to look up. Spec: "Settlement wallets", ByAddressRequestDTO. */
export type AddressInput = {
  /** A blockchain address. Not empty. */
  readonly address: string;
};

export const WalletSchema: InputSchema<WalletInput> = z.strictObject({
  name: walletName,
  blockchain: requiredText,
});

export const WalletRenameSchema: InputSchema<WalletRename> = z.strictObject({
  address: requiredText,
  name: walletName,
});

export const AddressSchema: InputSchema<AddressInput> = z.strictObject({ address: requiredText });
