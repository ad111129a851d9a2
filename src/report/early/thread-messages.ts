import type { HashedFile } from '../drafts.ts';
import type { EarlyReportEnd } from './early-report.ts';

/** The store and the folder of reports that a thread of early reports works with. */
export type EarlyThreadData = Readonly<{ storeUrl: string; reportDir: string }>;

/** A message that gets a result: the end of a report, and the names of its files. */
export type ThreadCall =
  | (Readonly<{ kind: 'finish'; batchId: string }> & EarlyReportEnd)
  | Readonly<{ kind: 'publish'; batchId: string }>;

/** A message to the thread. `id` names the call. */
export type ToThread =
  | Readonly<{ kind: 'follow'; batchId: string }>
  | Readonly<{ kind: 'discard'; batchId: string }>
  | Readonly<{ kind: 'call'; id: number; call: ThreadCall }>
  | Readonly<{ kind: 'close' }>;

/** The result of a call. `files` is missing where no early report fits, and after `publish`. */
export type ThreadResult = Readonly<{
  files?: readonly HashedFile[] | undefined;
  error?: string;
}>;

/** A message of the thread. `id` names the call. */
export type FromThread = Readonly<{ id: number; result: ThreadResult }>;
