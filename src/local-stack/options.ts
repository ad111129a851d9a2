import type { Env, Settings } from '../config.ts';
import type { PortMode } from './processes/ports.ts';
import type { TemporalPorts } from './temporal/command.ts';

/** The programs of the stack that are ours, as files for Node. */
export type Programs = Readonly<Record<'bridge' | 'codec-server' | 'sandbox' | 'worker', string>>;

export type StackOptions = Readonly<{
  settings: Settings;
  /** The environment that the settings were read from; the processes get it too. */
  env: Env;
  /** Working folder of the processes. Data, logs and the lock lie in `.bursar` below it. */
  cwd: string;
  /** `fixed`: the ports of the settings, or PORT_TAKEN. `free`: others where those are in use. */
  ports: PortMode;
  /**
   * Starts the sandbox too, and connects engine and sandbox with any `api.*`, so that nothing reaches a real service.
   * By default only when no `api.base_url` is set.
   */
  sandbox?: boolean;
  /** Encrypts what Temporal keeps, with a key ring that is made when there is none. A stack that has a key ring always does. */
  encrypt?: boolean;
  /** Receives each process that is ready, with its address. */
  say: (line: string) => void;
  /** Temporal's own 7233 and 8233 by default; 0 means any. */
  temporalPorts?: TemporalPorts;
  /** The built programs by default. */
  programs?: Programs;
}>;

export type StackAddresses = Readonly<{
  /** `host:port` for Temporal's clients. */
  temporal: string;
  /** Temporal's web UI. */
  ui: string;
  bridge: string;
  /** Only of an encrypted stack; without its token. */
  codecServer?: string;
  sandbox?: string;
}>;
