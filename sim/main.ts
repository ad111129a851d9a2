import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CARELESS, type Carelessness } from './careless.ts';
import { runSeed } from './run.ts';
import { NOTHING, type Seeds, sumOf, type Tally, tallyOf, tallyText, unseen } from './tally.ts';

const USAGE = `npm run sim -- [--seeds N] [--from S] [--jobs J] [--careless NAME]
npm run sim -- --seed S [--careless NAME]     one seed, with its trace

NAME: ${Object.keys(CARELESS).join(', ')}`;

/** Seeds that are handed to a thread at a time, and in how many everything must have happened. */
const SEEDS_AT_ONCE = 500;
const SEEDS_FOR_EVIDENCE = 10_000;

type Wish = Readonly<{ seeds: number; from: number; jobs: number; careless?: Carelessness }>;
type Care = Pick<Wish, 'careless'>;

if (isMainThread) process.exitCode = await main();
else answerPortions(workerData as Care);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      careless: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const careless = values.careless as Carelessness | undefined;
  const numbers = [values.seeds, values.from, values.jobs, values.seed ?? '1'].map(Number);
  const isWrong = numbers.some((number) => !Number.isSafeInteger(number) || number < 1);
  if (values.help || isWrong || (careless !== undefined && !(careless in CARELESS))) {
    process.stdout.write(`${USAGE}\n`);
    return values.help ? 0 : 2;
  }
  const [seeds = 1, from = 1, jobs = 1, seed = 1] = numbers;
  const care = careless === undefined ? {} : { careless };
  if (values.seed !== undefined) return showSeed(seed, care);
  return showMany({ seeds, from, jobs, ...care });
}

function showSeed(seed: number, care: Care): number {
  const { setting, trace, broken } = runSeed(seed, { traces: true, ...care });
  const said = broken.map(({ law, why }) => `${law} broken: ${why}`);
  const lines = [JSON.stringify(setting, null, 2), ...trace, '', ...said];
  process.stdout.write(`${lines.join('\n')}\nseed ${seed}: ${broken.length} broken\n`);
  return broken.length === 0 ? 0 : 1;
}

async function showMany(wish: Wish): Promise<number> {
  const startedMs = performance.now();
  const tally = await tallyInThreads(wish);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  process.stdout.write(`${tallyText(tally)}\n${tally.seeds} seeds in ${seconds} s\n`);
  const [first] = Object.values(tally.broken).sort((a, b) => a.seed - b.seed);
  if (first !== undefined) {
    const careless = wish.careless === undefined ? '' : ` --careless ${wish.careless}`;
    process.stdout.write(
      `A law was broken. Its story: npm run sim -- --seed ${first.seed}${careless}\n`,
    );
    return 1;
  }
  const isEvidence = tally.seeds < SEEDS_FOR_EVIDENCE || unseen(tally).length === 0;
  return isEvidence ? 0 : 1;
}

/** Portions come back in any order; their sum does not depend on it. */
async function tallyInThreads({ seeds, from, jobs, ...care }: Wish): Promise<Tally> {
  let tally = NOTHING;
  let next = from;
  const end = from + seeds;
  const work = async (): Promise<void> => {
    // One thread for all its portions: what it has compiled stays compiled.
    const thread = new Worker(new URL(import.meta.url), { workerData: care });
    while (next < end) {
      const portion = { from: next, count: Math.min(SEEDS_AT_ONCE, end - next) };
      next += portion.count;
      const part = await tallyOfThread(thread, portion);
      tally = sumOf(tally, part);
      if (process.stderr.isTTY) process.stderr.write(`\r${tally.seeds} of ${seeds} seeds `);
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (process.stderr.isTTY) process.stderr.write('\n');
  return tally;
}

function answerPortions(care: Care): void {
  parentPort?.on('message', (portion: Seeds) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(tallyOf(portion, care));
  });
}

async function tallyOfThread(thread: Worker, portion: Seeds): Promise<Tally> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(portion);
  // Rejects when the thread breaks, and leaves no listener behind.
  const [tally] = (await once(thread, 'message')) as [Tally];
  return tally;
}
