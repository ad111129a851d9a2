import { join } from 'node:path';
import { expect } from '@jest/globals';
import { idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { type ChooseDate, startAnswerProxy } from './answer-proxy.ts';
import { fatedRowMaker } from './fated-rows.ts';
import { requestsOf } from './oracle.ts';
import { QUICK_FENCE } from './quick-fence.ts';
import { expectRowsFitLedger } from './row-outcomes.ts';
import { writeSample } from './sample-file.ts';
import { sandboxAdmin } from './sandbox-admin.ts';
import { sandboxControl } from './sandbox-control.ts';
import { newBatchId, startTestStack, type TestStackOptions } from './test-stack.ts';

/** One chunk of a batch: the fates of its rows, and what goes wrong with its create. */
export type PlayedChunk = Readonly<{ fates: readonly TestAddressCode[]; fault?: object }>;

export type PlayedBatch = Readonly<{
  chunks: readonly PlayedChunk[];
  /** How the sandbox plays every request that names a key of this batch, as the header `Sandbox-Modes` has it. Called for each. */
  modes?: string | ((chunk: number) => string);
  /** How far the `Date` of each answer about a key of this batch is from the time, as `ChooseDate` has it. */
  date?: () => number | null;
  /** Other settings than those of the stack, for the command. */
  env?: Record<string, string>;
  /** More flags for the command. */
  flags?: readonly string[];
  /** Called with the keys of its chunks before it is submitted. */
  before?: (keys: readonly string[]) => void;
}>;

export type PlayedRun = Awaited<ReturnType<PlayedStack['run']>>;
export type PlayedStack = Awaited<ReturnType<typeof startPlayedStack>>;

/**
 * A stack whose sandbox plays the service differently for each batch, so that many batches can run side by side. Chunks
 * have two rows, and a create in doubt is decided in seconds.
 */
export async function startPlayedStack(
  folder: string,
  env: Record<string, string> = {},
  more: Partial<TestStackOptions> = {},
) {
  const proxy = await startAnswerProxy(() => stack.sandboxUrl);
  const settings = { ...QUICK_FENCE, BURSAR_API_BASE_URL: proxy.url, BURSAR_BATCH_CHUNK_ROWS: '2' };
  const stack = await startTestStack({ ...more, folder, env: { ...settings, ...env } });
  const control = sandboxControl(stack.sandboxUrl);
  const modesOfKeys = new Map<unknown, () => string>();
  proxy.playWith((_path, { idempotencyKey }) => modesOfKeys.get(idempotencyKey)?.());
  const datesOfKeys = new Map<unknown, () => ReturnType<ChooseDate>>();
  proxy.dateWith((_path, { idempotencyKey }) => datesOfKeys.get(idempotencyKey)?.());
  const newRows = fatedRowMaker();
  const account = stack.env.BURSAR_API_ACCOUNT;

  const keyOf = (batchId: string, chunk: number): string =>
    idempotencyKeyOf({ account, batchId, chunk, generation: 0 });

  const createsUnder = async (key: string) =>
    (await requestsOf(stack.sandboxUrl, 'MASS_CREATE')).filter(
      ({ idempotencyKey }) => idempotencyKey === key,
    );

  /** Runs a batch until it ends or needs an operator. Fails when a fault of a chunk did not fire by then. */
  async function run({ chunks, modes, date, env: other = {}, flags = [], before }: PlayedBatch) {
    const batchId = newBatchId();
    const rows = newRows(chunks.flatMap(({ fates }) => fates));
    const file = join(folder, `${batchId}.csv`);
    writeSample(file, rows);
    const keys = chunks.map((_, chunk) => keyOf(batchId, chunk));
    before?.(keys);
    for (const [chunk, { fault }] of chunks.entries()) {
      const idempotencyKey = keys[chunk];
      if (modes !== undefined) {
        modesOfKeys.set(idempotencyKey, () => (typeof modes === 'string' ? modes : modes(chunk)));
      }
      if (date !== undefined) datesOfKeys.set(idempotencyKey, date);
      const rule = { target: 'MASS_CREATE', idempotencyKey, next: 1, ...fault };
      if (fault !== undefined) await control.fault(rule);
    }
    const args = ['submit', file, '--id', batchId, '--yes', ...flags, '-o', 'json'];
    const { code, out, err } = await stack.bursarWith(other, ...args);
    // A fault that did not fire proves nothing.
    for (const [chunk, { fault }] of chunks.entries()) {
      const wanted = fault === undefined ? 0 : 1;
      const fired = await control.fired(keys[chunk]);
      const printed = fired === wanted ? '' : `exit code ${code}\n${out}\n${err}`;
      expect([chunk, fired, printed]).toEqual([chunk, wanted, '']);
    }
    const dir = join(folder, 'runs', batchId);
    return {
      batchId,
      keys,
      dir,
      code,
      err,
      view: JSON.parse(out) as Readonly<{
        needsOperator: readonly { chunk: number; reason: string; idempotencyKey: string }[];
      }>,
      /** The outcomes of all rows of a batch that has ended, held against the ledger. */
      outcomes: () => expectRowsFitLedger(stack.sandboxUrl, dir, rows),
      /** Answers for a chunk that needs an operator. */
      resolve: (chunk: number, ...answer: string[]) =>
        stack.bursar('resolve', batchId, String(chunk), ...answer, '--reason', 'looked it up'),
      /** Waits for the end of the batch, or for the next question to an operator. */
      watch: () => stack.json('watch', batchId),
    };
  }

  return {
    stack,
    control,
    run,
    /** How often a chunk was sent, as the sandbox saw it. */
    createsOf: async (batchId: string, chunk: number): Promise<number> =>
      (await createsUnder(keyOf(batchId, chunk))).length,
    /** What the sandbox decided of each create under a key, as error codes; null where it did one, or had done it before. */
    answersToCreates: async (key = ''): Promise<(string | null)[]> =>
      (await createsUnder(key)).map(({ errorCode }) => errorCode),
    /** How many requests the sandbox answered with a status. */
    async refusalsWith(httpStatus: number): Promise<number> {
      const path = `requests?status=${httpStatus}&limit=1000`;
      const { requests } = (await sandboxAdmin(stack.sandboxUrl).get(path)) as {
        requests: readonly unknown[];
      };
      return requests.length;
    },
    async stop(): Promise<void> {
      await stack.stop();
      await proxy.close();
    },
  };
}
