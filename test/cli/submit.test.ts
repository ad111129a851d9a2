import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { liveStatus, running } from './support/fake-engine.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { DUPLICATE, derivedId, GOOD, ONE_BAD, sha256, withFiles } from './support/files.ts';
import { playDoubt, playEnd, playPlan, playRegister, playSettle } from './support/play.ts';

const FILES = { 'good.csv': GOOD, 'one-bad.csv': ONE_BAD, 'duplicate.csv': DUPLICATE };
const ID = derivedId('good', GOOD);

const world = (more: Partial<WorldOptions> = {}) =>
  fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });

/** A world whose worker does `step` at each pause of the command. */
function worldWithWorker(
  step: (made: FakeWorld, pauses: number) => Promise<void>,
  more: Partial<WorldOptions> = {},
): FakeWorld {
  const made: FakeWorld = world({ ...more, onPause: (pauses) => step(made, pauses) });
  return made;
}

/** What the worker does with the only batch: plans it at the first pause, settles and ends it at the second. */
const paying =
  (outcome: 'PAID' | 'FAILED' = 'PAID') =>
  async ({ engine, store: openStore, world: { cwd } }: FakeWorld, pauses: number) => {
    const [input] = engine.started;
    if (input === undefined) throw new Error('nothing was started');
    const { batchId } = input;
    const store = await openStore();
    if (pauses === 1) {
      await playPlan(store, input, join(cwd, 'good.csv'));
      engine.statuses.set(batchId, liveStatus());
    } else {
      await playSettle(store, batchId, { outcome });
      await playEnd(store, batchId, { state: outcome === 'PAID' ? 'COMPLETED' : 'FAILED' });
    }
    await store.close();
  };

describe('bursar submit', () => {
  it('starts a batch with the choices of the flags and the settings', async () => {
    const { run, engine } = world({
      env: { BURSAR_BATCH_CHUNK_ROWS: '2', BURSAR_POLL_MIN_MS: '7' },
    });
    const flags =
      '--yes --detach --at 2026-12-01T10:00:00+01:00 --funds wait:2h --accept ADDRESS_BURN --expect-count 3 --expect-total 60.5';
    expect(await run('submit', 'good.csv', ...flags.split(' '))).toMatchObject({ code: 8 });
    expect(engine.started).toEqual([
      {
        batchId: ID,
        accountRef: 'main',
        file: { name: 'good.csv', sha256: sha256(GOOD) },
        options: {
          chunkRows: 2,
          chunksInFlight: 16,
          rowTag: 'append',
          currency: null,
          skipInvalid: false,
          expectCount: 3,
          expectTotals: ['60.5'],
          expectedDigest: null,
          canaryRows: 0,
          stopLoss: [],
          accept: ['ADDRESS_BURN'],
          at: '2026-12-01T09:00:00.000Z',
          executionDate: null,
          fundsWaitMs: 7_200_000,
          beforeScheduled: false,
          pollMinMs: 7,
          pollMaxMs: 300_000,
        },
        submittedBy: 'alice',
        submittedAt: '2026-11-21T09:00:00.000Z',
        generation: 0,
        parentBatchId: null,
        store: { id: expect.any(String), audit: { seq: 0, hash: expect.any(String) } },
      },
    ]);
    expect(engine.closed).toBe(1);
  });

  it('copies the file to where the workers read it', async () => {
    const { run, world: made } = world();
    await run('submit', 'good.csv', '--yes', '--detach');
    expect(readFileSync(join(made.cwd, '.bursar/blobs', sha256(GOOD)), 'utf8')).toBe(GOOD);
  });

  it('reads standard input', async () => {
    const { run, engine, world: made } = world({ input: GOOD });
    await run('submit', '-', '--detach', '--confirm', '60.50:USDT_TRC20');
    expect(engine.started[0]?.batchId).toBe(derivedId('stdin', GOOD));
    expect(readFileSync(join(made.cwd, '.bursar/blobs', sha256(GOOD)), 'utf8')).toBe(GOOD);
  });

  it('has a person type the totals, in any spelling', async () => {
    const { run, engine } = world({ isTty: true, input: ' 60.50:USDT_TRC20 \n' });
    const { err } = await run('submit', 'good.csv', '--detach');
    expect(err).toContain('Plan for good.csv');
    expect(engine.started).toHaveLength(1);
  });

  it.each(['60.5', '60.50', '60.50 USDT (TRC20)'])(
    'has a person type the amount alone where the file has one currency: %s',
    async (typed) => {
      const { run, engine } = world({ isTty: true, input: `${typed}\n` });
      const { err } = await run('submit', 'good.csv', '--detach');
      expect(err).toContain('You are about to pay 60.50 USDT (TRC20) in 3 payments.\n');
      expect(engine.started).toHaveLength(1);
    },
  );

  it.each([[['no', '60.5:USDT_TRC20']], [['no', '60.50:USDT_ERC20', '60.5:USDT_TRC20']]])(
    'pays when a person corrects the total: %j',
    async (lines) => {
      const { run, engine } = world({ isTty: true, input: lines.map((line) => `${line}\n`) });
      const { code, err } = await run('submit', 'good.csv', '--detach');
      expect([code, err.split('Type the amount (60.5)').length - 1]).toEqual([8, lines.length]);
      expect(engine.started).toHaveLength(1);
    },
  );

  it('pays the other rows when refused ones may be skipped', async () => {
    const { run, engine } = world();
    const flags = ['--skip-invalid', '--detach', '--confirm', '40.5:USDT_TRC20'];
    const { code, err } = await run('submit', 'one-bad.csv', ...flags);
    expect(code).toBe(8);
    expect(err).toContain('ROWS_SKIPPED');
    expect(engine.started[0]?.options.skipInvalid).toBe(true);
  });

  it('pays a file whose findings are accepted', async () => {
    const { run, engine } = world();
    await run('submit', 'duplicate.csv', '--accept', 'DUPLICATE_ROW', '--yes', '--detach');
    expect(engine.started).toHaveLength(1);
  });

  it('waits for the end, and prints the batch as one object', async () => {
    const made = worldWithWorker(paying());
    const { code, value } = await made.json('submit', 'good.csv', '--yes');
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.batch/v1',
      batchId: ID,
      workflowId: `batch/${ID}`,
      state: 'COMPLETED',
      digest: 'sha256:worker',
      rows: { total: 3, paid: 3, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
      amounts: [
        {
          currency: 'USDT_TRC20',
          requested: '60.5',
          paid: '60.5',
          failed: '0',
          unknown: '0',
          notSent: '0',
          inFlight: '0',
          fee: '0.5',
        },
      ],
      chunks: { total: 1, byState: { COMPLETED: 1 } },
      needsOperator: [],
      alarms: [],
      holds: [],
      submittedBy: 'alice',
      submittedAt: '2026-11-21T09:00:00.000Z',
      file: { name: 'good.csv', sha256: expect.stringMatching(/^f2b0a1f1/) },
      holdsLiftedBy: 'resume',
      isOver: true,
      isQueued: false,
      isRegistered: true,
      reportDir: join(made.world.cwd, 'runs', ID),
      reportUrl: pathToFileURL(join(made.world.cwd, 'runs', ID)).href,
      error: null,
      generation: 0,
      parentBatchId: null,
      childBatchId: null,
      paidTwice: [],
    });
  });

  it('prints the progress on standard error, and the path of the report on standard output', async () => {
    const { code, out, err } = await worldWithWorker(paying('FAILED')).run(
      'submit',
      'good.csv',
      '--yes',
    );
    expect(code).toBe(11);
    expect(err).toContain('Being paid: sending the payments');
    expect(out).toContain(`Batch ${ID}: Failed`);
    expect(out).toContain(`Report: runs/${ID}/summary.html`);
    expect(out).toContain(`bursar resend ${ID}`);
  });

  it('shows a live line to a person', async () => {
    const made = worldWithWorker(paying(), { isTty: true, input: '60.5:USDT_TRC20\n' });
    const { err } = await made.run('submit', 'good.csv');
    expect(err).toContain(
      `\r\u001B[2KBeing paid: 0 of 3 rows paid, 3 not sent yet, sending the payments [${' '.repeat(24)}]`,
    );
  });

  it('ends with 8 when its time is over, and the batch goes on', async () => {
    const made = world();
    const { code, err } = await made.run('submit', 'good.csv', '--yes', '--timeout', '30s');
    expect(code).toBe(8);
    expect(err).toContain(`bursar watch ${ID}`);
  });

  it('ends with 130 at Ctrl-C, and prints how to return', async () => {
    const controller = new AbortController();
    const made = world({ interrupted: controller.signal, onPause: () => controller.abort() });
    const { code, out, err } = await made.run('submit', 'good.csv', '--yes');
    expect([code, out]).toEqual([130, '']);
    expect(err).toContain(`The batch goes on. Follow it with: bursar watch ${ID}`);
  });

  it('ends with 14 when an operator has to answer, with everything that he needs', async () => {
    const made = worldWithWorker(async ({ engine, store: openStore, world: { cwd } }) => {
      const [input] = engine.started;
      if (input === undefined) return;
      const store = await openStore();
      await playPlan(store, input, join(cwd, 'good.csv'));
      await playDoubt(store, input.batchId);
      await store.close();
    });
    const { code, out } = await made.run('submit', 'good.csv', '--yes');
    expect(code).toBe(14);
    expect(out).toContain(
      'Chunk 0 needs an operator (LOOKUP_UNPROVEN) since 2026-11-21 09:01:01 UTC',
    );
    expect(out.split('needs an operator')).toHaveLength(2);
    expect(out).toContain(`external id ${ID}/0/0 or idempotency key `);
    expect(out).toContain('ambiguous, signed 2026-11-21 09:01:00 UTC, status 502, trace trace-9');
    expect(out).toContain(`bursar resolve ${ID} 0 adopt ID --reason TEXT`);
    expect(out).toContain(`bursar resolve ${ID} 0 not-created --attempts 1 --reason TEXT`);
    expect(out).toContain(`bursar resolve ${ID} 0 abandon --reason TEXT`);
  });

  it('warns once when no worker answers, and keeps waiting', async () => {
    const made = world({ env: { BURSAR_TASK_QUEUE: 'lonely' } });
    made.engine.workers = false;
    const { code, err } = await made.run('submit', 'good.csv', '--yes', '--timeout', '1m');
    expect(code).toBe(8);
    expect(err.match(/No worker answers on task queue lonely/g)).toHaveLength(1);
  });

  it('waits out a short absence of Temporal', async () => {
    const made = worldWithWorker(async (self, pauses) => {
      self.engine.isDown = pauses < 5;
      if (pauses === 6) await paying()(self, 1);
      if (pauses === 7) await paying()(self, 2);
    });
    const { code, err } = await made.run('submit', 'good.csv', '--yes');
    expect(code).toBe(0);
    expect(err).toContain('Trying again; the batch is safe.');
  });

  it('gives up with 6 when Temporal stays away', async () => {
    const made = worldWithWorker(async ({ engine }) => {
      engine.isDown = true;
    });
    expect(await made.run('submit', 'good.csv', '--yes')).toMatchObject({ code: 6 });
    made.engine.isDown = false;
    const late = await made.run('submit', 'good.csv', '--timeout', '5s');
    expect(late.code).toBe(6);
  });

  it('ends with 14 when the workflow was terminated', async () => {
    const made = worldWithWorker(async ({ engine }) => {
      engine.executions.set(ID, { ...running(undefined, 'PAYING'), status: 'TERMINATED' });
    });
    const { code, out } = await made.run('submit', 'good.csv', '--yes');
    expect(code).toBe(14);
    expect(out).toContain(`bursar recover ${ID}`);
  });

  it('prints the result of a batch that was refused before it was stored', async () => {
    const error = noteOf('BATCH_ID_TAKEN', { batchId: ID });
    const made = worldWithWorker(async ({ engine }) => {
      engine.executions.set(ID, { ...running(undefined), status: 'COMPLETED' });
      engine.results.set(ID, {
        state: 'REJECTED',
        digest: null,
        amounts: [],
        reportUrl: null,
        error,
        rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
      });
    });
    const { code, value } = await made.json('submit', 'good.csv', '--yes');
    expect(code).toBe(2);
    expect(value).toMatchObject({ state: 'REJECTED', reportUrl: null, error });
  });
});

describe('bursar submit of a file that was submitted before', () => {
  it('follows the running batch, with any flags', async () => {
    const made = world();
    await made.run('submit', 'good.csv', '--yes', '--detach');
    const again = await made.run('submit', 'good.csv', '--detach');
    expect(again.code).toBe(8);
    expect(again.err).toContain(
      `Batch ${ID} already exists with this file. The command follows it`,
    );
    expect(made.engine.started).toHaveLength(1);
  });

  it.each(['before', 'after'])(
    'copies a file again whose copy was lost, %s a worker has read it',
    async (when) => {
      const made = world();
      await made.run('submit', 'good.csv', '--yes', '--detach');
      const copy = join(made.world.cwd, '.bursar/blobs', sha256(GOOD));
      rmSync(copy);
      if (when === 'after') {
        const store = await made.store();
        const [input] = made.engine.started;
        if (input !== undefined) await playRegister(store, input);
        await store.close();
      }
      const again = await made.run('submit', 'good.csv', '--detach');
      expect([again.code, again.err]).toEqual([8, expect.stringContaining('is there again')]);
      expect(readFileSync(copy, 'utf8')).toBe(GOOD);
      expect(made.engine.started).toHaveLength(1);
    },
  );

  it('shows the result of a batch that ended, even when Temporal forgot it', async () => {
    const made = worldWithWorker(paying());
    await made.run('submit', 'good.csv', '--yes');
    made.engine.executions.clear();
    made.engine.isDown = true;
    const { code, value } = await made.json('submit', 'good.csv', '--yes');
    expect(code).toBe(0);
    expect(value).toMatchObject({ state: 'COMPLETED', rows: { paid: 3 } });
    expect(made.engine.started).toHaveLength(1);
  });

  it('leaves an open batch that Temporal forgot to people: only they can find out how old the store is', async () => {
    const made = world({ onPause: () => undefined });
    await made.run('submit', 'good.csv', '--yes', '--detach', '--funds', 'wait');
    const [input] = made.engine.started;
    if (input === undefined) throw new Error('nothing was started');
    const store = await made.store();
    await playPlan(store, input, join(made.world.cwd, 'good.csv'));
    await store.close();
    made.engine.executions.clear();
    const { code, value } = await made.json('submit', 'good.csv', '--yes', '--detach');
    expect([code, value['code']]).toEqual([14, 'BATCH_FORGOTTEN']);
    expect(value['fix']).toContain(`bursar recover ${input.batchId}`);
    expect(made.engine.started).toEqual([input]);
  });

  it('starts one again, with its first choices, of which no worker had read the file', async () => {
    const made = world({ onPause: () => undefined });
    await made.run('submit', 'good.csv', '--yes', '--detach', '--funds', 'wait');
    const [input] = made.engine.started;
    if (input === undefined) throw new Error('nothing was started');
    const store = await made.store();
    await playRegister(store, input);
    await store.close();
    made.engine.executions.clear();
    const { err } = await made.run('submit', 'good.csv', '--yes', '--detach');
    expect(err).toContain('no worker had read it. It begins again');
    const storeNow = { ...input.store, audit: expect.anything() };
    expect(made.engine.started).toEqual([input, { ...input, store: storeNow }]);
  });

  it('refuses another file under the id of a batch of the store', async () => {
    const made = worldWithWorker(paying());
    await made.run('submit', 'good.csv', '--id', 'payroll', '--yes');
    made.engine.executions.clear();
    const { code, value } = await made.json('submit', 'duplicate.csv', '--id', 'payroll', '--yes');
    expect([code, value['code']]).toEqual([2, 'BATCH_ID_TAKEN']);
  });
});
