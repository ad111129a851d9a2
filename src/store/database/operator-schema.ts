import type { Generated } from 'kysely';

/**
 * Tables by which people keep a batch in hand. Columns as in `schema.ts`: amounts are canonical decimal text, instants
 * milliseconds since 1970, flags 0 or 1.
 */
export type OperatorSchema = {
  row_fingerprint: RowFingerprintTable;
  own_wallet: OwnWalletTable;
  payee: PayeeTable;
  payee_notice: PayeeNoticeTable;
  payee_notice_chunk: PayeeNoticeChunkTable;
  approval: ApprovalTable;
  hold: HoldTable;
  claim: ClaimTable;
  schedule: ScheduleTable;
  schedule_run: ScheduleRunTable;
  notification: NotificationTable;
  delivery: DeliveryTable;
  audit: AuditTable;
  row_transaction: RowTransactionTable;
  subscription: SubscriptionTable;
  health_check: HealthCheckTable;
  recheck_change: RecheckChangeTable;
  report_version: ReportVersionTable;
  balance_check: BalanceCheckTable;
  store_identity: StoreIdentityTable;
  early_cancel: EarlyCancelTable;
  store_restore: StoreRestoreTable;
  restored_batch: RestoredBatchTable;
  restore_clock: RestoreClockTable;
};

/** Each older copy that took the place of the store. The number grows, see `nextEpoch`. */
type StoreRestoreTable = { epoch: number; at_ms: number; reason: string };

/** What the service showed of a batch since a restore: BEGUN or NEW. The batch need not be in the store. */
type RestoredBatchTable = { batch_id: string; epoch: number; finding: string };

/** The first reading of each clock since a restore. */
type RestoreClockTable = { epoch: number; clock_id: string; clock_ms: number };

/** Who canceled a batch that no worker has written down yet, and why. The row of the batch takes it over. */
type EarlyCancelTable = { batch_id: string; canceled_json: string };

/** One row: which store this is, and the ids of the stores that it was put in the place of. */
type StoreIdentityTable = { id: string; succeeds_json: string };

/** The fingerprints of the rows of a staged chunk; domain/plan/row-print.ts has the layout. */
type RowFingerprintTable = {
  ingest_id: string;
  chunk: number;
  currency: string;
  fingerprints: Uint8Array;
  /** Empty: no row has an identity; null: an older version wrote it, and the rows have them. */
  identities: Uint8Array | null;
};

/** The register of payees of each account. `address` is canonical, `written` as a person wrote it. */
type PayeeTable = {
  account: string;
  network: string;
  address: string;
  written: string;
  name: string;
  /** Words with a space between them. */
  labels: string;
  added_at_ms: number;
  added_by: string;
  /** ALLOWED or DENIED; null: no person has decided. */
  decision: string | null;
  decided_by: string | null;
  decided_at_ms: number | null;
  reason: string | null;
  email: string;
};

/** The notice to the payee of one row. It has no address, no name and no amount. */
type PayeeNoticeTable = {
  batch_id: string;
  row: number;
  chunk: number;
  /** WAITING, SENDING, SENT, REFUSED, UNCLEAR, DROPPED; see store/notices/notices.ts. */
  state: string;
  attempts: number;
  created_at_ms: number;
  next_at_ms: number;
  /** When the last try began; null: there was none. */
  tried_at_ms: number | null;
  /** Why the last try failed: a code. */
  error: string | null;
};

/** An end of a chunk whose rows were searched for payees with an e-mail address. */
type PayeeNoticeChunkTable = {
  batch_id: string;
  chunk: number;
  /** The end: how often one was taken back before, and the fingerprint of the mass payout, or an empty text. */
  reopened: number;
  fingerprint: string;
};

/** Addresses of the account itself, as the service listed them. */
type OwnWalletTable = {
  account: string;
  address: string;
  seen_at_ms: number;
};

type ApprovalTable = {
  batch_id: string;
  subject: string;
  person: string;
  /** When it was given, as the approver's statement has it: whose approval lapsed may approve again, and both are kept. */
  issued_at: string;
  decision: string;
  /** The whole approval, signature included, as JSON. */
  approval_json: string;
  at_ms: number;
};

/** Why a batch creates nothing for now. The newest without an end counts. */
type HoldTable = {
  batch_id: string;
  n: number;
  kind: string;
  /** What happened, in a sentence. */
  reason: string;
  /** Who or what put it on. */
  held_by: string;
  since_ms: number;
  /** The facts when it was put on; a later hold of the same kind counts from there. */
  facts_json: string;
  released_at_ms: number | null;
  released_by: string | null;
  release_reason: string | null;
  /** On which ground it was released; see `LiftBasis`. */
  release_basis: string | null;
};

/** The claim of a batch on its account, in the order of the queue. The open amount is counted from its chunks. */
type ClaimTable = {
  seq: Generated<number>;
  batch_id: string;
  account: string;
  /** When it wants to pay; null: at once. */
  due_at_ms: number | null;
  /** When it first asked for its money; null while it waits for its time, or for people. */
  asked_at_ms: number | null;
  /** Since when it waits for more money, or for a person to lift a limit. */
  waiting_since_ms: number | null;
  /** When it was last let go. */
  granted_at_ms: number | null;
  /** When its batch ended. Kept, as the limits of a day count what began on it. */
  freed_at_ms: number | null;
};

type ScheduleTable = {
  schedule_id: string;
  definition_json: string;
  created_by: string;
  /** The signed statement that created it, as JSON; null without a policy. */
  statement_json: string | null;
  created_at_ms: number;
  paused_at_ms: number | null;
  note: string;
  /** Runs up to here were held against what happened. */
  checked_until_ms: number;
  deleted_at_ms: number | null;
};

type ScheduleRunTable = {
  schedule_id: string;
  /** Local date and time that the run is for, as `2026-11-30T09:00`. */
  nominal: string;
  due_at_ms: number;
  state: string;
  /** The workflow that has it. */
  claimed_by: string | null;
  batch_id: string | null;
  /** Batches that were begun for it and rejected. */
  rejected: number;
  file_name: string | null;
  file_sha256: string | null;
  detail: string;
  changed_at_ms: number;
};

type NotificationTable = {
  /** Derived from its content, so that the same event is stored once. */
  id: string;
  event: string;
  batch_id: string | null;
  payload_json: string;
  created_at_ms: number;
};

type DeliveryTable = {
  notification_id: string;
  target: string;
  /** WAITING, DELIVERED, GIVEN_UP. */
  state: string;
  attempts: number;
  next_at_ms: number;
  last_error: string | null;
};

/** Who decided or tried what. Each entry has the hash of the one before in its chain. */
type AuditTable = {
  /** Grows over all chains. */
  seq: Generated<number>;
  /** The number in the chain of the batch, or in the store chain; null: an entry of the first chain, of all batches. */
  n: number | null;
  at_ms: number;
  batch_id: string | null;
  actor: string;
  action: string;
  detail_json: string;
  /** What of the batch's records it changed; null where it changed none, and in entries that are older than facts. */
  facts_json: string | null;
  previous_hash: string;
  hash: string;
};

/** A transaction of the wallet's list for a row. */
type RowTransactionTable = {
  batch_id: string;
  row: number;
  transaction_id: string;
  transaction_hash: string | null;
  amount: string;
  fee: string | null;
  fee_currency: string | null;
  at_ms: number | null;
  /** Rows of the batch that are alike and share as many transactions; 1: it is this row's for certain. */
  equal_rows: number;
};

/** The webhook subscriptions of the account, as they were listed last. */
type SubscriptionTable = {
  account: string;
  subscription_id: string;
  /** As it may be shown: the address itself holds a secret. */
  url: string;
  /** Whether it leads to our bridge. */
  ours: number;
  enabled: number;
  blocked: number;
  error_count: number;
  seen_at_ms: number;
};

/** The result of the last health check of a subject. */
type HealthCheckTable = {
  name: string;
  condition: string;
  since_ms: number;
  seen_at_ms: number;
  /** More about it, in a sentence. */
  detail: string;
};

/** A change of a batch after its report. */
type RecheckChangeTable = {
  seq: Generated<number>;
  batch_id: string;
  /** null where it concerns no single chunk. */
  chunk: number | null;
  at_ms: number;
  detail_json: string;
  /** The report that holds it; null while none does. */
  version: number | null;
};

/** Reports of a batch: the first, and each that differs from the one before. */
type ReportVersionTable = {
  batch_id: string;
  version: number;
  at_ms: number;
  /** The end of the batch as that report had it. */
  state: string;
};

/** The balances of the account before the first create of a batch and after its last end. */
type BalanceCheckTable = {
  batch_id: string;
  opening_json: string;
  /** The result of both reads; null before the end. */
  check_json: string | null;
};
