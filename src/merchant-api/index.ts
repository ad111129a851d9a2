export type { AccountCallOptions, CallOptions } from './call.ts';
export { createMerchantClient, type MerchantClient } from './client.ts';
export { MerchantApiError, type MerchantApiErrorKind } from './errors.ts';
export type { FeeItem, FeeQuote } from './operations/calculate-fees.ts';
export type { StoredPayload } from './operations/create-mass-payout.ts';
export type { LookupRecord } from './operations/lookup.ts';
export type { Balances } from './operations/read-balance.ts';
export {
  CONNECTIONS_MAX_DEFAULT,
  type MerchantClientOptions,
  REQUEST_TIMEOUT_MS_DEFAULT,
  RESPONSE_BYTES_MAX_DEFAULT,
  type RequestNote,
} from './options.ts';
export type { MassPayout } from './records/mass-payout.ts';
export type { Payout } from './records/payout.ts';
export { type BodyParts, type PreparedBody, prepareBody } from './request/body.ts';
export type { MassAddress } from './request/mass-addresses.ts';
export {
  buildMassPayoutPayload,
  type MassPayoutInput,
} from './request/mass-payout-payload.ts';
export type { Reference } from './request/reference.ts';
export { signRequest } from './request/sign.ts';
export type { Answer } from './response/conclude.ts';
