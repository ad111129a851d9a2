import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileRow } from '../evidence/evidence.ts';
import type { Stage } from '../stage.ts';
import { createRowMaker, writeFile } from './files.ts';

/** A batch that somebody wants paid. Instants are Unix milliseconds. */
export type Payroll = {
  readonly batchId: string;
  readonly rows: readonly FileRow[];
  /** How often its rows were sent again before. */
  readonly generation: number;
  /** As the command line told it last. */
  state: string;
  approvedAtMs?: number;
  /** Whether its "submit" was taken. */
  isTaken: boolean;
  /** Whether anybody has asked for its failed rows to be paid again. */
  isResent: boolean;
};

const RESENT = '-again';

/** What a resend of a batch is called here. */
export const resendIdOf = (batchId: string): string => `${batchId}${RESENT}`;

/** The batch whose rows a resend pays; for any other batch, itself. */
export const parentIdOf = ({ batchId }: Pick<Payroll, 'batchId'>): string =>
  batchId.endsWith(RESENT) ? batchId.slice(0, -RESENT.length) : batchId;

/** Exit codes of `submit` after which the batch is in the hands of the engine, or has ended. */
const TAKEN = [0, 8, 10, 11, 12, 14];
const TRY_AGAIN_MS = 1_000;
/** Whoever cannot submit a file for so long gives up, in milliseconds; its batch then never comes to an end (I8). */
const SUBMIT_MS_MAX = 900_000;
/** Commands that submit at the same time; with more, a busy machine would do nothing but start them. */
const SUBMITTING_MAX = 3;

/** Submits batch after batch; the command of each is repeated until it is known to be taken, or for a quarter of an hour. */
export async function submitAll(stage: Stage): Promise<void> {
  const { options, batches, batchEveryMs, random, payrolls } = stage;
  const makeRows = createRowMaker(random);
  const submitting = new Set<Promise<void>>();
  for (let i = 0; i < batches; i += 1) {
    const batchId = `chaos-${String(i + 1).padStart(4, '0')}`;
    const rows = makeRows(sizeOf(i, batches, options.rows));
    const payroll: Payroll = {
      batchId,
      rows,
      generation: 0,
      state: 'NEW',
      isTaken: false,
      isResent: false,
    };
    payrolls.set(batchId, payroll);
    const submitted = submit(stage, payroll).finally(() => submitting.delete(submitted));
    submitting.add(submitted);
    await pause(batchEveryMs);
    if (submitting.size >= SUBMITTING_MAX) await Promise.race(submitting);
  }
  await Promise.all(submitting);
}

/** Sizes as equal as can be, with the very sum. */
const sizeOf = (i: number, batches: number, rows: number): number =>
  Math.floor((rows * (i + 1)) / batches) - Math.floor((rows * i) / batches);

/** Repeats the command until it is known to be taken, or for a quarter of an hour. */
export async function submit({ files, commands, say }: Stage, payroll: Payroll): Promise<void> {
  const { batchId, rows } = payroll;
  const file = join(files, `${batchId}.csv`);
  writeFile(file, rows);
  const startMs = performance.now();
  while (performance.now() - startMs < SUBMIT_MS_MAX) {
    const { code, value } = await commands.run(
      'submit',
      file,
      '--id',
      batchId,
      '--yes',
      '--detach',
    );
    if (code !== null && TAKEN.includes(code)) {
      payroll.isTaken = true;
      return;
    }
    say(`submit ${batchId} ended with ${code}: ${JSON.stringify(value['what'] ?? '')}`);
    await pause(TRY_AGAIN_MS);
  }
}
