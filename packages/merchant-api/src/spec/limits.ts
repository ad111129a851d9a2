/**
 * How far a request's timestamp may lie from the service's clock, in both directions, in milliseconds.
 * Spec: "Limits", timestamp window.
 */
export const TIMESTAMP_WINDOW_MS = 180_000;

/** Characters in a wallet's name. Spec: "Limits". */
export const WALLET_NAME_LENGTH_MAX = 100;

/** Items in one fee pre-calculation. Spec: "Limits". */
export const FEE_ITEMS_MIN = 1;

/** Spec: "Limits", defaults of wallet and transaction lists. */
export const PAGE_NUMBER_DEFAULT = 1;
export const PAGE_SIZE_DEFAULT = 10;

/** Spec: "Resources", request envelope: pattern of an account id. */
export const ACCOUNT_ID_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** The other form of an account id, which a guide of the service shows. Spec: "Request envelope". */
export const ACCOUNT_UUID_PATTERN =
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Whether a text is an account id. The spec contradicts itself on the form, so both forms pass. Spec: "Request envelope". */
export const isAccountId = (text: string): boolean =>
  ACCOUNT_ID_PATTERN.test(text) || ACCOUNT_UUID_PATTERN.test(text);

/** Spec: "Authentication", required headers. */
export const HEADER_KEY = 'Key';
export const HEADER_SIGN = 'Sign';
export const CONTENT_TYPE_JSON = 'application/json';
