import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Client, Connection, isGrpcDeadlineError } from '@temporalio/client';
import { batchWorkflowId, QUERY_STATUS } from '../../src/contract/names.ts';
import type { BatchStatus } from '../../src/contract/status.ts';
import type { BatchState } from '../../src/domain/batch/batch-state.ts';
import type { Hold, HoldKind } from '../../src/domain/holds/hold.ts';
import { formatAmount, parseAmount, sumAmounts } from '../../src/domain/money/amount.ts';
import { eventually } from './eventually.ts';
import { type LedgerWithdrawal, ledgerWithdrawals } from './oracle.ts';
import { expectRowsFitLedger } from './row-outcomes.ts';
import { type SampleRow, writeSample } from './sample-file.ts';
import { newBatchId, type TestStack } from './test-stack.ts';

export type Begin = Readonly<{
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
}>;

/** How a command ended: its exit code, and the code of its error; undefined when there was none. */
export type Answer = readonly [code: number, error: unknown];

export type Operators = Awaited<ReturnType<typeof operatorsOf>>;
export type BatchInHand = ReturnType<typeof batchInHand>;

/** People who start batches on a stack without waiting for them, and decide about them while they are under way. */
export async function operatorsOf(stack: TestStack) {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = stack.env;
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const hand = (batchId: string, rows: readonly SampleRow[]) =>
    batchInHand({ stack, client, batchId, rows });
  return {
    hand,
    /** Submits rows that no other batch of the stack has. */
    async begin(rows: readonly SampleRow[], { flags = [], env = {} }: Begin = {}) {
      const batchId = newBatchId();
      const file = join(stack.folder, `${batchId}.csv`);
      writeSample(file, rows);
      const args = ['submit', file, '--id', batchId, '--yes', '--detach', ...flags];
      const { code, err } = await stack.bursarWith({ ...env }, ...args);
      if (code !== 8) throw new Error(`submit ended with ${code}: ${err}`);
      return hand(batchId, rows);
    },
    close: () => connection.close(),
  };
}

type Place = Readonly<{
  stack: TestStack;
  client: Client;
  batchId: string;
  rows: readonly SampleRow[];
}>;

function batchInHand({ stack, client, batchId, rows }: Place) {
  const dir = join(stack.folder, 'runs', batchId);
  const handle = client.workflow.getHandle(batchWorkflowId(batchId));
  // Temporal is asked, and not the command line: that takes milliseconds, and nothing from the batch.
  // On a slow machine a new worker may not answer a query in time: then it is put again.
  const live = async (): Promise<BatchStatus | undefined> => {
    try {
      return await handle.query<BatchStatus>(QUERY_STATUS);
    } catch (error) {
      if (isGrpcDeadlineError(error)) return undefined;
      throw error;
    }
  };
  const askAs = async (name: string, command: string, ...more: string[]): Promise<Answer> => {
    const args = [command, batchId, ...more, '-o', 'json'];
    const { code, out } = await stack.bursarWith({ BURSAR_OPERATOR_NAME: name }, ...args);
    return [code, (JSON.parse(out) as { code?: unknown }).code];
  };
  /** What the service has of its rows, by its own ledger. */
  const sent = async (): Promise<LedgerWithdrawal[]> => {
    const addresses = new Set(rows.map(({ address }) => address));
    const ledger = await ledgerWithdrawals(stack.sandboxUrl);
    return ledger.filter(({ depositAddress }) => addresses.has(depositAddress));
  };
  return {
    batchId,
    rows,
    dir,
    askAs,
    status: async () => (await stack.json('status', batchId)).value,
    /** Pauses, resumes or cancels in the name of ann. */
    tell: (command: string, reason: string): Promise<Answer> =>
      askAs('ann', command, '--reason', reason),
    approve: (name: string, total: string): Promise<Answer> =>
      askAs(name, 'approve', '--key', `${name}.key`, '--confirm', total),
    isIn: (wanted: BatchState): Promise<BatchStatus> =>
      eventually(`${batchId} is ${wanted}`, async () => {
        const status = await live();
        return status?.state === wanted ? status : undefined;
      }),
    /** Waits until it is SCHEDULED, or this instant is over; answers whether it is. */
    isScheduledBy: (untilMs: number): Promise<boolean> =>
      eventually(`${batchId} is SCHEDULED, or too late`, async () => {
        if ((await live())?.state === 'SCHEDULED') return true;
        return Date.now() < untilMs ? undefined : false;
      }),
    isHeld: (wanted: HoldKind): Promise<Hold> =>
      eventually(`${batchId} is held by ${wanted}`, async () =>
        (await live())?.holds.find(({ kind }) => kind === wanted),
      ),
    sent,
    /** Waits for its first create. It may be over by then: a state that passes soon may never be seen. */
    hasSent: (): Promise<true> =>
      eventually(`${batchId} has sent something`, async () =>
        (await sent()).length > 0 ? true : undefined,
      ),
    /** Waits for the end, or for what only a person can decide. */
    async watch(): Promise<Readonly<{ code: number; state: unknown }>> {
      const { code, value } = await stack.json('watch', batchId);
      return { code, state: value['state'] };
    },
    /** What became of each row, held against the ledger; for a batch that has ended. */
    outcomes: () => expectRowsFitLedger(stack.sandboxUrl, dir, rows),
    /** Who did what to it, in order, as `ann resume`. */
    async acts(): Promise<string[]> {
      const { code, value } = await stack.json('audit', batchId);
      expect([code, value['whole']]).toEqual([0, true]);
      const entries = value['entries'] as readonly { actor: string; action: string }[];
      return entries.map(({ actor, action }) => `${actor} ${action}`);
    },
  };
}

/** What the rows sum up to, as people confirm it: `60.5:USDT_TRC20`. All are in one currency. */
export const totalOf = (rows: readonly SampleRow[]): string =>
  `${formatAmount(sumAmounts(rows.map(({ amount }) => parseAmount(amount))))}:${rows[0]?.currency}`;
