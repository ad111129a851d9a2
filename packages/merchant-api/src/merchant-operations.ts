import type { AccountCallOptions, AccountOption, AccountReadOptions, ReadOptions } from './call.ts';
import type { WalkOptions } from './each-item.ts';
import type { Balances } from './records/balances.ts';
import type { FeeQuote } from './records/fee-quote.ts';
import type { LookupRecord } from './records/lookup-record.ts';
import type { MassPayout } from './records/mass-payout.ts';
import type { Page } from './records/page.ts';
import type { Report } from './records/report.ts';
import type { Transaction } from './records/transaction.ts';
import type { User } from './records/user.ts';
import type { AssumedWallet, Wallet } from './records/wallet.ts';
import type {
  WebhookSubscriptionList,
  WebhookSubscriptionParts,
} from './records/webhook-subscription.ts';
import type { FeesInput } from './request/fees-input.ts';
import type {
  TransactionFilter,
  TransactionWalkFilter,
  WalletFilter,
  WalletWalkFilter,
} from './request/list-filter.ts';
import type {
  MassPayoutInput,
  PreparedCreate,
  StoredPayload,
} from './request/mass-payout-payload.ts';
import type { Reference } from './request/reference.ts';
import type { ReportInput } from './request/report-input.ts';
import type { AddressInput, WalletInput, WalletRename } from './request/wallet-input.ts';
import type {
  WebhookSubscriptionChange,
  WebhookSubscriptionInput,
  WebhookSubscriptionReference,
} from './request/webhook-subscription.ts';
import type { Answer } from './response/conclude.ts';
import type { WireOperationCode } from './spec/wallets.ts';

/**
 * The operations of the service. Each call sends one signed request and rejects with
 * `MerchantApiError` only. Its `kind` shows whether the service may have acted. The client may repeat a read, by its
 * option `retries`, and nothing else.
 */
export interface MerchantOperations {
  /**
   * Reads every balance of one account, by default that of the client options. Amounts are canonical
   * decimal text.
   *
   * Spec: "Endpoints", POST /api/v1/account; "Account and balances".
   *
   * @example
   * const { value } = await client.readBalance();
   * value.balances[0]?.amount; // '1234567.000000000000000001'
   */
  readonly readBalance: (input?: AccountOption, call?: ReadOptions) => Promise<Answer<Balances>>;

  /**
   * Creates a mass payout. Its state at creation is CREATION_IN_PROGRESS.
   *
   * After an error other than `not-sent`, `unavailable` and `invalid-input`, money may move.
   * Call `lookup` with its idempotency key before another attempt.
   *
   * ASSUMED: account-scoped. Spec: "Endpoints", POST /api/v1/payout/mass/create; "Payout".
   *
   * @example
   * const payloadText = buildMassPayoutPayload({ currency, massAddresses, idempotencyKey });
   * // store idempotencyKey and payloadText, then:
   * const { value } = await client.createMassPayout({ payloadText });
   */
  readonly createMassPayout: (
    input: MassPayoutInput | StoredPayload | PreparedCreate,
    call?: AccountCallOptions,
  ) => Promise<Answer<MassPayout>>;

  /**
   * Reads a mass payout and its state, by its id or its idempotency key.
   *
   * The request has the shape `massGetAccepts` of the client options. Rejects with `unavailable` for a reference that
   * the service does not take; `takesReference` shows it beforehand.
   * Spec: "Endpoints", POST /api/v1/payout/mass, which does not show the request; "Mass payout record".
   *
   * @example
   * const { value } = await client.readMassPayout({ idempotencyKey });
   * value.state; // 'COMPLETED'
   */
  readonly readMassPayout: (
    reference: Reference,
    call?: AccountReadOptions,
  ) => Promise<Answer<MassPayout>>;

  /**
   * Calculates the fees of one or more operations (`FEE_ITEMS_MIN`), by default without an account.
   *
   * The spec does not show the order of the quotes. Match them to items by amount and currency.
   * Spec: "Fee calculation"; its path is ASSUMED.
   *
   * @example
   * const { value } = await client.calculateFees({
   *   items: [{ baseAmount: '12.5', currency, opType: 'WITHDRAWAL', feeType: 'SERVICE' }],
   * });
   * value[0]?.feeSender.fee; // '0.1'
   */
  readonly calculateFees: (
    input: FeesInput,
    call?: AccountReadOptions,
  ) => Promise<Answer<FeeQuote[]>>;

  /**
   * Finds a payout or a mass payout by its id or its idempotency key.
   *
   * ASSUMED: account-scoped; the answer is one of the two records, perhaps wrapped in `{data}`.
   * Spec: "Generic lookup"; its path is ASSUMED.
   *
   * @example
   * const { value } = await client.lookup({ idempotencyKey });
   * if (value.kind === 'massPayout') console.log(value.withdrawalErrors);
   */
  readonly lookup: (
    reference: Reference,
    call?: AccountReadOptions,
  ) => Promise<Answer<LookupRecord>>;

  /**
   * Creates a webhook subscription to event types, to groups of them, or to both. Without a
   * `requestId` of your own, read it from the list afterwards.
   *
   * Spec: "Webhook subscription", "Events" 1; its path and its answer are ASSUMED.
   */
  readonly createWebhookSubscription: (
    input: WebhookSubscriptionInput,
    call?: AccountCallOptions,
  ) => Promise<Answer<WebhookSubscriptionParts>>;

  /**
   * Changes a webhook subscription. The spec does not show the effect on types that you leave out:
   * give every type and group that the subscription should cover, at least one.
   *
   * ASSUMED: `requestId` names the subscription. Spec: "Webhook subscription"; its path and its
   * answer are ASSUMED.
   */
  readonly changeWebhookSubscription: (
    change: WebhookSubscriptionChange,
    call?: AccountCallOptions,
  ) => Promise<Answer<WebhookSubscriptionParts>>;

  /**
   * Lists every webhook subscription of an account, with its secret key and its delivery errors.
   *
   * Spec: "Webhook subscription"; its path is ASSUMED.
   */
  readonly listWebhookSubscriptions: (
    call?: AccountReadOptions,
  ) => Promise<Answer<WebhookSubscriptionList>>;

  /**
   * Deletes a webhook subscription.
   *
   * Spec: "Events" 6; its path, its payload and its answer are ASSUMED.
   */
  readonly deleteWebhookSubscription: (
    input: WebhookSubscriptionReference,
    call?: AccountCallOptions,
  ) => Promise<Answer<WebhookSubscriptionParts>>;

  /**
   * Lists one page of settlement wallets, by default the first 10 by name.
   *
   * ASSUMED: account-scoped. Spec: "Settlement wallets", "Limits"; its path is ASSUMED.
   */
  readonly listWallets: (
    filter?: WalletFilter,
    call?: AccountReadOptions,
  ) => Promise<Answer<Page<Wallet>>>;

  /**
   * Yields every settlement wallet that matches the filter, and reads each page when it needs it.
   *
   * A wallet that changes during the walk may come twice or not at all. Throws `unreadable` also
   * for pages out of order, and after `pagesMax` pages. Spec: "Settlement wallets".
   *
   * @example
   * for await (const wallet of client.eachWallet({ blockchain: 'TRON' })) console.log(wallet.name);
   */
  readonly eachWallet: (
    filter?: WalletWalkFilter,
    options?: WalkOptions,
  ) => AsyncGenerator<Wallet, void, undefined>;

  /**
   * Creates a settlement wallet. It has no idempotency key: after `no-answer` or `unreadable`, read
   * the list before another attempt.
   *
   * ASSUMED: account-scoped. Spec: "Settlement wallets", "Limits"; its path is ASSUMED.
   */
  readonly createWallet: (input: WalletInput, call?: AccountCallOptions) => Promise<Answer<Wallet>>;

  /**
   * Renames the settlement wallet with an address.
   *
   * ASSUMED: account-scoped. Spec: "Settlement wallets", "Limits"; its path and its answer are
   * ASSUMED.
   */
  readonly renameWallet: (
    rename: WalletRename,
    call?: AccountCallOptions,
  ) => Promise<Answer<AssumedWallet>>;

  /**
   * Lists one page of wallet transactions, by default the first 10 by date.
   *
   * ASSUMED: account-scoped. Spec: "Settlement wallets", "Limits"; its path is ASSUMED.
   */
  readonly listTransactions: (
    filter?: TransactionFilter,
    call?: AccountReadOptions,
  ) => Promise<Answer<Page<Transaction>>>;

  /**
   * Yields every wallet transaction that matches the filter, and reads each page when it needs it.
   *
   * A transaction that changes place during the walk may come twice or not at all. In order `ASC`
   * by date, new ones come last. Throws `unreadable` also for pages out of order, and after
   * `pagesMax` pages. Spec: "Settlement wallets".
   */
  readonly eachTransaction: (
    filter?: TransactionWalkFilter,
    options?: WalkOptions,
  ) => AsyncGenerator<Transaction, void, undefined>;

  /**
   * Lists the operation codes of wallet transactions.
   *
   * ASSUMED: account-scoped, without a payload; the spec does not show the request. Spec:
   * "Settlement wallets"; its path is ASSUMED.
   */
  readonly listOperationCodes: (call?: AccountReadOptions) => Promise<Answer<WireOperationCode[]>>;

  /**
   * Finds the wallet with an address.
   *
   * ASSUMED: account-scoped. Spec: "Settlement wallets"; its path and its answer are ASSUMED.
   *
   * @example
   * const { value } = await client.lookupAddress({ address });
   * if (value.kind === 'wallet') console.log(value.name);
   */
  readonly lookupAddress: (
    input: AddressInput,
    call?: AccountReadOptions,
  ) => Promise<Answer<AssumedWallet>>;

  /**
   * Requests a report by blockchain and date range.
   *
   * ASSUMED: account-scoped. Spec: "Report request"; its path and its answer are ASSUMED.
   */
  readonly requestReport: (
    input: ReportInput,
    call?: AccountCallOptions,
  ) => Promise<Answer<Report>>;

  /**
   * Reads the user of the API key, with its company, permissions and accounts.
   *
   * ASSUMED: without a payload; the spec does not show the request. By default without an account. Spec: "User, company
   * and permissions"; its path is ASSUMED.
   */
  readonly readUser: (call?: AccountReadOptions) => Promise<Answer<User>>;
}
