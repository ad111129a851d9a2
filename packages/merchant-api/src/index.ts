export type { AccountCallOptions, CallOptions } from './call.ts';
export { createMerchantClient, type MerchantClient } from './client.ts';
export { PAGES_MAX_DEFAULT, TOO_MANY_PAGES, type WalkOptions } from './each-item.ts';
export { MerchantApiError, type MerchantApiErrorKind } from './errors.ts';
export { findJsonFlaw, type JsonFlaw } from './json/scan-json.ts';
export type { FeeItem, FeeQuote, WireFeeOperationType } from './operations/calculate-fees.ts';
export type { WebhookSubscriptionChange } from './operations/change-webhook-subscription.ts';
export type { StoredPayload } from './operations/create-mass-payout.ts';
export type { WalletInput } from './operations/create-wallet.ts';
export type { TransactionFilter } from './operations/list-transactions.ts';
export type { WalletFilter } from './operations/list-wallets.ts';
export type { LookupRecord } from './operations/lookup.ts';
export type { Balances } from './operations/read-balance.ts';
export type { WalletRename } from './operations/rename-wallet.ts';
export {
  REPORT_ZONE_DAYS_MAX,
  type Report,
  type ReportInput,
} from './operations/request-report.ts';
export {
  CONNECTIONS_MAX_DEFAULT,
  type MerchantClientOptions,
  REQUEST_TIMEOUT_MS_DEFAULT,
  RESPONSE_BYTES_MAX_DEFAULT,
  type RequestNote,
} from './options.ts';
export type { Cancellation } from './records/cancellation.ts';
export type { MassPayout, WireWithdrawalErrorStatus } from './records/mass-payout.ts';
export type { OpenValue } from './records/open-value.ts';
export type { Page } from './records/page.ts';
export type { Payout } from './records/payout.ts';
export type { Transaction, WireOperationCode } from './records/transaction.ts';
export type { User, WireUserRole } from './records/user.ts';
export type { AssumedWallet, Wallet } from './records/wallet.ts';
export type {
  WebhookSubscription,
  WebhookSubscriptionParts,
  WireEventGroup,
} from './records/webhook-subscription.ts';
export { type BodyParts, type PreparedBody, prepareBody } from './request/body.ts';
export { type Paging, SORT_ORDERS, type SortOrder } from './request/list-filter.ts';
export type { MassAddress } from './request/mass-addresses.ts';
export {
  buildMassPayoutPayload,
  type MassPayoutInput,
} from './request/mass-payout-payload.ts';
export type { Reference } from './request/reference.ts';
export { signRequest } from './request/sign.ts';
export type { WebhookSubscriptionInput } from './request/webhook-subscription.ts';
export type { Answer } from './response/conclude.ts';
export type { SecretString } from './secret-string.ts';
export { walletAddresses } from './wallet-addresses.ts';
