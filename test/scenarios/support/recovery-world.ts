import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../../support/eventually.ts';
import { type BatchInHand, type Begin, operatorsOf } from '../../support/operators.ts';
import { requestCount } from '../../support/oracle.ts';
import { startOwnTemporal } from '../../support/own-temporal.ts';
import { QUICK_FENCE } from '../../support/quick-fence.ts';
import { sampleRows, type SampleRow } from '../../support/sample-file.ts';
import { sandboxControl } from '../../support/sandbox-control.ts';
import { incomingOf } from '../../support/schedules.ts';
import { bobApproves, writeKeyFiles } from '../../support/signing-people.ts';
import { startTestStack, type TestStack } from '../../support/test-stack.ts';

export const CHUNK_ROWS = 2;
export const CHUNKS = 12;
export const ROWS = CHUNKS * CHUNK_ROWS;
/** Chunks of a batch that arrive before something happens to it. */
export const ARRIVE = 5;

/** Bob approves what is above 200, and alice signs every submit. */
const APPROVALS = {
  ...bobApproves('USDT_TRC20'),
  BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '200', approvals: 1, roles: ['finance'] }]),
};

export type Recovery = Readonly<{
  batches: readonly Readonly<{ batchId: string; found: string; done: boolean; state: string }>[];
  schedules: readonly Readonly<{ scheduleId: string; done: boolean }>[];
  toPay: readonly Readonly<{ currency: string; total: string }>[];
  followed: readonly string[];
}>;

export type RecoveryWorld = Awaited<ReturnType<typeof startRecoveryWorld>>;

/** A stack with a Temporal of its own. Its service pays twice what is sent twice, and holds back creates until a test lets them go. */
export async function startRecoveryWorld(folder: string) {
  const temporal = await startOwnTemporal(folder);
  const stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: {
      ...QUICK_FENCE,
      ...APPROVALS,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2',
      BURSAR_SCHEDULE_FOLDER: incomingOf({ folder }),
    },
  });
  writeKeyFiles(folder);
  const service = sandboxControl(stack.sandboxUrl);
  await service.play({ idempotency: 'ignores-key' });
  const people = await operatorsOf(stack);

  let rowsUsed = 0;
  /** Rows that no other batch has. */
  function rowsOf(count: number, failEvery = 0): SampleRow[] {
    rowsUsed += count;
    const from = rowsUsed - count;
    return sampleRows({ rows: count, from, failEvery, currencies: ['USDT_TRC20'] });
  }

  const arrived = (batch: BatchInHand, chunks: number) =>
    eventually(
      `${chunks} chunks arrive`,
      async () => (await batch.sent()).length === chunks * CHUNK_ROWS || undefined,
    );

  /** So many creates arrive after this. The others get no answer until the faults are cleared. */
  const letArrive = async (chunks: number): Promise<void> => {
    await service.clearFaults();
    await service.fault({ target: 'MASS_CREATE', kind: 'hang-before', skip: chunks });
  };

  return {
    stack,
    service,
    rowsOf,
    arrived,
    letArrive,
    begin: (rows: readonly SampleRow[], options?: Begin) => people.begin(rows, options),
    hand: people.hand,
    creates: () => requestCount(stack.sandboxUrl, 'MASS_CREATE'),
    /** A batch of which some chunks have arrived, two are on their way for ever, and the others were not sent. */
    async midSend(failEvery: number): Promise<BatchInHand> {
      await letArrive(ARRIVE);
      const batch = await people.begin(rowsOf(ROWS, failEvery));
      await arrived(batch, ARRIVE);
      await eventually('a create hangs', async () => (await service.fired()) > 0 || undefined);
      return batch;
    },
    /** Deletes everything that ran in Temporal, and starts workers and bridge again. */
    async loseTemporal(meanwhile: () => void = () => undefined): Promise<void> {
      await stack.kill('worker');
      await stack.stopOne('bridge');
      await temporal.kill();
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(join(folder, `temporal.db${suffix}`), { force: true });
      }
      meanwhile();
      await service.clearFaults();
      await temporal.start();
      await stack.start('bridge');
      await stack.start('worker');
    },
    recover: (...flags: string[]) => recover(stack, flags),
    /** A client of Temporal, as people have one in its web UI. */
    async inTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
      const connection = await Connection.connect({ address: temporal.address });
      try {
        return await work(new Client({ connection }));
      } finally {
        await connection.close();
      }
    },
    async stop(): Promise<void> {
      await people.close();
      await stack.stop();
      await temporal.stop();
    },
  };
}

async function recover(
  stack: TestStack,
  flags: readonly string[],
): Promise<Recovery & Readonly<{ code: number }>> {
  const { code, value } = await stack.json('recover', ...flags);
  return { code, ...(value as unknown as Recovery) };
}

export const idsOf = (batches: readonly Readonly<{ batchId: string }>[]): string[] =>
  batches.map(({ batchId }) => batchId);

/** Waits for the end of a batch to which nothing must have happened: each chunk was sent once, and each row was paid once. */
export async function expectTheUsualEnd(
  batch: BatchInHand,
  end: readonly [number, string],
): Promise<void> {
  const { code, state } = await batch.watch();
  expect([code, state]).toEqual(end);
  await batch.outcomes();
  const sent = await batch.sent();
  expect(sent).toHaveLength(batch.rows.length);
}
