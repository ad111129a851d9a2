/**
 * Largest distance of a request's timestamp from the service's clock, in both directions, in milliseconds.
 * Spec: "Limits", timestamp window.
 */
export const TIMESTAMP_WINDOW_MS = 180_000;

/** Largest number of characters in a wallet's name. Spec: "Limits". */
export const WALLET_NAME_LENGTH_MAX = 100;

/**
 * Whether a text can be the name of a wallet: 0 to 100 characters. Spec: "Limits".
 * ASSUMED: the service counts UTF-16 code units, as Java does, so an emoji counts twice. A name that passes here also passes a service
 * that counts code points.
 */
export const isWalletName = (text: string): boolean => text.length <= WALLET_NAME_LENGTH_MAX;

/** Smallest number of items in one fee calculation. Spec: "Limits". */
export const FEE_ITEMS_MIN = 1;

/** Default number of a page of wallets or transactions. Spec: "Limits". */
export const PAGE_NUMBER_DEFAULT = 1;

/** Default size of a page of wallets or transactions. Spec: "Limits". */
export const PAGE_SIZE_DEFAULT = 10;

/** Pattern of an account id. Spec: "Request envelope". */
export const ACCOUNT_ID_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** The other form of an account id, which a guide of the service shows. Spec: "Request envelope". */
export const ACCOUNT_UUID_PATTERN =
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Whether a text is an account id. The spec shows two forms, and both pass. Spec: "Request envelope". */
export const isAccountId = (text: string): boolean =>
  ACCOUNT_ID_PATTERN.test(text) || ACCOUNT_UUID_PATTERN.test(text);

/** Header with the public key. Spec: "Authentication". */
export const HEADER_KEY = 'Key';

/** Header with the signature. Spec: "Authentication". */
export const HEADER_SIGN = 'Sign';

/** `Content-Type` of every request. Spec: "Authentication". */
export const CONTENT_TYPE_JSON = 'application/json';
