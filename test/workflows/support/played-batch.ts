import { randomUUID } from 'node:crypto';
import {
  Client,
  Connection,
  type WorkflowHandle,
  WithStartWorkflowOperation,
} from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { runSinks } from '../../../src/activities/shared/tracing.ts';
import type {
  ControlActivities,
  FundsActivities,
  IngestActivities,
  ReportActivities,
  SettleActivities,
} from '../../../src/contract/activities.ts';
import type { SendActivities } from '../../../src/contract/sending.ts';
import type { RefusedApproval } from '../../../src/contract/approval-activities.ts';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import { batchWorkflowId } from '../../../src/contract/names.ts';
import type { PartitionInput } from '../../../src/contract/partition.ts';
import type { BatchStatus } from '../../../src/contract/status.ts';
import type { Resume } from '../../../src/contract/messages.ts';
import type { NotifiableEvent } from '../../../src/domain/notify/events.ts';
import { type Hold, isHoldNamed } from '../../../src/domain/holds/hold.ts';
import { eventually } from '../../support/eventually.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';

/** Whatever a batch asks of the world, and what the test answers instead of the store and the service. */
export type World = Partial<
  ControlActivities &
    FundsActivities &
    IngestActivities &
    ReportActivities &
    SettleActivities &
    Pick<SendActivities, 'sendChunk'> &
    Readonly<{
      recordApproval(input: unknown): Promise<unknown>;
      noteRefusedApproval(input: RefusedApproval): Promise<void>;
      tell(news: NotifiableEvent): Promise<void>;
    }>
>;

/** A batch that runs in Temporal, and what can be done to it. */
export type PlayedBatch = Readonly<{
  batchId: string;
  handle: WorkflowHandle;
  status(): Promise<BatchStatus>;
  /** Sends an update; answers with the code of its refusal, or null. */
  ask(update: string, argument: unknown): Promise<string | null>;
  until(what: string, is: (status: BatchStatus) => boolean): Promise<BatchStatus>;
}>;

const TOTALS = { rows: 1, total: '5', currency: 'TRX' } as const;
export const DIGEST = 'sha256:d';

const OPTIONS: BatchOptions = {
  chunkRows: 1,
  chunksInFlight: 2,
  rowTag: 'off',
  currency: null,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: [],
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  at: null,
  executionDate: null,
  fundsWaitMs: 60_000,
  beforeScheduled: false,
  pollMinMs: 50,
  pollMaxMs: 50,
};

type Use = (batch: PlayedBatch) => Promise<void>;

/** Runs the workflow of a batch of one chunk, which its world lets pass wherever the test says nothing else. */
export const playBatch = (
  world: World,
  use: Use,
  chosen: Partial<BatchOptions> = {},
): Promise<void> =>
  play(world, { chosen }, async ({ client, options, begin }) => {
    const handle = await client.workflow.start('payoutBatch', options);
    await begin(() => use(playedBatch(handle)));
  });

/** What reaches a workflow before any worker has begun it. */
export type Waiting = Readonly<{
  update: string;
  argument: unknown;
  /** Signals by name, with their argument. */
  signals: readonly Readonly<{ name: string; argument?: unknown }>[];
  /** The partition that is started in place of its batch. */
  partition?: Omit<PartitionInput, 'batchId' | 'digest' | 'options'>;
}>;

/** The same for a workflow whose first task brings an update and signals. `answer`: the code of a refusal, or null. */
export const playWaiting = (
  world: World,
  { update, argument, signals, partition }: Waiting,
  use: (batch: PlayedBatch, answer: Promise<string | null>) => Promise<void>,
): Promise<void> =>
  play(world, {}, async ({ client, options, begin }) => {
    const [input] = options.args;
    const [type, args] =
      partition === undefined
        ? ['payoutBatch', [input]]
        : ['payoutPartition', [{ ...input, digest: DIGEST, ...partition }]];
    const startWorkflowOperation = new WithStartWorkflowOperation(type, {
      ...options,
      args,
      workflowIdConflictPolicy: 'FAIL',
    });
    const asked = { args: [argument], startWorkflowOperation };
    const answer = codeOf(client.workflow.executeUpdateWithStart(update, asked));
    const handle = client.workflow.getHandle(options.workflowId);
    await eventually('it is started', () => handle.describe().catch(() => undefined));
    for (const signal of signals) await handle.signal(signal.name, signal.argument);
    await begin(() => use(playedBatch(handle), answer));
  });

type Play = Readonly<{
  client: Client;
  options: Readonly<{ taskQueue: string; workflowId: string; args: [BatchInput] }>;
  /** Runs the worker while `use` runs. */
  begin(use: () => Promise<void>): Promise<void>;
}>;

async function play(
  world: World,
  { chosen = {} }: Readonly<{ chosen?: Partial<BatchOptions> }>,
  run: (play: Play) => Promise<void>,
): Promise<void> {
  const { address, namespace, workflowBundle } = sharedTemporal();
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  const taskQueue = randomUUID();
  const batchId = randomUUID();
  const activities = { ...easyWorld(), ...world };
  const args: [BatchInput] = [inputOf(batchId, chosen)];
  const options = { taskQueue, workflowId: batchWorkflowId(batchId), args };
  const begin = async (use: () => Promise<void>): Promise<void> => {
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle,
      sinks: runSinks(),
      activities,
    });
    await worker.runUntil(use);
  };
  await run({ client, options, begin });
  await native.close();
  await connection.close();
}

function playedBatch(handle: WorkflowHandle): PlayedBatch {
  const status = () => handle.query<BatchStatus>('status');
  return {
    batchId: handle.workflowId.slice(batchWorkflowId('').length),
    handle,
    status,
    ask: (update, argument) => codeOf(handle.executeUpdate(update, { args: [argument] })),
    until: (what, is) =>
      eventually(what, async () => {
        const now = await status();
        return is(now) ? now : undefined;
      }),
  };
}

export const inputOf = (batchId: string, chosen: Partial<BatchOptions> = {}): BatchInput => ({
  batchId,
  accountRef: 'main',
  file: { name: 'payroll.csv', sha256: 'f' },
  options: { ...OPTIONS, ...chosen },
  submittedBy: 'alice',
  submittedAt: '2026-11-21T09:00:00.000Z',
  generation: 0,
  parentBatchId: null,
});

async function codeOf(asked: Promise<unknown>): Promise<string | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    return (error as { cause?: { type?: string } }).cause?.type ?? String(error);
  }
}

/** Holds as the store keeps them, so far as a workflow can tell. */
export function holdsInMemory() {
  const open: Hold[] = [];
  let count = 0;
  return {
    open,
    /** As after an older copy was brought back. */
    forget: (): void => {
      open.length = 0;
      count = 0;
    },
    readControls: async () => ({ holds: [...open], approvals: [], policy: null }),
    putHold: async ({ kind, reason, by, facts }: Omit<Hold, 'n' | 'since'>): Promise<Hold> => {
      const known = open.find((hold) => hold.kind === kind);
      if (known !== undefined) return known;
      count += 1;
      const hold = { n: count, kind, reason, by, facts, since: new Date().toISOString() };
      open.push(hold);
      return hold;
    },
    releaseHold: async ({ n }: { n: number }): Promise<void> => {
      const at = open.findIndex((hold) => hold.n === n);
      if (at >= 0) open.splice(at, 1);
    },
    releaseApprovedHold: async () => {
      open.shift();
      return { kind: 'released' } as const;
    },
    resumeBatch: async ({ hold: asked }: Resume) => {
      const at = open.findIndex((one) => asked === undefined || isHoldNamed(one, asked));
      const [hold] = at < 0 ? [] : open.splice(at, 1);
      if (hold !== undefined) return { kind: 'resumed', hold } as const;
      return open.length === 0
        ? ({ kind: 'not-held' } as const)
        : ({ kind: 'not-open', open: [...open] } as const);
    },
  };
}

/** The answers of a world in which every batch is paid. */
export const easyWorld = () => ({
  ...holdsInMemory(),
  ingestFile: async () => ({
    kind: 'ingested',
    rows: 1,
    refusedRows: 0,
    chunks: 1,
    currencies: [TOTALS],
  }),
  planBatch: async () => ({ kind: 'planned', digest: DIGEST, chunks: 1, begun: false }),
  quoteFees: async () => ({ kind: 'quoted', fees: null, stopped: null }),
  checkFees: async () => ({ kind: 'within', note: '' }),
  acceptFees: async () => undefined,
  claimFunds: async () => ({ kind: 'claimed', short: [], outlook: null }),
  checkFunds: async () => ({ kind: 'enough' }),
  releaseBatch: async () => ({ kind: 'released' }),
  recordApproval: async () => ({ kind: 'recorded' }),
  noteRefusedApproval: async () => undefined,
  noteCancel: async () => undefined,
  sendChunk: async () => ({ kind: 'created' }),
  sweepChunks: async ({ chunks }: { chunks: readonly number[] }) => ({
    settled: [...chunks],
    moved: [],
    unread: [],
    unsent: [],
  }),
  checkBalance: async () => ({ kind: 'done' }),
  reportBatch: async ({ canceled, error }: { canceled: boolean; error: unknown }) => ({
    state: canceled ? 'CANCELED' : error === null ? 'COMPLETED' : 'FAILED',
    digest: DIGEST,
    reportUrl: null,
    error,
    amounts: [],
    rows: { total: 1, paid: 1, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
  }),
  tell: async () => undefined,
  endsToFollow: async () => [],
});
