/** A row as it stood in the merchant's file. Amounts are decimal text. */
export type FileRow = Readonly<{ address: string; amount: string; currency: string }>;

/** A row as the report of its batch tells it. */
export type ToldRow = FileRow & Readonly<{ outcome: string }>;

/** A batch, or a resend of one, as people and the engine's own report tell it. Instants are Unix milliseconds. */
export type ToldBatch = Readonly<{
  batchId: string;
  state: string;
  /** Whether it pays again what failed in another batch. */
  isResend: boolean;
  /** What had to be paid, in the order of the file. */
  rows: readonly FileRow[];
  told: readonly ToldRow[];
  /** Addresses of the rows that its report offers to be paid again. */
  resendable: readonly string[];
  /** Idempotency keys of its chunks: of as many as it may have. */
  keys: readonly string[];
  /** When its approval was first given; undefined: never. */
  approvedAtMs: number | undefined;
  /** Addresses of the rows that its report asks people to find out about. */
  investigated: readonly string[];
}>;

/** A withdrawal in the ledger of the service. */
export type LedgerRow = Readonly<{
  idempotencyKey: string;
  currency: string;
  depositAddress: string;
  amount: string;
  fee: string;
  state: string;
}>;

export type Balance = Readonly<{
  currency: string;
  opening: string;
  balance: string;
  tiesOut: boolean;
}>;

/** A create request as the service saw it. Instants are Unix milliseconds, by the service's own clock and the signed body. */
export type SeenCreate = Readonly<{
  atMs: number;
  timestampMs: number;
  idempotencyKey: string;
  /** What the service decided; null: nothing. */
  status: number | null;
}>;

/** What everybody but the engine has to say at the end of a run, besides what the engine's reports say. */
export type Evidence = Readonly<{
  batches: readonly ToldBatch[];
  ledger: readonly LedgerRow[];
  balances: readonly Balance[];
  creates: readonly SeenCreate[];
  /** How long a request may be from the service's clock, in milliseconds. */
  timestampWindowMs: number;
  /** Secrets and rows that were found where they must not be, as `place: what`. */
  leaks: readonly string[];
  /** Records that are not as they were written down, as sentences. */
  unproven: readonly string[];
  /** Batches that had not come to their end in time. */
  unsettled: readonly string[];
  /** Processes that ended though nobody killed them, as sentences. */
  crashes: readonly string[];
  /** Chunks whose create was in doubt, and that were found and adopted. */
  recovered: number;
  /** How often each fault happened. */
  faults: Readonly<Record<string, number>>;
}>;
