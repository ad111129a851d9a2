import type { z } from 'zod';
import type { Operation } from '@bursar/merchant-api/spec';
import { DEFAULT_MODES } from '../core/modes.ts';
import type { RefusalCode } from '../core/refusals.ts';
import { AccountBody } from '../http/operations/account.ts';
import { FeeCalculationBody } from '../http/operations/fee-calculation.ts';
import { LookupBody } from '../http/operations/lookup.ts';
import { LookupAddressBody } from '../http/operations/lookup-address.ts';
import { MASS_CREATE_BODIES } from '../http/operations/mass-create.ts';
import { MASS_GET_BODIES } from '../http/operations/mass-get.ts';
import { OpcodesBody } from '../http/operations/opcodes.ts';
import { ReportBody } from '../http/operations/report.ts';
import { TRANSACTION_LIST_BODIES } from '../http/operations/transaction-list.ts';
import { UserBody } from '../http/operations/user.ts';
import { WalletCreateBody } from '../http/operations/wallet-create.ts';
import { WALLET_LIST_BODIES } from '../http/operations/wallet-list.ts';
import { WalletRenameBody } from '../http/operations/wallet-rename.ts';
import { WebhookChangeBody } from '../http/operations/webhook-change.ts';
import { WebhookCreateBody } from '../http/operations/webhook-create.ts';
import { WebhookDeleteBody } from '../http/operations/webhook-delete.ts';
import { WebhookListBody } from '../http/operations/webhook-list.ts';
import { AccountBalances, CompanyUser } from '../http/schemas/accounts.ts';
import { FeeResults } from '../http/schemas/fees.ts';
import { FoundObject, MassPayout } from '../http/schemas/payouts.ts';
import { Subscription, Subscriptions } from '../http/schemas/subscriptions.ts';
import {
  OperationCodes,
  PageOfTransactions,
  PageOfWallets,
  Report,
  Wallet,
} from '../http/schemas/wallets.ts';

export const TAGS = {
  Accounts: 'Balances, users and permissions.',
  Payouts: 'Mass payouts and their withdrawals.',
  Fees: 'The fees of payments.',
  Wallets: 'Settlement wallets, their transactions and reports.',
  Webhooks: 'Subscriptions to events, and the webhooks themselves.',
} as const;

/** The part of the document about one operation. */
export type OperationEntry = Readonly<{
  tag: keyof typeof TAGS;
  summary: string;
  /** A section of the specification. */
  section: string;
  /** Points that the specification leaves open, and other facts that a caller needs. */
  notes?: string;
  /** The body in the default modes. */
  body: z.ZodType;
  answer: z.ZodType;
  /** Refusals besides those that every operation has. */
  refusals?: readonly RefusalCode[];
}>;

/** Refusals of an operation on an account, or on an object of one. */
const SCOPED = ['ACCOUNT_FORBIDDEN'] as const;
/** Refusals of an operation on an object that must exist. */
const FINDING = ['ACCOUNT_FORBIDDEN', 'NOT_FOUND'] as const;

export const OPERATION_ENTRIES: Readonly<Record<Operation, OperationEntry>> = {
  ACCOUNT: {
    tag: 'Accounts',
    summary: 'Reads the balances of an account',
    section: 'Account and balances',
    body: AccountBody,
    answer: AccountBalances,
    refusals: SCOPED,
  },
  MASS_CREATE: {
    tag: 'Payouts',
    summary: 'Creates a mass payout',
    section: 'Payout',
    notes:
      'A repeated idempotencyKey with the same payload returns the first mass payout in its present ' +
      'state. Amounts and fees are debited at once. ASSUMED: which fields are required.',
    body: MASS_CREATE_BODIES[DEFAULT_MODES.createRequires],
    answer: MassPayout,
    refusals: [
      ...SCOPED,
      'INSUFFICIENT_FUNDS',
      'TOO_MANY_ROWS',
      'IDEMPOTENCY_KEY_CONFLICT',
      'IDEMPOTENCY_KEY_EXISTS',
      'IDEMPOTENCY_KEY_USED',
      'IDEMPOTENCY_KEY_MISMATCH',
      'IDEMPOTENCY_KEY_IN_FLIGHT',
      'IDEMPOTENCY_KEY_POISONED',
    ],
  },
  MASS_GET: {
    tag: 'Payouts',
    summary: 'Reads a mass payout',
    section: 'Endpoints',
    notes: 'ASSUMED: the request body, which is that of a lookup.',
    body: MASS_GET_BODIES[DEFAULT_MODES.massGetAccepts],
    answer: MassPayout,
    refusals: FINDING,
  },
  FEE_CALCULATION: {
    tag: 'Fees',
    summary: 'Calculates fees beforehand',
    section: 'Fee calculation',
    notes: 'ASSUMED: the sender pays the fee on top, and the receiver gets the whole amount.',
    body: FeeCalculationBody,
    answer: FeeResults,
  },
  LOOKUP: {
    tag: 'Payouts',
    summary: 'Finds a mass payout by its id or idempotencyKey, or a withdrawal by its id',
    section: 'Generic lookup and wrapper objects',
    notes: 'ASSUMED: the answer is the record itself.',
    body: LookupBody,
    answer: FoundObject,
    refusals: FINDING,
  },
  WEBHOOK_CREATE: {
    tag: 'Webhooks',
    summary: 'Subscribes to events',
    section: 'Webhook subscription (channel)',
    notes:
      'ASSUMED: the answer is the subscription. A repeated requestId with the same terms returns ' +
      'the first subscription.',
    body: WebhookCreateBody,
    answer: Subscription,
    refusals: SCOPED,
  },
  WEBHOOK_CHANGE: {
    tag: 'Webhooks',
    summary: 'Changes a subscription',
    section: 'Webhook subscription (channel)',
    notes:
      'ASSUMED: requestId names the subscription. The request replaces all other fields, and may ' +
      'contain enabled.',
    body: WebhookChangeBody,
    answer: Subscription,
    refusals: FINDING,
  },
  WEBHOOK_LIST: {
    tag: 'Webhooks',
    summary: 'Lists the subscriptions of an account',
    section: 'Webhook subscription (channel)',
    body: WebhookListBody,
    answer: Subscriptions,
    refusals: SCOPED,
  },
  WEBHOOK_DELETE: {
    tag: 'Webhooks',
    summary: 'Deletes a subscription',
    section: 'Endpoints',
    notes: 'ASSUMED: the payload, and that the answer is the deleted subscription.',
    body: WebhookDeleteBody,
    answer: Subscription,
    refusals: FINDING,
  },
  WALLET_LIST: {
    tag: 'Wallets',
    summary: 'Lists settlement wallets',
    section: 'Settlement wallets',
    notes: 'ASSUMED: the names that properties accepts, and 1,000 wallets on a page at most.',
    body: WALLET_LIST_BODIES[DEFAULT_MODES.pageBase],
    answer: PageOfWallets,
    refusals: SCOPED,
  },
  WALLET_CREATE: {
    tag: 'Wallets',
    summary: 'Creates a settlement wallet',
    section: 'Settlement wallets',
    notes: 'ASSUMED: the blockchains.',
    body: WalletCreateBody,
    answer: Wallet,
    refusals: SCOPED,
  },
  WALLET_RENAME: {
    tag: 'Wallets',
    summary: 'Renames a settlement wallet',
    section: 'Settlement wallets',
    notes: 'ASSUMED: the answer is the renamed wallet.',
    body: WalletRenameBody,
    answer: Wallet,
    refusals: FINDING,
  },
  TRANSACTION_LIST: {
    tag: 'Wallets',
    summary: 'Lists the transactions of settlement wallets',
    section: 'Settlement wallets',
    notes: 'ASSUMED: the names that properties accepts, and 1,000 transactions on a page at most.',
    body: TRANSACTION_LIST_BODIES[DEFAULT_MODES.pageBase],
    answer: PageOfTransactions,
    refusals: SCOPED,
  },
  OPCODES: {
    tag: 'Wallets',
    summary: 'Lists the operation codes of transactions',
    section: 'Settlement wallets',
    body: OpcodesBody,
    answer: OperationCodes,
    refusals: SCOPED,
  },
  LOOKUP_ADDRESS: {
    tag: 'Wallets',
    summary: 'Finds a settlement wallet by its address',
    section: 'Settlement wallets',
    notes: 'ASSUMED: the answer is the wallet.',
    body: LookupAddressBody,
    answer: Wallet,
    refusals: FINDING,
  },
  REPORT: {
    tag: 'Wallets',
    summary: 'Sums transactions',
    section: 'Report request (BaseReportRequestDTO payload)',
    notes:
      'ASSUMED: the answer, and the form of blockchainList. Both dates are included, and the first ' +
      'must not be after the last.',
    body: ReportBody,
    answer: Report,
    refusals: SCOPED,
  },
  USER: {
    tag: 'Accounts',
    summary: 'Reads the user of the key, permissions and accounts',
    section: 'User, company and permissions',
    body: UserBody,
    answer: CompanyUser,
    refusals: SCOPED,
  },
};
