/** The program of a thread that checks blocks of rows: it answers each block, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckRules, createBlockChecker } from './block-checker.ts';
import type { CheckedBlock } from './checked-block.ts';
import type { TableBlock } from './table-block.ts';

const checker = createBlockChecker(workerData as CheckRules);

parentPort?.on('message', (block: TableBlock) => {
  const checked = checker.check(block);
  parentPort?.postMessage(checked, buffersOf(checked));
});

/** The buffers that are moved to the other thread, and not copied. */
const buffersOf = ({ content, accepted }: CheckedBlock): ArrayBuffer[] => [
  content.buffer,
  ...accepted.map(({ prints }) => prints.buffer),
];
