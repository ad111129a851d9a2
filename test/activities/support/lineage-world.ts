import { createAftercareActivities } from '../../../src/activities/recheck/post-report.ts';
import type { SubmitEntry } from '../../../src/activities/ingest/audit-log.ts';
import { createConfirmActivities } from '../../../src/activities/recheck/confirm-unpaid.ts';
import { createIngestActivities } from '../../../src/activities/ingest/ingest.ts';
import { createReportActivities } from '../../../src/activities/report/report.ts';
import { createSettleActivities } from '../../../src/activities/settle/settle.ts';
import type { BatchInput, BatchOptions } from '../../../src/contract/batch.ts';
import type { NotifiableEvent } from '../../../src/domain/notify/events.ts';
import type { DoublePayment, BatchReport } from '../../../src/domain/report/report.ts';
import type { Row } from '../../../src/domain/rows/row.ts';
import { batchCodeOf } from '../../../src/domain/sending/identity.ts';
import { createFiles, type Files } from '../../../src/files/index.ts';
import { ingestRows } from '../../../src/ingest/index.ts';
import type { MassPayout, Payout, Reference } from '@bursar/merchant-api';
import { testAddress } from '../../../packages/sandbox/src/test-addresses.ts';
import type { Operation } from '@bursar/merchant-api/spec';
import { answer, fakeService, refused, walletsAt } from '../../support/fake-service.ts';
import { readReport } from '../../support/oracle.ts';
import { NO_RULES } from '../../support/planned-batch.ts';
import { ACCOUNT, newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from './as-activity.ts';
import { join } from 'node:path';

export const ROOT = 'payroll';
export const CURRENCY = 'USDT_TRC20';
export const CHUNK_ROWS = 3;
const DAY_MS = 86_400_000;

const OPTIONS: BatchOptions = {
  chunkRows: CHUNK_ROWS,
  chunksInFlight: 4,
  rowTag: 'append',
  currency: null,
  skipInvalid: false,
  expectCount: null,
  expectTotals: [],
  accept: [],
  expectedDigest: null,
  canaryRows: 0,
  stopLoss: [],
  beforeScheduled: false,
  at: null,
  executionDate: null,
  fundsWaitMs: null,
  pollMinMs: 1_000,
  pollMaxMs: 60_000,
};

/** Rows of a file, the first in line 2; no two are alike. */
export const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    row: i + 2,
    address: testAddress('0000', i + 1, 'TRON'),
    amount: `${i + 1}.5`,
    currency: CURRENCY,
    comment: i % 2 === 0 ? 'wage' : '',
    reference: `ref-${i + 2}`,
    name: i % 2 === 0 ? `Payee ${i}` : '',
  }));

export type LineageWorld = Awaited<ReturnType<typeof lineageWorld>>;

/** A store with real rows, activities as a worker runs them, and a service that says what the test lets it say. */
export async function lineageWorld({
  lacks = [] as readonly Operation[],
  followDays = 30,
  blobsIn = (folder: string): Files => createFiles(`file:${join(folder, 'blobs')}`),
} = {}) {
  const folder = temporaryFolder();
  const store = await openTestStore(folder);
  const service = playedService(lacks);
  const clock = { nowMs: 1_800_000_000_000 };
  const audit: SubmitEntry[] = [];
  const alarms: (readonly DoublePayment[])[] = [];
  const pauses: number[] = [];
  const news: NotifiableEvent[] = [];
  const reportDir = join(folder, 'runs');
  const deps = {
    store,
    service: service.service,
    reportDir,
    followDays,
    nowMs: () => clock.nowMs,
    fence: { timestampWindowMs: 0, fenceMarginMs: 0, resend: 'auto' as const },
    readClock: () => ({ clock: 'ours', ms: clock.nowMs }),
    pause: (delayMs: number) => {
      pauses.push(delayMs);
      return Promise.resolve();
    },
    accountOf: () => ACCOUNT,
    rules: NO_RULES,
    blobs: blobsIn(folder),
    audit: { append: (entry: SubmitEntry) => Promise.resolve(audit.push(entry)) },
    notify: (told: NotifiableEvent) => Promise.resolve(void news.push(told)),
    alarm: (_batchId: string, rows: readonly DoublePayment[]) => {
      alarms.push(rows);
      return Promise.resolve();
    },
  };
  const unchecked = () => Promise.resolve({ kind: 'done' as const });
  const activities = {
    ...createIngestActivities(deps),
    ...createConfirmActivities(deps),
    ...createAftercareActivities(deps),
    ...createReportActivities({ ...deps, checkBalance: unchecked }),
    ...createSettleActivities(deps),
  };
  const run: typeof asActivityRun = (activity, input) => asActivityRun(activity, input);
  return {
    store,
    service,
    clock,
    audit,
    alarms,
    news,
    pauses,
    reportDir,
    deps,
    activities,
    run,
    ...lifeOf({ store, service, activities, clock }),
    report: (batchId = ROOT): BatchReport => readReport(join(reportDir, batchId)),
    versionOf: (batchId: string, version: number): BatchReport =>
      readReport(join(reportDir, batchId, 'versions', String(version))),
    /** A reconciliation finds that the wallet paid a row of the first batch. */
    reconciled: (row: number): Promise<void> =>
      store.transactions.save(
        ROOT,
        { from: row, to: row },
        { found: [transactionOf(row)], listed: { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER } },
      ),
    follow: (batchId = ROOT, chunks: readonly number[] | null = null) =>
      run(activities.followEnds, { batchId, chunks, after: null }),
    confirm: (batchId: string, chunks?: readonly number[]) =>
      run(activities.confirmUnpaid, { batchId, ...(chunks === undefined ? {} : { chunks }) }),
    /** The outcomes of all rows of a batch, by number. */
    async outcomes(batchId = ROOT): Promise<Record<number, string>> {
      const { ingestId } = (await store.batches.find(batchId)) ?? { ingestId: null };
      const outcomes: Record<number, string> = {};
      for (const chunk of await store.chunks.list(batchId)) {
        const own = await store.settlements.ofChunk(batchId, chunk.chunk);
        for (const { row } of await store.staging.rows(ingestId ?? '', chunk.chunk)) {
          outcomes[row] = own.get(row)?.outcome ?? chunk.defaultOutcome;
        }
      }
      return outcomes;
    },
  };
}

const transactionOf = (row: number) => ({
  row,
  transactionId: `t${row}`,
  hash: '0xabc',
  amount: '2.5',
  fee: null,
  feeCurrency: null,
  atMs: 1,
  equalRows: 1,
});

const asActivityRun = <Input, Output>(
  activity: (input: Input) => Promise<Output>,
  input: Input,
): Promise<Output> => asActivity().run(activity, input);

type Parts = Readonly<{
  store: Awaited<ReturnType<typeof openTestStore>>;
  service: ReturnType<typeof playedService>;
  activities: ReturnType<typeof createIngestActivities> &
    ReturnType<typeof createSettleActivities> &
    ReturnType<typeof createReportActivities>;
  clock: { nowMs: number };
}>;

/** What becomes of batches, from their rows to their reports. */
function lifeOf({ store, service, activities, clock }: Parts) {
  const planInput = (batchId: string, more: Partial<BatchInput> = {}): BatchInput => ({
    batchId,
    accountRef: 'main',
    file: { name: 'payroll.csv', sha256: 'f'.repeat(64) },
    options: OPTIONS,
    submittedBy: 'mira',
    submittedAt: new Date(clock.nowMs).toISOString(),
    generation: 0,
    parentBatchId: null,
    ...more,
  });

  /** Has every chunk of a batch created and read to its end, if the service is at one. */
  async function pay(batchId: string): Promise<void> {
    const chunks = await store.chunks.list(batchId);
    for (const { chunk, state, idempotencyKey, total } of chunks) {
      if (state !== 'PLANNED') continue;
      const ref = { batchId, chunk, idempotencyKey };
      const payout = service.create(`${batchId}-${chunk}`, { idempotencyKey, total });
      await store.sends.setPayout(ref, { ...payout, fee: null, differences: [] });
    }
    await asActivityRun(activities.sweepChunks, {
      batchId,
      chunks: chunks.map((one) => one.chunk),
    });
  }

  const end = (batchId: string) =>
    asActivityRun(activities.reportBatch, {
      batchId,
      unsentReason: 'the batch was stopped',
      canceled: false,
      error: null,
    });

  return {
    planInput,
    pay,
    end,
    /** A batch of a file, planned. */
    async root(rows: readonly Row[], options: Partial<BatchOptions> = {}): Promise<void> {
      const input = planInput(ROOT, { options: { ...OPTIONS, ...options } });
      await store.batches.register(
        newBatch(ROOT, {
          fileSha256: input.file.sha256,
          optionsJson: JSON.stringify(input.options),
          submittedAtMs: clock.nowMs,
          code: batchCodeOf(ACCOUNT, ROOT),
        }),
      );
      const { ingestId, sink, flush } = store.staging.begin(ROOT);
      const pages = (async function* () {
        yield rows;
      })();
      const source = { name: 'payroll.csv', fileSha256: input.file.sha256, sizeBytes: 1, pages };
      const summary = await ingestRows(source, { ...input.options, limits: NO_RULES.limits }, sink);
      await flush();
      await store.staging.publish(ROOT, ingestId, summary);
      await asActivityRun(activities.planBatch, input);
      await store.batches.release(ROOT, clock.nowMs);
    },
    resendInput: (parentBatchId = ROOT, generation = 1, more: Partial<BatchInput> = {}) =>
      planInput(`${ROOT}-r${generation}`, {
        parentBatchId,
        generation,
        statement: 'nothing was resent elsewhere',
        ...more,
      }),
    /** Reads the rows of a resend, and plans it; answers with what the reading said. */
    async begin(input: BatchInput) {
      const ingested = await asActivityRun(activities.ingestFile, input);
      if (ingested.kind === 'ingested') await asActivityRun(activities.planBatch, input);
      await store.batches.release(input.batchId, clock.nowMs);
      return ingested;
    },
    /** The numbers of the rows that a batch holds. */
    async rowsIn(batchId: string): Promise<number[]> {
      const { ingestId } = (await store.batches.find(batchId)) ?? { ingestId: null };
      if (ingestId === null) return [];
      const numbers: number[] = [];
      for (const { chunk } of await store.staging.heads(ingestId)) {
        for (const { row } of await store.staging.rows(ingestId, chunk)) numbers.push(row);
      }
      return numbers;
    },
  };
}

/** A service that keeps mass payouts and withdrawals in memory. A new mass payout is COMPLETED unless its id was told of before. */
function playedService(lacks: readonly Operation[]) {
  const payouts = new Map<string, MassPayout>();
  const plans = new Map<string, Partial<MassPayout>>();
  const records = new Map<string, Payout>();
  const played = {
    payouts,
    records,
    /** Questions that were asked, in order. */
    asked: [] as string[],
    /** Instead of an answer to a question. */
    fail: undefined as ((asked: string) => Error | undefined) | undefined,
    /** What happens once a question was asked. */
    whileAsked: undefined as ((asked: string) => Promise<unknown> | undefined) | undefined,
  };
  async function ask(text: string): Promise<void> {
    played.asked.push(text);
    await played.whileAsked?.(text);
    const error = played.fail?.(text);
    if (error !== undefined) throw error;
  }
  const find = (reference: Reference): MassPayout | undefined =>
    'id' in reference
      ? payouts.get(reference.id)
      : [...payouts.values()].find((one) => one.idempotencyKey === reference.idempotencyKey);
  const nameOf = (reference: Reference): string =>
    'id' in reference ? reference.id : `key ${reference.idempotencyKey}`;
  const service = fakeService(
    {
      eachWallet: walletsAt(),
      async readMassPayout(reference) {
        await ask(`payout ${nameOf(reference)}`);
        const payout = find(reference);
        if (payout === undefined) throw refused(404);
        return answer(payout);
      },
      async lookup(reference) {
        await ask(`lookup ${nameOf(reference)}`);
        const record = 'id' in reference ? records.get(reference.id) : undefined;
        const payout = find(reference);
        if (record !== undefined) return answer({ kind: 'payout' as const, ...record });
        if (payout !== undefined) return answer({ kind: 'massPayout' as const, ...payout });
        throw refused(404);
      },
    },
    lacks,
  );
  return Object.assign(played, {
    service,
    /** Says beforehand what becomes of a mass payout, by its id `<batch>-<chunk>`. */
    plan: (id: string, more: Partial<MassPayout>) => void plans.set(id, more),
    create(id: string, facts: Readonly<{ idempotencyKey: string; total: string }>) {
      const payout: MassPayout = {
        id,
        idempotencyKey: facts.idempotencyKey,
        account: ACCOUNT,
        currency: CURRENCY,
        totalWithdrawalAmount: facts.total,
        state: 'COMPLETED',
        withdrawalErrors: [],
        unreadableParts: [],
        ...plans.get(id),
      };
      payouts.set(id, payout);
      return payout;
    },
    /** Changes what a mass payout says. */
    say(id: string, more: Partial<MassPayout>): void {
      payouts.set(id, { ...(payouts.get(id) as MassPayout), ...more });
    },
  });
}

/** The withdrawal of a row as its mass payout names it. */
export const named = (row: number, errorResolved = false) => ({
  withdrawalId: `w${row}`,
  errors: [{ errorResolved, errorMessage: 'declined' }],
});

/** The payout record of a row's withdrawal. */
export const recordOf = (batchId: string, row: number, state: string): Payout => {
  const one = rowsOf(row)[row - 2];
  const comment = `${one?.comment === '' ? '' : `${one?.comment} `}#${batchCodeOf(ACCOUNT, batchId)}-${row}`;
  return {
    id: `w${row}`,
    state,
    depositAddress: one?.address ?? '',
    amount: one?.amount ?? '',
    comment,
    unreadableParts: [],
  };
};

export { DAY_MS };

/** A batch of six rows that ended PARTIAL: rows 3 and 4 failed, the others were paid. */
export async function partialWorld(
  options: Parameters<typeof lineageWorld>[0] = {},
): Promise<LineageWorld> {
  const world = await lineageWorld(options);
  await world.root(rowsOf(6));
  world.service.plan('payroll-0', { state: 'PARTIAL', withdrawalErrors: [named(3), named(4)] });
  for (const row of [3, 4]) world.service.records.set(`w${row}`, recordOf(ROOT, row, 'FAILED'));
  await world.pay(ROOT);
  await world.end(ROOT);
  world.service.asked.length = 0;
  return world;
}
