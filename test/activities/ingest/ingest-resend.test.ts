import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Refused } from '../../../src/contract/activities.ts';
import type { BatchInput } from '../../../src/contract/batch.ts';
import { idempotencyKeyOf } from '../../../src/domain/sending/identity.ts';
import { createRowsHash } from '../../../src/report/rows-hash.ts';
import { policyOf } from '../../support/approvers.ts';
import { refused } from '../../support/fake-service.ts';
import { NO_RULES } from '../../support/planned-batch.ts';
import { reportLines } from '../../support/row-outcomes.ts';
import { ACCOUNT, contentOf, newBatch, planNamed } from '../../support/store-fixtures.ts';
import {
  type LineageWorld,
  lineageWorld,
  named,
  partialWorld,
  recordOf,
  ROOT,
  rowsOf,
} from '../support/lineage-world.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writableDb } from '../../../src/store/database/writable.ts';

let world: LineageWorld;
afterEach(() => world.store.close());

const codeOf = (ingested: Awaited<ReturnType<LineageWorld['begin']>>): string =>
  ingested.kind === 'refused' ? ingested.error.code : ingested.kind;

describe('a resend of a batch that ended PARTIAL', () => {
  beforeEach(async () => {
    world = await partialWorld();
  });

  it('holds the failed rows and no others, as they were submitted, under new keys', async () => {
    const ingested = await world.begin(world.resendInput());
    expect(ingested).toMatchObject({ kind: 'ingested', rows: 2, refusedRows: 0, chunks: 1 });
    expect(await world.rowsIn('payroll-r1')).toEqual([3, 4]);
    const batch = await world.store.batches.find('payroll-r1');
    expect(await world.store.staging.rows(batch?.ingestId ?? '', 0)).toEqual(
      rowsOf(6)
        .slice(1, 3)
        .map(({ row, address, amount, comment, reference, name }) => ({
          row,
          address,
          amount,
          comment,
          reference,
          name,
        })),
    );
    const [chunk] = await world.store.chunks.list('payroll-r1');
    const identity = { account: ACCOUNT, batchId: 'payroll-r1', chunk: 0, generation: 1 };
    expect(chunk?.idempotencyKey).toBe(idempotencyKeyOf(identity));
    expect(chunk?.externalId).toBe('payroll-r1/0/1');
  });

  it('reads every mass payout and withdrawal of its rows, and no others, before it is planned; then its own first key', async () => {
    await world.begin(world.resendInput());
    const { idempotencyKey } = await world.store.chunks.get('payroll-r1', 0);
    const behind = world.service.asked.filter((asked) => !asked.includes(idempotencyKey));
    expect(behind.sort()).toEqual(['lookup w3', 'lookup w4', 'payout payroll-0']);
    expect(world.service.asked.at(-1)).toContain(idempotencyKey);
  });

  it('leaves out a row that the wallet shows as paid, and is refused when the wallet shows it later', async () => {
    await world.reconciled(3);
    await world.begin(world.resendInput());
    expect(await world.rowsIn('payroll-r1')).toEqual([4]);
    await world.reconciled(4);
    const confirmed = await world.confirm('payroll-r1');
    expect(confirmed).toMatchObject({ kind: 'refused', error: { code: 'RESEND_OUTDATED' } });
  });

  it('has the statement of the operator in its audit entry', async () => {
    await world.begin(world.resendInput());
    expect(world.audit).toEqual([
      {
        atMs: world.clock.nowMs,
        batchId: 'payroll-r1',
        actor: 'mira',
        action: 'resend',
        detail: {
          parentBatchId: ROOT,
          generation: 1,
          statement: 'nothing was resent elsewhere',
          expectCount: null,
          expectTotals: [],
          rows: 2,
        },
      },
    ]);
  });

  it('names no reason of its submitter, who under a policy signs none', async () => {
    Object.assign(world.deps, { rules: { ...NO_RULES, approval: policyOf() } });
    const { statement: _, ...input } = world.resendInput();
    await world.begin({ ...input, statement: 'the CFO said so', submittedBy: 'alice' });
    expect(world.audit).toMatchObject([{ actor: 'alice (unsigned)', action: 'resend' }]);
  });

  it.each(['', '  ', undefined])(
    'is refused, and audited, when the statement is %j',
    async (statement) => {
      const { statement: _, ...input } = world.resendInput();
      const given: BatchInput = statement === undefined ? input : { ...input, statement };
      expect(codeOf(await world.begin(given))).toBe('RESEND_UNSTATED');
      expect(await world.store.batches.find('payroll-r1')).toBeUndefined();
      expect(world.audit).toMatchObject([
        { action: 'resend-refused', detail: { code: 'RESEND_UNSTATED' } },
      ]);
    },
  );

  it('takes its rows out of the resend list of its parent, in a new version of the report', async () => {
    const files = join(world.reportDir, ROOT);
    expect(existsSync(join(files, 'resend.csv'))).toBe(true);
    await world.begin(world.resendInput());
    expect(existsSync(join(files, 'resend.csv'))).toBe(false);
    expect(world.report().revision).toMatchObject({
      version: 2,
      previousVersion: 1,
      changedRows: 0,
      resent: [{ batchId: 'payroll-r1', rows: 2 }],
    });
    expect(world.report().childBatchId).toBe('payroll-r1');
    expect(reportLines(files).map((line) => (line as { next?: string }).next)).toEqual([
      ...['', 'payroll-r1', 'payroll-r1', '', '', ''],
    ]);
    expect(existsSync(join(files, 'versions', '1', 'resend.csv'))).toBe(true);
  });

  it('changes nothing when its import is repeated: a worker may have died after it', async () => {
    const first = await world.begin(world.resendInput());
    expect(await world.begin(world.resendInput())).toEqual(first);
    expect(await world.rowsIn('payroll-r1')).toEqual([3, 4]);
    expect(world.report().revision.version).toBe(2);
  });

  it('is one of two that begin at once under different ids: the other gets an error that names it', async () => {
    const both = await Promise.all([
      world.begin(world.resendInput()),
      world.begin(world.resendInput(ROOT, 1, { batchId: 'again' })),
    ]);
    expect(both.map(codeOf).sort()).toEqual(['RESEND_EXISTS', 'ingested']);
    const line = await world.store.lineage.line(ROOT);
    expect(line).toHaveLength(2);
  });

  it('of a batch that the store does not have is tried again: another store may have it', async () => {
    const begun = world.begin({ ...world.resendInput(), parentBatchId: 'nobody' });
    await expect(begun).rejects.toMatchObject({ type: 'BATCH_NOT_FOUND', nonRetryable: false });
    expect(await world.store.lineage.childOf(ROOT)).toBeUndefined();
  });

  it.each<[string, (input: BatchInput) => BatchInput, string]>([
    ['under the id of its parent', (input) => ({ ...input, batchId: ROOT }), 'BATCH_ID_TAKEN'],
  ])('%s is refused', async (_what, change, code) => {
    expect(codeOf(await world.begin(change(world.resendInput())))).toBe(code);
    expect(await world.store.lineage.childOf(ROOT)).toBeUndefined();
  });

  it('with a generation that does not follow its parent is an internal error, and never begins', async () => {
    const wrong = world.resendInput(ROOT, 1, { generation: 2 });
    await expect(world.begin(wrong)).rejects.toThrow('is no resend of');
    expect(await world.store.lineage.childOf(ROOT)).toBeUndefined();
  });

  it('from another account than its parent was paid from is refused', async () => {
    Object.assign(world.deps, { accountOf: () => '0x00000000000000000000000000000000000000ff' });
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_OTHER_ACCOUNT');
  });

  it('of a resend that failed again holds the rows that failed in both, and the lineage goes on', async () => {
    await world.begin(world.resendInput());
    world.service.plan('payroll-r1-0', { state: 'PARTIAL', withdrawalErrors: [named(4)] });
    world.service.records.set('w4', recordOf('payroll-r1', 4, 'FAILED'));
    await world.pay('payroll-r1');
    await world.end('payroll-r1');
    expect(await world.outcomes('payroll-r1')).toEqual({ 3: 'PAID', 4: 'FAILED' });
    // The record of the first withdrawal is another one than that of the second.
    world.service.say('payroll-0', {
      withdrawalErrors: [named(3), { ...named(4), withdrawalId: 'w4-first' }],
    });
    world.service.records.set('w4-first', { ...recordOf(ROOT, 4, 'FAILED'), id: 'w4-first' });
    expect(codeOf(await world.begin(world.resendInput('payroll-r1', 2)))).toBe('ingested');
    expect(await world.rowsIn('payroll-r2')).toEqual([4]);
  });

  it('that would pay other rows than were confirmed is refused', async () => {
    const input = world.resendInput();
    const options = { ...input.options, expectCount: 3 };
    const ingested = await world.begin({ ...input, options });
    expect(codeOf(ingested)).toBe('RESEND_OUTDATED');
    expect((ingested as Refused).error.what).toContain('3 rows were confirmed, and 2 are left');
  });

  it('that would pay as many other rows than were confirmed is refused', async () => {
    const input = world.resendInput();
    const hash = createRowsHash();
    for (const row of rowsOf(6).slice(2, 4)) hash.add(row);
    const options = { ...input.options, rowsSha256: hash.sha256() };
    const ingested = await world.begin({ ...input, options });
    expect(codeOf(ingested)).toBe('RESEND_OUTDATED');
    expect((ingested as Refused).error.what).toContain('they are others than were confirmed');
  });

  it('that pays the confirmed rows is taken', async () => {
    const input = world.resendInput();
    const hash = createRowsHash();
    for (const row of rowsOf(6).slice(1, 3)) hash.add(row);
    const options = { ...input.options, rowsSha256: hash.sha256() };
    expect(codeOf(await world.begin({ ...input, options }))).toBe('ingested');
  });

  describe('with sent chunks, when its workflow begins again,', () => {
    beforeEach(async () => {
      const input = world.resendInput();
      await world.begin({ ...input, options: { ...input.options, chunkRows: 1 } });
      const { idempotencyKey, total } = await world.store.chunks.get('payroll-r1', 0);
      const payout = world.service.create('payroll-r1-0', { idempotencyKey, total });
      const ref = { batchId: 'payroll-r1', chunk: 0, idempotencyKey };
      await world.store.sends.setPayout(ref, { ...payout, fee: null, differences: [] });
    });
    const states = async () =>
      (await world.store.chunks.list('payroll-r1')).map(({ state }) => state);

    it('goes on when the rest is still unpaid', async () => {
      expect(codeOf(await world.begin(world.resendInput()))).toBe('ingested');
      expect(await states()).toEqual(['CREATED', 'PLANNED']);
    });

    it.each<[string, () => void]>([
      ['was paid meanwhile', () => world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'))],
      ['is not shown any more', () => void world.service.payouts.delete('payroll-0')],
      [
        'cannot be read',
        () => {
          world.service.fail = () => refused(503);
        },
      ],
    ])('is settled, and its rest is not sent, when that %s', async (_what, change) => {
      change();
      expect(codeOf(await world.begin(world.resendInput()))).toBe('ingested');
      expect(await states()).toEqual(['CREATED', 'NOT_SENT']);
    });
  });

  it('releases its rows for another resend when it ends before it has a plan', async () => {
    await world.begin(world.resendInput());
    await writableDb(world.store)
      .deleteFrom('chunk')
      .where('batch_id', '=', 'payroll-r1')
      .execute();
    await world.store.batches.end('payroll-r1', { state: 'REJECTED', atMs: 1, error: null });
    await world.run(world.activities.endsToFollow, { batchId: 'payroll-r1' });
    await world.run(world.activities.endsToFollow, { batchId: 'payroll-r1' });
    expect(world.report().revision).toMatchObject({
      version: 3,
      resent: [],
      returned: [{ batchId: 'payroll-r1', rows: 2 }],
    });
    expect(existsSync(join(world.reportDir, ROOT, 'resend.csv'))).toBe(true);
  });

  it('is refused when its parent has a resend already, also when that was itself refused', async () => {
    await world.begin(world.resendInput());
    expect(codeOf(await world.begin(world.resendInput(ROOT, 1, { batchId: 'second' })))).toBe(
      'RESEND_EXISTS',
    );
  });
});

describe('withdrawals that were sent again in the interface of the service', () => {
  beforeEach(async () => {
    world = await partialWorld();
  });

  it.each<[string, () => void]>([
    [
      'and the mass payout shows it',
      () =>
        world.service.say('payroll-0', {
          state: 'COMPLETED',
          withdrawalErrors: [named(3, true), named(4, true)],
        }),
    ],
    [
      'and only its own record shows it',
      () => world.service.records.set('w3', recordOf(ROOT, 3, 'COMPLETED')),
    ],
    ['and is on its way', () => world.service.say('payroll-0', { state: 'IN_PROGRESS' })],
    [
      'and its own record is on its way',
      () => world.service.records.set('w3', recordOf(ROOT, 3, 'IN_PROGRESS')),
    ],
    [
      'and the service does not show the mass payout any more',
      () => void world.service.payouts.delete('payroll-0'),
    ],
  ])('%s: the resend is refused, and nothing of it is planned', async (_what, change) => {
    change();
    const ingested = await world.begin(world.resendInput());
    expect(codeOf(ingested)).toBe('RESEND_OUTDATED');
    expect((ingested as Refused).error.what).toContain('row 3');
    expect(await world.store.chunks.list('payroll-r1')).toEqual([]);
  });

  it('are stored, and the next resend starts from the rows that are left', async () => {
    world.service.records.set('w3', recordOf(ROOT, 3, 'COMPLETED'));
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_OUTDATED');
    expect(await world.outcomes()).toMatchObject({ 3: 'PAID', 4: 'FAILED' });
    await world.end('payroll-r1');
    expect(codeOf(await world.begin(world.resendInput('payroll-r1', 2)))).toBe('ingested');
    expect(await world.rowsIn('payroll-r2')).toEqual([4]);
  });

  it.each([
    ['the mass payout cannot be read', 'payout payroll-0'],
    ['a withdrawal cannot be read', 'lookup w4'],
  ])('are unknown while %s: the resend is refused', async (_what, asked) => {
    world.service.fail = (text) => (text === asked ? refused(503) : undefined);
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_UNREAD');
    expect(await world.outcomes()).toMatchObject({ 3: 'FAILED', 4: 'FAILED' });
    expect(await world.store.chunks.list('payroll-r1')).toEqual([]);
  });
});

describe('a batch of which nothing can be sent again', () => {
  it('is refused a resend while it is open', async () => {
    world = await lineageWorld();
    await world.root(rowsOf(3));
    expect(codeOf(await world.begin(world.resendInput()))).toBe('BATCH_OPEN');
  });

  it.each([
    ['was paid', 'COMPLETED'],
    ['is in an unknown state', 'A_STATE_OF_TOMORROW'],
  ])('%s: there is nothing to resend', async (_what, state) => {
    world = await lineageWorld();
    await world.root(rowsOf(3));
    world.service.plan('payroll-0', { state });
    await world.pay(ROOT);
    await world.store.batches.end(ROOT, { state: 'PARTIAL', atMs: 1, error: null });
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_NOTHING');
  });

  it('names no withdrawal: rows that are unknown are not sent again', async () => {
    world = await lineageWorld();
    await world.root(rowsOf(3));
    world.service.plan('payroll-0', { state: 'PARTIAL' });
    await world.pay(ROOT);
    await world.end(ROOT);
    expect(await world.outcomes()).toEqual({ 2: 'UNKNOWN', 3: 'UNKNOWN', 4: 'UNKNOWN' });
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_NOTHING');
  });
});

describe('chunks that were never created', () => {
  beforeEach(async () => {
    world = await lineageWorld();
    await world.root(rowsOf(6));
  });

  it('are resent after another lookup of their keys', async () => {
    await world.end(ROOT);
    expect(codeOf(await world.begin(world.resendInput()))).toBe('ingested');
    const keys = (await world.store.chunks.list(ROOT)).map((chunk) => chunk.idempotencyKey);
    for (const key of keys) expect(world.service.asked).toContain(`payout key ${key}`);
    expect(await world.rowsIn('payroll-r1')).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('are not resent when the service has a mass payout under their key, which is followed', async () => {
    await world.end(ROOT);
    const { idempotencyKey, total } = await world.store.chunks.get(ROOT, 1);
    world.service.create('found', { idempotencyKey, total });
    const ingested = await world.begin(world.resendInput());
    expect(codeOf(ingested)).toBe('RESEND_OUTDATED');
    expect(await world.store.chunks.get(ROOT, 1)).toMatchObject({
      state: 'CREATED',
      massPayoutId: 'found',
      final: false,
      defaultOutcome: 'IN_FLIGHT',
    });
    expect(world.report().rows).toMatchObject({ notSent: 3, inFlight: 3 });
    await world.follow();
    expect(await world.outcomes()).toMatchObject({ 4: 'NOT_SENT', 5: 'PAID', 7: 'PAID' });
    expect(world.report()).toMatchObject({ state: 'PARTIAL', rows: { paid: 3, notSent: 3 } });
  });

  it('with a key of another payment are UNKNOWN forever', async () => {
    await world.end(ROOT);
    const { idempotencyKey } = await world.store.chunks.get(ROOT, 1);
    world.service.create('stranger', { idempotencyKey, total: '999' });
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_OUTDATED');
    expect(await world.outcomes()).toMatchObject({ 5: 'UNKNOWN', 6: 'UNKNOWN', 7: 'UNKNOWN' });
    expect(await world.store.chunks.get(ROOT, 1)).toMatchObject({
      state: 'ABANDONED',
      final: true,
    });
  });

  /** Closes the second chunk after a create of it that may have arrived, as a batch that is stopped does. */
  async function closeInDoubt(): Promise<void> {
    const { idempotencyKey } = await world.store.chunks.get(ROOT, 1);
    const ref = { batchId: ROOT, chunk: 1, idempotencyKey };
    const intent = { payload: '{}', payloadSha256: 'p' };
    await world.store.sends.beginAttempt(ref, { n: 1, timestampMs: 1, bodySha256: 'b', intent });
    await world.store.sends.endAttempt(ref, { n: 1, endedMs: 2, outcome: 'AMBIGUOUS' });
    await world.store.sends.setNotSent(ref, { attempts: 1, from: 'SENDING', reason: 'stopped' });
    await world.end(ROOT);
  }

  it('after a create that may have arrived are not resent on a miss alone', async () => {
    await closeInDoubt();
    const ingested = await world.begin(world.resendInput());
    expect(codeOf(ingested)).toBe('RESEND_OUTDATED');
    expect((ingested as Refused).error.what).toContain('not shown by the service');
  });

  /** Has the first chunk created, so that lookups have something to find, and the second closed in doubt. */
  async function withWitness(): Promise<void> {
    const { idempotencyKey, total } = await world.store.chunks.get(ROOT, 0);
    const payout = world.service.create('payroll-0', { idempotencyKey, total });
    const ref = { batchId: ROOT, chunk: 0, idempotencyKey };
    await world.store.sends.setPayout(ref, { ...payout, fee: null, differences: [] });
    await world.run(world.activities.sweepChunks, { batchId: ROOT, chunks: [0] });
    await closeInDoubt();
    const proof = { operation: 'MASS_GET', lagMs: 0, provenAtMs: 1 } as const;
    await world.store.lookupVerification.save(ACCOUNT, world.deps.service.baseUrl, proof);
  }

  it('after a create that may have arrived are resent once lookups find other mass payouts that exist', async () => {
    await withWitness();
    expect(codeOf(await world.begin(world.resendInput()))).toBe('ingested');
    expect(await world.rowsIn('payroll-r1')).toEqual([5, 6, 7]);
  });

  it('after a create that may have arrived, and that a lookup finds now, are followed, and lookups count no more', async () => {
    await withWitness();
    const { idempotencyKey, total } = await world.store.chunks.get(ROOT, 1);
    world.service.create('found', { idempotencyKey, total });
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_OUTDATED');
    const { disproof } = await world.store.lookupVerification.trust(
      ACCOUNT,
      world.deps.service.baseUrl,
    );
    expect(disproof).toMatchObject({ batchId: ROOT, chunk: 1, reason: 'FOUND_AFTER_MISS' });
    expect(world.news.map(({ event }) => event)).toContain('batch.needs_operator');
    // The batch is over: there is nothing to hold.
    expect(await world.store.holds.open(ROOT)).toEqual([]);
  });

  it('after a create that may have arrived are not resent while the lookup of their key gets no answer', async () => {
    await withWitness();
    const { idempotencyKey } = await world.store.chunks.get(ROOT, 1);
    world.service.fail = (text) =>
      text.endsWith(idempotencyKey) ? refused(404, false) : undefined;
    expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_UNREAD');
  });

  it.each(['payout key', 'lookup key'])(
    'are not resent while the %s gets no answer',
    async (start) => {
      await world.end(ROOT);
      world.service.fail = (text) => (text.startsWith(start) ? refused(503) : undefined);
      expect(codeOf(await world.begin(world.resendInput()))).toBe('RESEND_UNREAD');
    },
  );
});

it('the same rows in the same lineage are no second submission, but those of another batch are', async () => {
  world = await lineageWorld();
  await world.root(rowsOf(3));
  world.service.plan('payroll-0', { state: 'FAILED' });
  await world.pay(ROOT);
  await world.end(ROOT);
  expect(codeOf(await world.begin(world.resendInput()))).toBe('ingested');
  world.service.plan('payroll-r1-0', { state: 'FAILED' });
  await world.pay('payroll-r1');
  await world.end('payroll-r1');
  expect(codeOf(await world.begin(world.resendInput('payroll-r1', 2)))).toBe('ingested');
  const { findings } = (await world.store.batches.find('payroll-r2')) ?? {};
  expect(findings?.map(({ code }) => code)).not.toContain('SAME_FILE_AGAIN');

  const { contentSha256 } = (await world.store.batches.find('payroll-r2'))?.summary ?? {};
  await world.store.batches.register(newBatch('stranger'));
  const stranger = contentOf('stranger', contentSha256);
  const earlier: (string | undefined)[] = [];
  await world.store.batches.planOnce(stranger, (found) => {
    earlier.push(found?.batchId);
    return planNamed('d');
  });
  expect(earlier).toEqual([ROOT]);
});
