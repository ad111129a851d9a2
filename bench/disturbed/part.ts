import { join } from 'node:path';
import { CHUNK_ROWS } from '../batch/measure.ts';
import { createRun } from '../control/command.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, medianFigure } from '../support/figure.ts';
import { loseOnAndOn } from '../support/losses.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { withStack } from '../support/stack.ts';

const ROWS_DEFAULT = 1_000_000;
const CREATE_DELAY_MS = 300;
/** One of so many creates is accepted, and its connection is cut before the answer. */
const CUT_ONE_OF = 100;
/** How often the worker is killed, in milliseconds. */
const KILL_EVERY_MS = 30_000;
const BATCH_ID = 'disturbed';

const SLOWER: Aim = { kind: 'at most', value: 1.5 };
const NONE: Aim = { kind: 'at most', value: 0 };

type Paid = Readonly<{ seconds: number; kills: number; twice: number; lost: number }>;

/**
 * What disturbances cost: one of a hundred creates loses its answer after it was accepted, and the only worker is killed
 * every 30 seconds. Rows that were ordered twice, or never, count at the service.
 */
export const disturbedPart: Part = async (context) => {
  const calm = await pay(context, 'calm', { disturbs: false });
  const disturbed = await pay(context, 'disturbed', { disturbs: true });
  const ratio = disturbed.seconds / calm.seconds;
  context.say(`the worker was killed ${disturbed.kills} times`);
  return [
    medianFigure('undisturbed', 's', [calm.seconds]),
    medianFigure('disturbed', 's', [disturbed.seconds]),
    { ...medianFigure('disturbed / undisturbed', 'times', [ratio]), aim: SLOWER },
    { ...medianFigure('disturbed: rows ordered twice', 'rows', [disturbed.twice]), aim: NONE },
    { ...medianFigure('disturbed: rows never ordered', 'rows', [disturbed.lost]), aim: NONE },
  ];
};

/** Pays one batch on a stack of its own. Throws unless its report calls every row paid. */
async function pay(
  context: BenchContext,
  name: string,
  { disturbs }: Readonly<{ disturbs: boolean }>,
): Promise<Paid> {
  const { rows = ROWS_DEFAULT } = context;
  context.say(`${rows.toLocaleString('en-US')} rows, ${name}`);
  const options = {
    name,
    chunkRows: CHUNK_ROWS,
    createDelayMs: CREATE_DELAY_MS,
    ...(disturbs && { cutOneOf: CUT_ONE_OF }),
  };
  return withStack(context, options, async (stack) => {
    const file = join(stack.folder, 'rows.csv');
    await writeSampleFile({ path: file, rows, seed: 1, signal: context.signal });
    const end = new AbortController();
    const kill = () => stack.replace('worker', 'SIGKILL');
    const killing = disturbs ? loseOnAndOn(KILL_EVERY_MS, end.signal, kill) : Promise.resolve(0);
    const submit = ['submit', file, '--id', BATCH_ID, '--yes'];
    const { ms, value } = await createRun(context, stack)(submit).finally(() => end.abort());
    const kills = await killing;
    const { paid } = value['rows'] as { paid: number };
    if (paid !== rows) throw new Error(`the report calls ${paid} of ${rows} rows paid`);
    const { rows: ordered = 0, repeatedRows = 0 } = (await stack.seen())[BATCH_ID] ?? {};
    return { seconds: ms / 1_000, kills, twice: repeatedRows, lost: rows - ordered };
  });
}
