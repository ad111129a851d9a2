import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../../support/decisions.ts';
import fc from 'fast-check';
import type { ClaimInput, Demand } from '../../../src/contract/schedule.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { batchIdOf } from '../../../src/domain/schedule/names.ts';
import { auditOf, definition } from '../../support/schedule-definitions.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DUE, NOMINAL, type ScheduleWorld, scheduleWorld } from '../support/schedule-world.ts';

let world: ScheduleWorld;
beforeEach(async () => {
  world = await scheduleWorld(temporaryFolder());
});
afterEach(() => world.store.close());

const RUN = { scheduleId: 'rent', nominal: NOMINAL };
const DEMAND: Demand = { nominal: NOMINAL, by: 'bob', reason: 'late file' };

const claimInput = (more: Partial<ClaimInput> = {}): ClaimInput => ({
  scheduleId: 'rent',
  startAt: '2026-05-04T09:00:00.000Z',
  demand: null,
  ...more,
});

const claim = (workflowId: string, more: Partial<ClaimInput> = {}) =>
  world.as(workflowId, ({ claimRuns }) => claimRuns(claimInput(more)));

const demand = (workflowId: string, nominal = NOMINAL) =>
  claim(workflowId, { startAt: null, demand: { ...DEMAND, nominal } });

const take = (workflowId: string, by: Demand | null = null, nominal = NOMINAL) =>
  world.as(workflowId, ({ takeFile }) => takeFile({ scheduleId: 'rent', nominal, demand: by }));

describe('a workflow that Temporal began', () => {
  it('claims the run of its instant', async () => {
    expect(await claim('w1')).toEqual({
      kind: 'claims',
      claims: [
        {
          kind: 'claimed',
          nominal: NOMINAL,
          dueAt: '2026-05-04T09:00:00.000Z',
          latestStart: '2026-05-04T09:10:00.000Z',
        },
      ],
    });
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({
      state: 'STARTED',
      claimedBy: 'w1',
    });
  });

  it('claims every run of its instant', async () => {
    await world.store.close();
    world = await scheduleWorld(temporaryFolder(), { shift: 'before' });
    world.clock.nowMs = Date.parse('2026-05-08T09:00:00Z');
    const startAt = '2026-05-08T09:00:00.000Z';
    const answer = await claim('w1', { startAt });
    expect(answer).toMatchObject({ kind: 'claims' });
    if (answer.kind !== 'claims') return;
    expect(answer.claims.map(({ nominal, kind }) => [nominal.slice(0, 10), kind])).toEqual([
      ['2026-05-08', 'claimed'],
      ['2026-05-09', 'claimed'],
      ['2026-05-10', 'claimed'],
    ]);
  });

  it.each([
    ['an instant that is no run, as by a Trigger of Temporal', '2026-05-04T09:00:01.000Z'],
    ['no instant at all', null],
  ])('with %s is refused, with an audit entry', async (_what, startAt) => {
    expect(await claim('w1', { startAt })).toMatchObject({
      kind: 'refused',
      error: { code: 'SCHEDULE_RUN_UNKNOWN' },
    });
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-refused']);
  });

  it('begins too late after its catch-up time, and notifies that once over all tries', async () => {
    world.clock.nowMs = DUE + 600_001;
    const missed = { kind: 'missed', error: { code: 'SCHEDULE_RUN_MISSED' } };
    expect(await claim('w1')).toMatchObject({ claims: [missed] });
    expect(await claim('w1')).toMatchObject({ claims: [missed] });
    expect(new Set(world.told.map(({ event, key }) => `${event} ${key}`))).toEqual(
      new Set([`schedule.missed rent/${NOMINAL}`]),
    );
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-missed']);
    expect((await take('w1')).kind).toBe('refused');
  });

  it('ahead of its time is refused and leaves no trace in the run, which begins when it is due', async () => {
    world.put('pay-2026-05-04.csv');
    world.clock.nowMs = DUE - 7 * 86_400_000;
    const error = { code: 'SCHEDULE_RUN_EARLY' };
    expect(await claim('w1')).toMatchObject({ kind: 'refused', error });
    expect(await world.store.scheduleRuns.find(RUN)).toBeUndefined();
    expect((await take('w1')).kind).toBe('refused');
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-refused']);
    // Temporal has used up the id under which it would have begun the run.
    expect(world.renewed).toEqual(['rent w1-run']);
    world.clock.nowMs = DUE;
    expect(await claim('w2')).toMatchObject({ claims: [{ kind: 'claimed' }] });
    expect((await take('w2')).kind).toBe('taken');
    expect(world.renewed).toHaveLength(1);
  });

  it('leaves the runs of another workflow, and those that are over', async () => {
    await claim('w1');
    expect(await claim('w2')).toMatchObject({ claims: [{ kind: 'left' }] });
    await world.as('w1', ({ endRun }) =>
      endRun({ ...RUN, kind: 'ended', batchId: 'b', state: 'COMPLETED' }),
    );
    expect(await claim('w1')).toMatchObject({
      claims: [{ kind: 'left', why: 'it is ENDED already: COMPLETED' }],
    });
    expect(world.told).toEqual([]);
  });

  it('skips its run while the schedule is paused', async () => {
    const paused = { sinceMs: DUE - 1, note: 'audit' };
    await world.store.schedules.pause('rent', paused, auditOf('pause'));
    const skipped = { kind: 'left', why: 'the schedule was paused: audit' };
    expect(await claim('w1')).toMatchObject({ claims: [skipped] });
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({ state: 'SKIPPED' });
  });

  it('finds no schedule that was deleted', async () => {
    await world.store.schedules.remove('rent', DUE, auditOf('delete'));
    expect(await claim('w1')).toMatchObject({ error: { code: 'SCHEDULE_DELETED' } });
  });
});

describe('a person who starts a run', () => {
  it('starts one that failed or was missed, with an audit entry', async () => {
    world.clock.nowMs = DUE + 86_400_000;
    await claim('w1');
    expect(await demand('w2')).toMatchObject({ claims: [{ kind: 'claimed', latestStart: null }] });
    expect(await world.actions()).toEqual([
      ...['schedule-create', 'schedule-run-missed', 'schedule-run'],
    ]);
    const [, , entry] = await decisionsIn(world.store);
    expect(entry).toMatchObject({ actor: 'bob', detail: { run: NOMINAL, reason: 'late file' } });
  });

  it('cannot start one that has begun; the audit log has the try', async () => {
    await claim('w1');
    const error = { code: 'SCHEDULE_RUN_TAKEN' };
    expect(await demand('w2')).toMatchObject({ claims: [{ kind: 'left', error }] });
    expect(await world.actions()).toContain('schedule-run-refused');
  });

  it('cannot start an unknown one', async () => {
    expect(await demand('w2', '2026-05-04T09:01')).toMatchObject({
      error: { code: 'SCHEDULE_RUN_UNKNOWN' },
    });
    expect(await world.actions()).toContain('schedule-run-refused');
  });

  it('is the submitter of its batch; the submitter of every other one is the creator of the schedule', async () => {
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    expect(await take('w1')).toMatchObject({ batch: { submittedBy: 'alice' } });
    world.put('pay-2026-05-03.csv');
    await demand('w2', '2026-05-03T09:00');
    const asked = await take('w2', DEMAND, '2026-05-03T09:00');
    expect(asked).toMatchObject({ batch: { submittedBy: 'bob' } });
  });
});

describe('the file of a run', () => {
  it('is copied and becomes the batch of the run', async () => {
    world.put('pay-2026-05-04.csv', 'address,amount\n');
    await claim('w1');
    const taken = await take('w1');
    expect(taken).toMatchObject({
      kind: 'taken',
      batch: {
        batchId: 'rent-2026-05-04',
        accountRef: 'main',
        generation: 0,
        parentBatchId: null,
        file: { name: 'pay-2026-05-04.csv' },
        options: { ...definition().options, at: null },
        submittedAt: '2026-05-04T09:00:00.000Z',
      },
    });
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({
      state: 'RUNNING',
      batchId: 'rent-2026-05-04',
      fileName: 'pay-2026-05-04.csv',
    });
  });

  it('stays the same in a second call, even when the folder has another file', async () => {
    world.put('pay-2026-05-04.csv', 'one');
    await claim('w1');
    const first = await take('w1');
    world.put('pay-2026-05-04.csv', 'two');
    world.clock.nowMs = DUE + 86_400_000;
    const again = await take('w1');
    expect(first.kind === 'taken' && first.batch.file).toEqual(
      again.kind === 'taken' && again.batch.file,
    );
    expect([first, again]).toMatchObject([{ begun: false }, { begun: false }]);
    await world.store.batches.register(newBatch('rent-2026-05-04'));
    expect(await take('w1')).toMatchObject({ kind: 'taken', begun: true });
  });

  it('is not taken for another workflow, nor without a claim', async () => {
    world.put('pay-2026-05-04.csv');
    expect(await take('w1')).toMatchObject({ error: { code: 'SCHEDULE_RUN_TAKEN' } });
    await claim('w1');
    expect(await take('w2')).toMatchObject({ error: { code: 'SCHEDULE_RUN_TAKEN' } });
  });

  it('is not taken too late', async () => {
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    world.clock.nowMs = DUE + 600_001;
    expect(await take('w1')).toMatchObject({ error: { code: 'SCHEDULE_RUN_MISSED' } });
  });

  it('is refused when an earlier run took the very same', async () => {
    world.put('pay-2026-05-03.csv', 'same');
    await demand('w0', '2026-05-03T09:00');
    await take('w0', DEMAND, '2026-05-03T09:00');
    world.put('pay-2026-05-04.csv', 'same');
    await claim('w1');
    const refused = await take('w1');
    expect(refused).toMatchObject({ error: { code: 'SCHEDULE_FILE_UNCHANGED' } });
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({ state: 'STARTED' });
  });

  it('may be the same where the schedule allows it', async () => {
    await world.store.close();
    const file = { pattern: 'rent.csv', allowUnchanged: true };
    world = await scheduleWorld(temporaryFolder(), { file });
    world.put('rent.csv');
    await demand('w0', '2026-05-03T09:00');
    expect((await take('w0', DEMAND, '2026-05-03T09:00')).kind).toBe('taken');
    await claim('w1');
    expect((await take('w1')).kind).toBe('taken');
  });

  it('does not become a batch whose id is in use', async () => {
    world.put('pay-2026-05-04.csv');
    await world.store.batches.register(newBatch('rent-2026-05-04'));
    await claim('w1');
    expect(await take('w1')).toMatchObject({ error: { code: 'BATCH_ID_TAKEN' } });
  });

  it('is paid at the due time when the schedule has a lead', async () => {
    await world.store.close();
    world = await scheduleWorld(temporaryFolder(), { leadMs: 3_600_000 });
    world.put('pay-2026-05-04.csv');
    world.clock.nowMs = DUE - 3_600_000;
    await claim('w1', { startAt: '2026-05-04T08:00:00.000Z' });
    expect(await take('w1')).toMatchObject({
      batch: { options: { at: '2026-05-04T09:00:00.000Z' } },
    });
    world.clock.nowMs = DUE + 1;
    expect(await take('w1')).toMatchObject({ batch: { options: { at: null } } });
  });
});

describe('the end of a run', () => {
  const error = {
    code: 'SCHEDULE_FILE_MISSING',
    what: 'There is no file.',
    why: 'w',
    fix: 'f',
  } as const;

  it('without a batch is stored and notified, and frees the run', async () => {
    await claim('w1');
    const fail = () => world.as('w1', ({ endRun }) => endRun({ ...RUN, kind: 'failed', error }));
    await fail();
    await fail();
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({
      state: 'FAILED',
      detail: 'There is no file.',
      batchId: null,
    });
    expect(new Set(world.told.map(({ key }) => key))).toEqual(new Set([`rent/${NOMINAL}/w1-run`]));
    expect(world.told[0]).toMatchObject({
      event: 'schedule.failed',
      data: {
        scheduleId: 'rent',
        run: NOMINAL,
        code: 'SCHEDULE_FILE_MISSING',
        due: 'Mon 2026-05-04 09:00 +00:00 UTC',
        file: 'pay-2026-05-04.csv',
      },
    });
    expect((await world.actions()).filter((one) => one === 'schedule-run-failed')).toHaveLength(1);
    expect(await demand('w2')).toMatchObject({ claims: [{ kind: 'claimed' }] });
  });

  it('after an early try of a person leaves the run to its schedule, and it is paid once', async () => {
    world.clock.nowMs = DUE - 3_600_000;
    await demand('w1');
    expect(await take('w1', DEMAND)).toMatchObject({ error: { code: 'SCHEDULE_FILE_MISSING' } });
    await world.as('w1', ({ endRun }) => endRun({ ...RUN, kind: 'failed', error }));
    world.put('pay-2026-05-04.csv');
    world.clock.nowMs = DUE;
    expect(await claim('w2')).toMatchObject({ claims: [{ kind: 'claimed' }] });
    // Whoever had it before, or asks meanwhile, gets nothing.
    expect(await take('w1', DEMAND)).toMatchObject({ error: { code: 'SCHEDULE_RUN_TAKEN' } });
    expect(await take('w2')).toMatchObject({ batch: { batchId: 'rent-2026-05-04' } });
    expect(await demand('w1')).toMatchObject({ claims: [{ kind: 'left' }] });
    expect(await claim('w3')).toMatchObject({ claims: [{ kind: 'left' }] });
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({ state: 'RUNNING' });
  });

  it('is stored although the schedule was deleted meanwhile', async () => {
    await claim('w1');
    await world.store.schedules.remove('rent', DUE, auditOf('delete'));
    await world.as('w1', ({ endRun }) => endRun({ ...RUN, kind: 'failed', error }));
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({ state: 'FAILED' });
  });

  it('whose batch has no workflow is notified, and does not free the run', async () => {
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    await take('w1');
    const lost = { ...RUN, kind: 'lost', batchId: 'rent-2026-05-04', error } as const;
    await world.as('w1', ({ endRun }) => endRun(lost));
    expect(world.told).toMatchObject([{ event: 'schedule.failed', batchId: 'rent-2026-05-04' }]);
    expect(await demand('w2')).toMatchObject({ claims: [{ kind: 'left' }] });
  });

  const EMPTY = noteOf('FILE_EMPTY', { file: 'a.csv' });
  /** Takes the run's file, and lets the batch of it be rejected before anything is sent. */
  async function rejectBatch(workflowId: string, by: Demand | null = null): Promise<string> {
    const taken = await take(workflowId, by);
    if (taken.kind !== 'taken') throw new Error(taken.error.what);
    const { batchId, file } = taken.batch;
    await world.store.batches.register(newBatch(batchId, { fileSha256: file.sha256 }));
    const end = { state: 'REJECTED', atMs: world.clock.nowMs, error: EMPTY } as const;
    await world.store.batches.end(batchId, end);
    const rejected = { ...RUN, kind: 'rejected', batchId, problem: EMPTY.what } as const;
    await world.as(workflowId, ({ endRun }) => endRun(rejected));
    return batchId;
  }

  it('whose batch was rejected is notified, and the mended file is paid by a batch with another id', async () => {
    world.put('pay-2026-05-04.csv', 'empty');
    await claim('w1');
    expect(await rejectBatch('w1')).toBe('rent-2026-05-04');
    const what = `Batch rent-2026-05-04 of the run for ${NOMINAL} was rejected: ${EMPTY.what}`;
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({
      state: 'FAILED',
      detail: what,
    });
    expect(world.told).toMatchObject([
      {
        event: 'schedule.failed',
        batchId: 'rent-2026-05-04',
        data: {
          scheduleId: 'rent',
          run: NOMINAL,
          code: 'SCHEDULE_BATCH_REJECTED',
          what,
          fix: `Correct the file, then: bursar schedule trigger rent --run ${NOMINAL} --reason TEXT`,
        },
      },
    ]);
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-failed']);
    // The very same file may be asked for again: nothing of it was paid.
    await demand('w2');
    expect(await rejectBatch('w2', DEMAND)).toBe('rent-2026-05-04-2');
    world.put('pay-2026-05-04.csv', 'mended');
    await demand('w2');
    expect(await take('w2', DEMAND)).toMatchObject({ batch: { batchId: 'rent-2026-05-04-3' } });
    expect(await demand('w3')).toMatchObject({ claims: [{ kind: 'left' }] });
  });

  it('whose batch was rejected before it was stored is notified, and the run is over', async () => {
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    await take('w1');
    const batchId = 'rent-2026-05-04';
    const rejected = { ...RUN, kind: 'rejected', batchId, problem: 'No such account.' } as const;
    for (const _try of [1, 2]) await world.as('w1', ({ endRun }) => endRun(rejected));
    expect(await world.store.scheduleRuns.find(RUN)).toMatchObject({
      state: 'ENDED',
      detail: 'REJECTED',
      batchId,
    });
    expect(world.told[0]?.data['fix']).toContain('pay it with "bursar submit FILE"');
    expect(world.told[1]).toEqual(world.told[0]);
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-failed']);
    expect(await demand('w2')).toMatchObject({ claims: [{ kind: 'left' }] });
  });

  it('lets at most one batch pay, in any order of begins, resets and repeats', async () => {
    const acts = ['claim', 'demand', 'take', 'end', 'close', 'release'] as const;
    const workflow = fc.constantFrom('w1', 'w2');
    const step = fc.record({ workflow, act: fc.constantFrom(...acts), batch: fc.nat({ max: 1 }) });
    let day = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { minLength: 20, maxLength: 40 }),
        async (isAgain, steps) => {
          day += 1;
          const nominal = new Date(DUE - day * 86_400_000).toISOString().slice(0, 16);
          expect(
            (await payingAfter(nominal, isAgain ? [...BEGUN_AGAIN, ...steps] : steps)).length,
          ).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 15 },
    );
  });

  type Step = Readonly<{ workflow: string; act: string; batch: number }>;

  /** A first batch that was rejected, and a second one under way: chance comes here seldom. */
  const BEGUN_AGAIN: readonly Step[] = [
    ...['claim', 'take', 'end', 'close'].map((act) => ({ workflow: 'w1', act, batch: 0 })),
    ...['demand', 'take'].map((act) => ({ workflow: 'w2', act, batch: 1 })),
  ];

  /** Carries steps out as far as they can be, whatever they make of each other; answers with the batches that may pay. */
  async function payingAfter(nominal: string, steps: readonly Step[]): Promise<string[]> {
    const { store } = world;
    const batchIds = [0, 1, 2].map((rejected) => batchIdOf(definition(), nominal, rejected));
    world.clock.nowMs = Date.parse(`${nominal}Z`);
    world.put(`pay-${nominal.slice(0, 10)}.csv`, nominal);
    for (const { workflow, act, batch } of steps) {
      const batchId = batchIds[batch] ?? '';
      if (act === 'claim') await claim(workflow, { startAt: `${nominal}:00Z` });
      if (act === 'demand') await demand(workflow, nominal);
      if (act === 'take') {
        const taken = await take(workflow, null, nominal);
        if (taken.kind !== 'taken') continue;
        const { file } = taken.batch;
        await store.batches.register(newBatch(taken.batch.batchId, { fileSha256: file.sha256 }));
      }
      if (act === 'end')
        await store.batches.end(batchId, { state: 'REJECTED', atMs: 1, error: null });
      if (act === 'release') await store.batches.release(batchId, 2);
      if (act === 'close' && (await store.scheduleRuns.find({ ...RUN, nominal })) !== undefined) {
        const close = {
          scheduleId: 'rent',
          nominal,
          kind: 'rejected',
          batchId,
          problem: '',
        } as const;
        await world.as(workflow, ({ endRun }) => endRun(close));
      }
    }
    const found = await Promise.all(batchIds.map((batchId) => store.batches.find(batchId)));
    return found.flatMap((one) => (one?.releasedAtMs ? [one.batchId] : []));
  }

  it('has the state of a batch that another workflow started', async () => {
    const look = () => world.as('w1', ({ findBatch }) => findBatch(RUN));
    expect(await look()).toEqual({ kind: 'other' });
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    const taken = await take('w1');
    const fileSha256 = taken.kind === 'taken' ? taken.batch.file.sha256 : '';
    expect(await look()).toEqual({ kind: 'open' });
    await world.store.batches.register(newBatch('rent-2026-05-04', { fileSha256 }));
    expect(await look()).toEqual({ kind: 'open' });
    await world.store.batches.end('rent-2026-05-04', { state: 'PARTIAL', atMs: 1, error: null });
    expect(await look()).toEqual({ kind: 'ended', state: 'PARTIAL', error: null });
  });

  it('is not shown of a batch with another file', async () => {
    world.put('pay-2026-05-04.csv');
    await claim('w1');
    await take('w1');
    await world.store.batches.register(newBatch('rent-2026-05-04'));
    expect(await world.as('w1', ({ findBatch }) => findBatch(RUN))).toEqual({ kind: 'other' });
  });
});
