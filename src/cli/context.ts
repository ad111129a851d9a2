import type { Colours } from './terminal/colours.ts';
import type { Env, Settings } from '../config.ts';
import type { MerchantClient } from '@bursar/merchant-api';
import type { BlobStore } from '../store/rows/blobs.ts';
import type { Store } from '../store/index.ts';
import type { Patience } from './engine/connect.ts';
import type { Engine } from './engine/engine.ts';
import type { NamespaceDesk } from './engine/namespace-desk.ts';
import type { Stack, StackOptions } from '../local-stack/index.ts';
import type { TemporalAloneOptions } from '../local-stack/temporal/alone.ts';
import type { Child } from '../local-stack/processes/child.ts';
import type { Talk } from './terminal/talk.ts';
import type { Terminal } from './terminal/terminal.ts';

export type Clock = Readonly<{
  nowMs(): number;
  /** Resolves after `delayMs`, or at once when the signal aborts. */
  pause(delayMs: number, signal: AbortSignal): Promise<void>;
  /** The person's time zone, as in `Europe/Berlin`. */
  timeZone: string;
}>;

/** A service and the account on it that batches are paid from. */
export type Service = Readonly<{ api: MerchantClient; baseUrl: string; account: string }>;

/** Makes the real things, each only when a command needs it. */
export type Openers = Readonly<{
  settings(place: Pick<World, 'env' | 'cwd'>): Promise<Settings>;
  store(settings: Settings): Promise<Store>;
  blobs(settings: Settings): Promise<BlobStore>;
  /** `patience`: how long to wait for Temporal; missing: as long as it may take. Throws TEMPORAL_UNREACHABLE. */
  engine(settings: Settings, env: Env, patience?: Patience): Promise<Engine>;
  /** Throws TEMPORAL_UNREACHABLE. */
  namespace(settings: Settings, env: Env): Promise<NamespaceDesk>;
  /** Throws SETTING_MISSING, SECRET_FILE_OPEN, SECRET_FILE_UNREADABLE. */
  service(settings: Settings): Promise<Service>;
  stack(options: StackOptions): Promise<Stack>;
  temporalAlone(options: TemporalAloneOptions): Promise<Child>;
}>;

/** Everything outside: nothing below `starter.ts` touches the process itself. */
export type World = Readonly<{
  terminal: Terminal;
  env: Env;
  /** Folder in which the command runs. */
  cwd: string;
  clock: Clock;
  /** Who submits, cancels and answers. */
  user: string;
  version: string;
  /** Version of Node.js that runs the command. */
  nodeVersion: string;
  /** Folder of the example files. */
  examplesDir: string;
  /** Folder for files that a command needs only while it runs. */
  temporaryDir: string;
  /** Aborts at Ctrl-C. */
  interrupted: AbortSignal;
  open: Openers;
}>;

export const FORMATS = ['text', 'json', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** What a command gets: the world, and how the caller wants to be spoken to. */
export type Context = World &
  Talk &
  Readonly<{
    format: Format;
    colours: Colours;
    /** Whether there is somebody to ask. */
    mayAsk: boolean;
    /** Writes data, and a line end. */
    print(text: string): void;
  }>;

/** A command of the command line: a function from what it was asked to an exit code. */
export type Command<Flags> = (flags: Flags, context: Context) => Promise<number>;
