import type { HouseRules } from '../domain/plan/rules.ts';
import type { Endpoints } from '@bursar/merchant-api/spec';

/** How an ambiguous create goes on once its fence has passed. */
export type ResendMode = 'auto' | 'fenced' | 'operator';

/** Where the service is, who we are there, and how carefully it is called. Times are in milliseconds. */
export type ApiSettings = Readonly<{
  /** Base address without `/api/v1` and without a slash at the end. */
  baseUrl?: string;
  /** The public key; the secret that belongs to it is never part of the settings file. */
  key?: string;
  secretFile?: string;
  /** Only from `BURSAR_API_SECRET`, and only with a warning. A function, as nothing that prints settings shows what it gives. */
  readSecretText?: () => string;
  account?: string;
  /** How old a request may be for the service; `spec/limits.ts`. */
  timestampWindowMs: number;
  /** Known difference of the clocks; measured when absent. */
  skewMs?: number;
  /** Added to window and skew before an ambiguous create counts as fenced off. */
  fenceMarginMs: number;
  /** A create leaves within this time of its recorded timestamp, or not at all. */
  sendBudgetMs: number;
  requestTimeoutMs: number;
  resend: ResendMode;
  /** Over all workers together; no limit when absent. */
  requestsPerSecond?: number;
  endpoints: Endpoints;
}>;

export type ListenAddress = Readonly<{ host: string; port: number }>;

/** What others must know of a sandbox of these settings. */
export type SandboxSettings = Readonly<{
  listen: ListenAddress;
  /** Its keys with their secrets, as they were set; a function, as `readSecretText` is. */
  readKeysText?: () => string;
  /** The paths that it serves. */
  endpoints: Endpoints;
}>;

/** What every batch is started with unless its submitter says otherwise. */
export type BatchSettings = Readonly<{
  chunkRows: number;
  chunksInFlight: number;
  rowTag: 'append' | 'off';
  /** Rows of the first chunk of each currency, which must be paid before any other is sent; 0: no such chunk. */
  canaryRows: number;
  /** Percentages of rows (`5%`) and sums (`1000:USDT_TRC20`) above which failures stop a batch. */
  stopLoss: readonly string[];
}>;

/** What is known of the account that batches are paid from. */
export type FundsSettings = Readonly<{
  /** Whether other programs pay from it: then its balance proves nothing about a batch. */
  shared: boolean;
}>;

export type ScheduleSettings = Readonly<{
  /** The only folder from which scheduled files are taken. */
  folder: string;
  /** How late a run may start; later, it is missed. */
  catchUpMs: number;
}>;

/** The connection itself (`TEMPORAL_*`, `temporal.toml`) is read by @temporalio/envconfig when connecting. */
export type TemporalSettings = Readonly<{
  taskQueue: string;
  uiUrl: string;
  /** Keys that encrypt what Temporal keeps; nothing is encrypted without. */
  keyRingFile?: string;
  /** With a key ring: whether payloads in clear are refused. Missing: they are. */
  encryptionRequired?: boolean;
}>;

/** Where the codec server listens, and for whom: it decrypts for Temporal's web UI. */
export type CodecSettings = Readonly<{
  listen: ListenAddress;
  tokenFile: string;
  /** Origins of the pages that may ask; never empty. */
  origins: readonly string[];
}>;

/** Where notifications go: to a url, or to a command. */
export type NotifyTarget = Readonly<{
  name: string;
  url?: string;
  secretFile?: string;
  command?: readonly string[];
  /** Events that it wants; empty: all. */
  events: readonly string[];
}>;

/** Everything that can be set, checked and frozen. Paths are absolute. */
export type Settings = Readonly<{
  api: ApiSettings;
  store: Readonly<{ url: string }>;
  blob: Readonly<{ url: string }>;
  funds: FundsSettings;
  batch: BatchSettings;
  poll: Readonly<{ minMs: number; maxMs: number }>;
  bridge: Readonly<{ listen: ListenAddress; publicUrl?: string; tokenFile: string }>;
  report: Readonly<{ dir: string; followDays: number }>;
  temporal: TemporalSettings;
  codec: CodecSettings;
  /** As whom a person of this machine acts; the user's name when absent. */
  operator: Readonly<{ name?: string; keyFile?: string }>;
  rules: HouseRules;
  schedule: ScheduleSettings;
  notify: readonly NotifyTarget[];
  /** How often subscriptions, schedules and notifications that wait are looked after, in milliseconds. */
  watch: Readonly<{ everyMs: number }>;
  sandbox: SandboxSettings;
  /** Sentences for the person who starts the program: odd, but not wrong. */
  warnings: readonly string[];
}>;
