import { Worker } from 'node:worker_threads';
import type { HashedFile } from '../drafts.ts';
import type { EarlyReportEnd } from './early-report.ts';
import type {
  EarlyThreadData,
  FromThread,
  ThreadCall,
  ThreadResult,
  ToThread,
} from './thread-messages.ts';

/** Batches with fewer chunks are written at their end: that takes a part of a second. */
const EARLY_CHUNKS_MIN = 100;

/** The heap of the thread. It holds some chunks of rows and the text of their lines. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

export type EarlyReportsOptions = EarlyThreadData &
  Readonly<{
    /** Receives the reason why an early report was lost. The report is then written at the end. */
    warn(reason: string): void;
    /** Default: {@link EARLY_CHUNKS_MIN}. */
    chunksMin?: number;
    /** The compiled `early-thread.ts`. Default: the one beside this file. */
    module?: URL;
  }>;

/** A report at its end. `onHashed` receives the hash of every file before the first one gets its name. */
export type EndingReport = EarlyReportEnd &
  Readonly<{ batchId: string; onHashed(files: readonly HashedFile[]): Promise<void> }>;

/** The reports of large batches, which a thread writes beside the payment as far as it can. */
export type EarlyReports = Readonly<{
  /** Has the lines of final rows written. `chunks`: some of the batch that have ended. Returns at once. */
  follow(batchId: string, chunks: readonly number[]): void;
  /** Ends the report of a batch. Returns false when it must be written from its first row. */
  write(ending: EndingReport): Promise<boolean>;
  /** Ends the thread, and removes the drafts. */
  close(): Promise<void>;
}>;

const BESIDE = new URL('./early-thread.js', import.meta.url);

export function createEarlyReports(options: EarlyReportsOptions): EarlyReports {
  const { storeUrl, reportDir, warn, chunksMin = EARLY_CHUNKS_MIN, module = BESIDE } = options;
  let thread: EarlyThread | undefined;

  function startThread(): EarlyThread {
    const started = startEarlyThread({ storeUrl, reportDir }, { module, warn });
    // A thread that failed stays in its place: each sweep would start one that fails again.
    void started.ended.then((hasFailed) => {
      if (!hasFailed) thread = undefined;
    });
    return started;
  }

  async function end({ batchId, chunks, report, onHashed }: EndingReport, on: EarlyThread) {
    const { files } = await on.call({ kind: 'finish', batchId, chunks, report });
    if (files === undefined) return false;
    try {
      await onHashed(files);
    } catch (error) {
      on.send({ kind: 'discard', batchId });
      throw error;
    }
    return (await on.call({ kind: 'publish', batchId })).error === undefined;
  }

  return {
    follow(batchId, chunks) {
      // The chunks of a batch are numbered from 0.
      if (!chunks.some((chunk) => chunk >= chunksMin)) return;
      try {
        thread ??= startThread();
      } catch (error) {
        // The system has no thread left. Payments must go on without this one.
        warn(error instanceof Error ? error.message : String(error));
        return;
      }
      thread.send({ kind: 'follow', batchId });
    },
    write: async (ending) => thread !== undefined && end(ending, thread),
    async close() {
      const open = thread;
      open?.send({ kind: 'close' });
      await open?.ended;
    },
  };
}

/** The result of a call whose thread has ended. */
const LOST: ThreadResult = { error: 'the thread has ended' };

type EarlyThread = ReturnType<typeof startEarlyThread>;

function startEarlyThread(
  workerData: EarlyThreadData,
  { module, warn }: Readonly<{ module: URL; warn(reason: string): void }>,
) {
  const worker = new Worker(module, { workerData, resourceLimits: RESOURCE_LIMITS });
  const waiting = new Map<number, (result: ThreadResult) => void>();
  let calls = 0;
  let hasEnded = false;
  let failure: string | undefined;

  worker.on('message', ({ id, result }: FromThread) => {
    if (result.error !== undefined) warn(result.error);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    failure = error.message;
  });
  const ended = new Promise<boolean>((resolve) => {
    worker.on('exit', (code) => {
      hasEnded = true;
      if (code !== 0) warn(failure ?? `the thread ended with code ${code}`);
      for (const end of waiting.values()) end(LOST);
      resolve(code !== 0);
    });
  });

  const send = (message: ToThread): void => worker.postMessage(message, []);
  return {
    /** Resolves when the thread has ended, with whether it failed. */
    ended,
    send,
    /** Calls the thread. An end of the thread is an error of the result. */
    call: (call: ThreadCall): Promise<ThreadResult> =>
      new Promise((resolve) => {
        calls += 1;
        waiting.set(calls, resolve);
        if (hasEnded) resolve(LOST);
        else send({ kind: 'call', id: calls, call });
      }),
  };
}
