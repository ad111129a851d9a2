import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stageFigure } from '../batch/figures.ts';
import { CHUNK_ROWS, warmUp } from '../batch/measure.ts';
import type { BenchContext } from '../support/context.ts';
import { cpuTotal } from '../support/cpu.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { withStack } from '../support/stack.ts';
import { type PaidBatch, payFile } from '../support/submit.ts';
import type { Databases } from './databases.ts';

const ROWS_DEFAULT = 1_000_000;
const CREATE_DELAY_MS = 300;
/** Creates in flight where several workers share a batch. */
const MANY_IN_FLIGHT = 64;
const WORKERS = [1, 2, 4] as const;

const SLOWER_THAN_A_FILE: Aim = { kind: 'at most', value: 1.3 };
const SENDING_NEAR_IDEAL: Aim = { kind: 'at most', value: 1.15 };
const MORE_WORK: Aim = { kind: 'at most', value: 1.2 };

/** A large batch on PostgreSQL beside the same on a file, and on PostgreSQL with one, two and four workers. */
export async function batchFigures(context: BenchContext, databases: Databases): Promise<Figure[]> {
  const { rows = ROWS_DEFAULT } = context;
  const title = `${rows.toLocaleString('en-US')} rows`;
  const [onFile, onServer] = [
    await pay(context, { name: 'on-file', title: `${title} on a file` }),
    await pay(context, {
      name: 'on_server',
      title: `${title} on PostgreSQL`,
      storeUrl: await databases.make('on_server'),
    }),
  ];
  return [
    stageFigure(`${title} on a file, service at once: bursar submit`, [onFile], 'submit'),
    stageFigure(`${title} on PostgreSQL, service at once: bursar submit`, [onServer], 'submit'),
    {
      name: `${title}, service at once: on PostgreSQL / on a file`,
      unit: 'times',
      value: onServer.stages.submit.ms / onFile.stages.submit.ms,
      aim: SLOWER_THAN_A_FILE,
    },
    ...(await sharedFigures(context, databases, rows)),
  ];
}

/** Sending is bound by the service when all creates in flight wait for it all the time. */
async function sharedFigures(
  context: BenchContext,
  databases: Databases,
  rows: number,
): Promise<Figure[]> {
  const idealMs = (rows / CHUNK_ROWS / MANY_IN_FLIGHT) * CREATE_DELAY_MS;
  const figures: Figure[] = [];
  let alone: number | undefined;
  for (const workers of WORKERS) {
    const name = `shared_${workers}`;
    const title = `${rows.toLocaleString('en-US')} rows, 300 ms a create, ${MANY_IN_FLIGHT} in flight, workers: ${workers}`;
    const storeUrl = await databases.make(name);
    const paid = await pay(context, { name, title, storeUrl, workers });
    const cpu = cpuOfWorkers(paid);
    alone ??= cpu;
    figures.push(
      { ...stageFigure(`${title}: create and settle`, [paid], 'pay') },
      {
        name: `${title}: create and settle / ideal`,
        unit: 'times',
        value: paid.stages.pay.ms / idealMs,
        aim: SENDING_NEAR_IDEAL,
      },
      {
        name: `${title}: processor time of the workers / of one`,
        unit: 'times',
        value: cpu / alone,
        aim: MORE_WORK,
      },
    );
  }
  return figures;
}

const cpuOfWorkers = ({ stages }: PaidBatch): number =>
  cpuTotal(
    Object.fromEntries(
      Object.entries(stages.workflow.cpu).filter(([name]) => name.startsWith('worker')),
    ),
  );

/** `workers`: so many share a batch whose creates take a while. Without it one worker pays at a service that answers at once. */
type Payment = Readonly<{ name: string; title: string; storeUrl?: string; workers?: number }>;

async function pay(
  context: BenchContext,
  { name, title, storeUrl, workers }: Payment,
): Promise<PaidBatch> {
  const { rows = ROWS_DEFAULT, signal } = context;
  const store = storeUrl === undefined ? {} : { BURSAR_STORE_URL: storeUrl };
  const shared = {
    workers,
    createDelayMs: CREATE_DELAY_MS,
    env: { ...store, BURSAR_BATCH_CHUNKS_IN_FLIGHT: String(MANY_IN_FLIGHT) },
  };
  const options = {
    name,
    chunkRows: CHUNK_ROWS,
    ...(workers === undefined ? { createDelayMs: 0, env: store } : shared),
  };
  return withStack(context, options, async (stack) => {
    context.say(title);
    await warmUp(context, stack, rows);
    const file = join(stack.folder, 'batch.csv');
    await writeSampleFile({ path: file, rows, seed: 1, signal });
    const paid = await payFile(context, stack, { file, batchId: name, rows });
    await rm(file);
    return paid;
  });
}
