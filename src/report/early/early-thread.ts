/** The program of a thread that writes early reports. It ends when it has none. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStoreReader } from '../../store/index.ts';
import { createEarlyReportBook } from './early-report-book.ts';
import type {
  EarlyThreadData,
  FromThread,
  ThreadCall,
  ThreadResult,
  ToThread,
} from './thread-messages.ts';

/** How often the reports of batches that another worker has ended are removed, in milliseconds. */
const DROP_MS = 30_000;

const { storeUrl, reportDir } = workerData as EarlyThreadData;
const store = await openStoreReader(storeUrl);
const book = createEarlyReportBook(store, reportDir);
const timer = setInterval(() => void book.dropEnded().then(endIfEmpty), DROP_MS);
let hasEnded = false;

parentPort?.on('message', (message: ToThread) => void take(message).then(endIfEmpty));

async function take(message: ToThread): Promise<void> {
  if (message.kind === 'follow') return book.follow(message.batchId);
  if (message.kind === 'discard') return book.discard(message.batchId);
  if (message.kind === 'close') return book.discardAll();
  const { id, call } = message;
  try {
    reply({ id, result: { files: await resultOf(call) } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    reply({ id, result: { error: reason } });
  }
}

const reply = (message: FromThread): void => parentPort?.postMessage(message, []);

async function resultOf(call: ThreadCall): Promise<ThreadResult['files']> {
  if (call.kind === 'finish') return book.finish(call.batchId, call);
  await book.publish(call.batchId);
  return undefined;
}

async function endIfEmpty(): Promise<void> {
  if (hasEnded || !book.isEmpty()) return;
  hasEnded = true;
  clearInterval(timer);
  parentPort?.close();
  await store.close();
}
