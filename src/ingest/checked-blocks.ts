import { availableParallelism } from 'node:os';
import { type BlockChecker, type CheckRules } from './block-checker.ts';
import type { CheckedBlock } from './checked-block.ts';
import { BLOCKS_AHEAD, BLOCKS_ALONE, THREADS_MAX } from './limits.ts';
import type { TableBlock } from './table-block.ts';
import { startThreadPool, type ThreadPool } from './thread-pool.ts';

/** The threads that check the blocks of a file. The result does not depend on them. */
export type ThreadOptions = Readonly<{
  /** Default: the processors, and at most {@link THREADS_MAX}. With one, the calling thread checks. */
  threads?: number;
  /** Blocks that the calling thread checks before it starts others. Default: {@link BLOCKS_ALONE}. */
  blocksAlone?: number;
  /** The compiled `block-thread.ts`. Default: the one beside this file. */
  module?: URL;
}>;

export type BlocksSource = Readonly<{
  file: string;
  blocks: AsyncIterable<TableBlock>;
  rules: CheckRules;
  checker: BlockChecker;
}>;

type Pending = Readonly<{ block: TableBlock; checked: CheckedBlock | Promise<CheckedBlock> }>;

/**
 * Checks the blocks of a file, many at a time, and yields them with their results in the order of
 * the file. An error of the source is thrown after the results of all blocks before it.
 * @throws READING_CUT_OFF when a thread ends early.
 */
export async function* checkedBlocks(
  { file, blocks, rules, checker }: BlocksSource,
  options: ThreadOptions = {},
): AsyncGenerator<[TableBlock, CheckedBlock]> {
  const { blocksAlone = BLOCKS_ALONE, module = BESIDE } = options;
  const { threads = Math.min(availableParallelism(), THREADS_MAX) } = options;
  const source = blocks[Symbol.asyncIterator]();
  const pending: Pending[] = [];
  let alone = threads === 1 ? Number.POSITIVE_INFINITY : blocksAlone;
  let pool: ThreadPool | undefined;
  try {
    let read = await readBlock(source);
    while (read.block !== undefined) {
      alone -= 1;
      if (alone < 0) pool ??= startThreadPool(rules, { file, threads, module });
      pending.push(begin(read.block, pool ?? checker));
      if (pending.length > (pool === undefined ? 0 : threads * BLOCKS_AHEAD)) {
        yield await nextOf(pending);
      }
      read = await readBlock(source);
    }
    while (pending.length > 0) yield await nextOf(pending);
    await read.failed;
  } finally {
    await pool?.close();
    await source.return?.();
  }
}

const BESIDE = new URL('./block-thread.js', import.meta.url);

/** The next block; none at the end. `failed`: rejects with the error of the source. */
type NextBlock = Readonly<{ block?: TableBlock; failed?: Promise<unknown> }>;

async function readBlock(source: AsyncIterator<TableBlock>): Promise<NextBlock> {
  const next = source.next();
  try {
    const { done, value } = await next;
    return done === true ? {} : { block: value };
  } catch {
    // Thrown after the results of the blocks before it.
    return { failed: next };
  }
}

function begin(block: TableBlock, runner: Pick<ThreadPool | BlockChecker, 'check'>): Pending {
  const checked = runner.check(block);
  // Its error is thrown when its turn comes, if it comes.
  if (checked instanceof Promise) checked.catch(() => undefined);
  return { block, checked };
}

async function nextOf(pending: Pending[]): Promise<[TableBlock, CheckedBlock]> {
  const next = pending.shift();
  if (next === undefined) throw new Error('no block is under way');
  return [next.block, await next.checked];
}
