import type { Env } from '../../src/config.ts';
import type { Figure } from './figure.ts';

/** What every part of the bench gets. */
export type BenchContext = Readonly<{
  /** An empty folder for this part, removed afterwards. */
  folder: string;
  /** Rows of the part's file; undefined: as many as its aims are meant for. */
  rows: number | undefined;
  /** How often each thing is measured. */
  runs: number;
  /** Of the part `peers`: milliseconds of a create, and the names of the peers; see `Options`. */
  delayMs: number | undefined;
  peers: readonly string[];
  /** Folder for CPU profiles of the workers; undefined: none are made. */
  profileDir: string | undefined;
  env: Env;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  /** Shows progress to the person who waits. */
  say(line: string): void;
}>;

/** Measures one thing. Throws when something is wrong, never because an aim is missed. */
export type Part = (context: BenchContext) => Promise<readonly Figure[]>;
