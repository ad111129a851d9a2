import type { Operation, EventGroup, EventType, PayoutState } from '@bursar/merchant-api/spec';

/** Answers of the admin API. Amounts are text and stay text; dates are ISO 8601 in UTC. */
export type MassPayout = Readonly<{
  n: number;
  id: string;
  account: string;
  state: PayoutState;
  idempotencyKey: string;
  externalId: string | null;
  name: string | null;
  comment: string | null;
  currency: string;
  withdrawals: number;
  totalAmount: string;
  totalFee: string;
  confirmations: number;
  executionDate: string | null;
  createdDate: string;
  endedDate: string | null;
  nextStepDate: string | null;
}>;

export type MassPayoutPage = Readonly<{
  massPayouts: readonly MassPayout[];
  next: number | null;
}>;

export type Withdrawal = Readonly<{
  position: number;
  withdrawalId: string;
  depositAddress: string;
  amount: string;
  fee: string;
  currency: string;
  comment: string | null;
  state: PayoutState;
  errorMessage: string | null;
  errorResolved: boolean | null;
  transactionHash: string | null;
}>;

export type WithdrawalPage = Readonly<{
  massPayout: MassPayout;
  /** Withdrawals that a person can send again. */
  failed: number;
  withdrawals: readonly Withdrawal[];
  next: number | null;
}>;

export type Account = Readonly<{ account: string; name: string; confirmations: number }>;

export type Accounts = Readonly<{ accounts: readonly Account[] }>;

export type Wallet = Readonly<{
  n: number;
  account: string;
  name: string;
  address: string;
  blockchain: string;
  balances: readonly Readonly<{ currency: string; amount: string; token: boolean }>[];
}>;

export type Wallets = Readonly<{ wallets: readonly Wallet[] }>;

export type Movement = Readonly<{
  n: number;
  time: string;
  account: string;
  walletAddress: string;
  currency: string;
  opCode: string;
  isResend: boolean;
  transactions: number;
  amount: string;
  fee: string;
  massPayoutId: string | null;
}>;

export type Movements = Readonly<{ movements: readonly Movement[]; next: number | null }>;

export type Tariff = Readonly<{ currency: string; percent: string; fix: string; min: string }>;

export type Tariffs = Readonly<{ tariffs: readonly Tariff[] }>;

export type Ledger = Readonly<{
  balances: readonly Readonly<{
    account: string;
    currency: string;
    opening: string;
    sum: string;
    balance: string;
    tiesOut: boolean;
  }>[];
}>;

export type DeliveryStatus = 'WAITING' | 'HELD' | 'DELIVERED' | 'GIVEN_UP' | 'DROPPED';

export type Subscription = Readonly<{
  id: string;
  requestId: string;
  account: string | null;
  url: string;
  notificationEventTypes: readonly EventType[];
  notificationServiceTypes: readonly EventGroup[];
  publicKey: string;
  enabled: boolean;
  createdDate: string;
  blockedByErrorCount: boolean;
  errorCount: number;
  errorFirstDate: string | null;
  errorLastDate: string | null;
  deliveries: Readonly<Partial<Record<DeliveryStatus, number>>>;
}>;

export type Subscriptions = Readonly<{ subscriptions: readonly Subscription[] }>;

export type Delivery = Readonly<{
  id: number;
  subscription: string;
  type: EventType;
  account: string;
  /** The bytes that are sent, as text. */
  body: string;
  fault: string | null;
  status: DeliveryStatus;
  createdDate: string;
  nextDate: string | null;
  attempts: readonly Readonly<{ time: string; status: number | null; reason: string | null }>[];
}>;

export type Deliveries = Readonly<{ deliveries: readonly Delivery[]; next: number | null }>;

export type SandboxEvent = Readonly<{
  n: number;
  time: string;
  type: EventType;
  account: string;
  data: Readonly<Record<string, unknown>>;
}>;

export type Events = Readonly<{ events: readonly SandboxEvent[]; next: number | null }>;

export type EventTypes = Readonly<{
  types: readonly Readonly<{
    type: EventType;
    group: EventGroup;
    data: Readonly<Record<string, unknown>>;
  }>[];
  groups: readonly EventGroup[];
}>;

export type Fault = Readonly<
  { id: number; target: string; kind: string; drawn: number; fired: number } & Record<
    string,
    unknown
  >
>;

export type Faults = Readonly<{ faults: readonly Fault[] }>;

export type FaultKind = Readonly<{
  target: 'operation' | 'WEBHOOK';
  kind: string;
  needs: readonly string[];
  may: readonly string[];
}>;

export type FaultKinds = Readonly<{
  operations: readonly Operation[];
  pages: readonly string[];
  kinds: readonly FaultKind[];
}>;

export type ModeValue = string | number | null;

export type ModeValues = Readonly<Record<string, ModeValue>>;

export type Modes = Readonly<{ modes: ModeValues; overrides: ModeValues }>;

export type ModeRange =
  | readonly string[]
  | Readonly<{ min: number; max: number; canBeNull: boolean }>;

export type ModeRanges = Readonly<{
  values: Readonly<Record<string, ModeRange>>;
  settings: ModeValues;
}>;

export type Clock = Readonly<{ time: string; offsetMs: number; override: number | null }>;

export type LoggedRequest = Readonly<{
  n: number;
  time: string;
  operation: Operation;
  status: number | null;
  errorCode: string | null;
  objectId: string | null;
  idempotencyKey: string | null;
  timestampMs: number | null;
  bodySha256: string;
  requestBytes: number;
  answerBytes: number | null;
  durationMs: number;
  modes: string | null;
  fault: string | null;
}>;

export type Requests = Readonly<{ requests: readonly LoggedRequest[]; next: number | null }>;
