import type { MerchantClient, ProbeChoices, ProbeReport } from '@bursar/merchant-api';
import type { Readable } from 'node:stream';
import type { Env, Settings } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { Files } from '../files/index.ts';
import type { Patience } from './engine/connect.ts';
import type { Engine } from './engine/engine.ts';
import type { NamespaceClient } from './engine/namespace-client.ts';

/** The time zone in which instants are shown to a person. */
export type ShownZone = Readonly<{
  /** As in `Europe/Berlin`. */
  timeZone: string;
}>;

export type Clock = ShownZone &
  Readonly<{
    nowMs(): number;
    /** Resolves after `delayMs`, or at once when the signal aborts. */
    pause(delayMs: number, signal: AbortSignal): Promise<void>;
  }>;

/** A service and the account on it that batches are paid from. */
export type ServiceAccess = Readonly<{ api: MerchantClient; baseUrl: string; account: string }>;

/** Opens a connection or a file when an operation needs it. */
export type Openers = Readonly<{
  settings(place: Readonly<{ env: Env; cwd: string }>): Promise<Settings>;
  store(settings: Settings): Promise<Store>;
  blobs(settings: Settings): Promise<Files>;
  /** `patience`: how long to wait for Temporal; missing: without a limit. @throws TEMPORAL_UNREACHABLE */
  engine(settings: Settings, env: Env, patience?: Patience): Promise<Engine>;
  /** @throws TEMPORAL_UNREACHABLE */
  namespace(settings: Settings, env: Env): Promise<NamespaceClient>;
  /** @throws SETTING_MISSING, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE */
  service(settings: Settings): Promise<ServiceAccess>;
  /**
   * Finds out how the service behaves, by reads alone. The client's MerchantApiError is not changed.
   *
   * @throws SETTING_MISSING, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE
   */
  probe(settings: Settings, choices: ProbeChoices): Promise<ProbeReport>;
}>;

/** Receives the progress of an operation, in lines for a person. */
export type Progress = Readonly<{
  /** A line that stays. */
  say(line: string): void;
  /** A line that the next one replaces. Nothing is shown where the output is no terminal. */
  show(line: string): void;
  /** Removes the line that was shown last. */
  clear(): void;
}>;

/** Questions to a person. An answer is undefined when the input ends before it. @throws when the operation is aborted */
export type Prompts = Readonly<{
  /** False where no person can answer: then no question is put. */
  mayAsk: boolean;
  ask(question: string): Promise<string | undefined>;
  /** The answer is not shown while it is typed. */
  askSecret(question: string): Promise<string | undefined>;
}>;

/** The machine and the process in which operations run. */
export type Surroundings = Readonly<{
  env: Env;
  /** Folder to which relative paths belong. */
  cwd: string;
  clock: Clock;
  /** Name of the user of this machine: who submits, cancels and answers. */
  user: string;
  /** Whether a caller of the HTTP API acts. The name of a token or a session approves nothing: only signatures do. */
  overHttp?: true;
  version: string;
  /** Version of Node.js that runs the operation. */
  nodeVersion: string;
  /** Folder for files that an operation needs only while it runs. */
  temporaryDir: string;
  /** Aborts the operation. */
  interrupted: AbortSignal;
  open: Openers;
}>;

/** The environment of an operation. Only the caller reads arguments and writes results. */
export type OperationContext = Progress &
  Prompts &
  Surroundings &
  Readonly<{ stdin: Readonly<{ stream: Readable; isTty: boolean }> }>;
