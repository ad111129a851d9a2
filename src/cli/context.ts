import type { Colours } from './terminal/colours.ts';
import type { OperationContext, Openers, Surroundings } from '../operations/context.ts';
import type { Stack, StackOptions } from '../local-stack/index.ts';
import type { TemporalAloneOptions } from '../local-stack/temporal/alone.ts';
import type { Child } from '../local-stack/processes/child.ts';
import type { Settings } from '../config.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The HTTP API, while it listens at `url`. */
export type RunningApi = Readonly<{
  url: string;
  /** The address of the web app for people; null: no setting names it, and no person can sign in. */
  webUrl: string | null;
  close(): Promise<void>;
}>;

/** The openers of operations, those of the local stack, and the HTTP API. */
export type CommandOpeners = Openers &
  Readonly<{
    stack(options: StackOptions): Promise<Stack>;
    temporalAlone(options: TemporalAloneOptions): Promise<Child>;
    /** Starts the HTTP API in this process. Throws PORT_TAKEN. */
    httpApi(surroundings: Surroundings, settings: Settings): Promise<RunningApi>;
  }>;

/** Everything outside: nothing below `starter.ts` touches the process itself. */
export type World = Surroundings &
  Readonly<{
    terminal: Terminal;
    /** Folder of the example files. */
    examplesDir: string;
    open: CommandOpeners;
  }>;

/** A server that runs operations (`bursar serve`), and the token for it. */
export type ServerPlace = Readonly<{ url: string; token: string }>;

export const FORMATS = ['text', 'json', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** The input of a command: the world, and the output format of the caller. */
export type Context = World &
  OperationContext &
  Readonly<{
    format: Format;
    colours: Colours;
    /** Writes data, and a line end. */
    print(text: string): void;
    /** Where operations run; undefined: in this process. */
    server?: ServerPlace;
  }>;

/** A command of the command line: a function from flags to an exit code. */
export type Command<Flags> = (flags: Flags, context: Context) => Promise<number>;
