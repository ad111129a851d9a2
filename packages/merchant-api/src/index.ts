export type {
  AccountCallOptions,
  AccountOption,
  AccountReadOptions,
  CallOptions,
  ConnectionOptions,
  ReadOptions,
  RetryOption,
} from './call.ts';
export { createMerchantClient, type MerchantClient } from './client.ts';
export { PAGES_MAX_DEFAULT, TOO_MANY_PAGES, type WalkOptions } from './each-item.ts';
export {
  MerchantApiError,
  type MerchantApiErrorFacts,
  type MerchantApiErrorKind,
} from './errors.ts';
export type {
  RequestEnd,
  RequestHook,
  RequestObserver,
  RequestStart,
} from './hooks/request-hook.ts';
export { findJsonFlaw, type JsonFlaw } from './json/scan-json.ts';
export type { MerchantOperations } from './merchant-operations.ts';
export {
  CONNECTIONS_MAX_DEFAULT,
  type MerchantClientOptions,
  REQUEST_TIMEOUT_MS_DEFAULT,
  RESPONSE_BYTES_MAX_DEFAULT,
} from './options.ts';
export type { Balances, CurrencyBalance } from './records/balances.ts';
export type { Cancellation } from './records/cancellation.ts';
export { type ProbePace, PROBE_REQUESTS_MAX, PROBE_REQUESTS_PER_SECOND } from './probe/asker.ts';
export type { Verdict } from './probe/judge-answers.ts';
export type { KnownPayout } from './probe/ask-reads.ts';
export { type ProbeChoices, type ProbeOptions, probeService } from './probe/probe-service.ts';
export type { ProbeFinding, ProbeOpen, ProbeReport } from './probe/report.ts';
export { endpointsOfOpenApi } from './probe/read-openapi.ts';
export { type ReadTrial, type ReadTrialChoices, tryReads } from './probe/try-reads.ts';
export { PAYOUT_ERRORS_LENGTH_MAX } from './records/compact-json.ts';
export type { FeeQuote, FeeResult } from './records/fee-quote.ts';
export type { FoundMassPayout, FoundPayout, LookupRecord } from './records/lookup-record.ts';
export type { MassPayout } from './records/mass-payout.ts';
export type { OpenValue } from './records/open-value.ts';
export type { Page } from './records/page.ts';
export type { Payout } from './records/payout.ts';
export type { Report } from './records/report.ts';
export type { Transaction } from './records/transaction.ts';
export {
  UNREADABLE_PARTS_MAX,
  type UnreadablePart,
  type UnreadableParts,
} from './records/unreadable-parts.ts';
export type {
  AccountInfo,
  AccountPermissions,
  PermissionGroup,
  User,
  UserInfo,
} from './records/user.ts';
export type {
  AssumedWallet,
  FoundWallet,
  OtherContent,
  SettlementBalance,
  Wallet,
} from './records/wallet.ts';
export type {
  WebhookSubscription,
  WebhookSubscriptionList,
  WebhookSubscriptionParts,
} from './records/webhook-subscription.ts';
export type { WithdrawalErrors, WithdrawalProblem } from './records/withdrawal-errors.ts';
export type { BodyParts, PreparedBody } from './request/body.ts';
export type { FeeItem, FeesInput } from './request/fees-input.ts';
export {
  type ListOrder,
  type PageChoice,
  type Paging,
  SORT_ORDERS,
  type SortOrder,
  type TransactionFilter,
  type TransactionWalkFilter,
  type WalletFilter,
  type WalletWalkFilter,
} from './request/list-filter.ts';
export type { MassAddress } from './request/mass-addresses.ts';
export {
  buildMassPayoutPayload,
  joinMassPayoutPayload,
  type MassPayoutFields,
  type MassPayoutInput,
  type PreparedCreate,
  type StoredPayload,
} from './request/mass-payout-payload.ts';
export type {
  IdReference,
  KeyReference,
  Reference,
  ReferenceName,
  ReferenceOperation,
} from './request/reference.ts';
export { REPORT_ZONE_DAYS_MAX, type ReportInput } from './request/report-input.ts';
export { signRequest } from './request/sign.ts';
export type { AddressInput, WalletInput, WalletRename } from './request/wallet-input.ts';
export type {
  WebhookSubscriptionChange,
  WebhookSubscriptionContent,
  WebhookSubscriptionInput,
  WebhookSubscriptionReference,
} from './request/webhook-subscription.ts';
export type { Answer } from './response/conclude.ts';
export type { SecretString } from './secret-string.ts';
export * from './spec/index.ts';
export {
  NotFinalError,
  type NotFinalFacts,
  type NotFinalReason,
} from './waiting/not-final-error.ts';
export type { ClientTls } from './transport/route.ts';
export { RETRY_AFTER_MS_MAX } from './waiting/retries.ts';
export { RETRIES_DEFAULT, RETRIES_MAX } from './waiting/retry-limits.ts';
export { POLL_DELAY_MS_FIRST, POLL_DELAY_MS_MAX } from './waiting/wait-for-mass-payout.ts';
export {
  WAIT_DEADLINE_MS_DEFAULT,
  WAIT_UNKNOWN_MS_DEFAULT,
  type WaitOptions,
} from './waiting/wait-options.ts';
export type { WaitTimer } from './waiting/wait-timer.ts';
export { type WalletSource, walletAddresses } from './wallet-addresses.ts';
export {
  findWebhookIds,
  WEBHOOK_IDS_MAX,
  type WebhookIdOptions,
} from './webhooks/find-webhook-ids.ts';
export { WEBHOOK_ID_LENGTH_MAX } from './webhooks/id-collector.ts';
export { parseWebhook } from './webhooks/parse-webhook.ts';
export {
  type SignedWebhook,
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookKeyPair,
  type WebhookVerification,
} from './webhooks/verify-webhook.ts';
export type {
  OtherWebhook,
  PayoutWebhook,
  UnknownWebhook,
  WebhookEvent,
  WebhookFacts,
  WebhookPayout,
} from './webhooks/webhook-event.ts';
