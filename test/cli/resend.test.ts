import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { BatchInput } from '../../src/contract/batch.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { Outcome } from '../../src/domain/settling/outcome.ts';
import { batchCodeOf, externalIdOf, idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import { ingestRows } from '../../src/ingest/index.ts';
import { unpaidRows } from '../../src/report/unpaid-rows.ts';
import type { Store } from '../../src/store/index.ts';
import { bobApproves, writeKeyFile } from '../support/signing-people.ts';
import { NO_RULES } from '../support/planned-batch.ts';
import { ACCOUNT, contentOf, planNamed } from '../support/store-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { liveStatus, running } from './support/fake-engine.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { DUPLICATE, GOOD, withFiles } from './support/files.ts';
import { keyOf, playEnd, playPlan, playSettle } from './support/play.ts';
import { inStore } from './support/in-store.ts';
import { writableDb } from '../../src/store/database/writable.ts';

type Went = (store: Store) => Promise<void>;

/** A world in which `payroll` was planned, and then `went` on. */
async function worldWith(
  went: Went,
  more: Partial<WorldOptions> = {},
  file = GOOD,
): Promise<FakeWorld> {
  const made = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': file }), ...more });
  const accept = ['--accept', 'DUPLICATE_ROW'];
  await made.run('submit', 'good.csv', '--id', 'payroll', '--yes', '--detach', ...accept);
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  made.engine.started.length = 0;
  const store = await made.store();
  await playPlan(store, input, join(made.world.cwd, 'good.csv'));
  await went(store);
  await store.close();
  return made;
}

/** Row 2 was paid, row 3 failed, and of row 4 nobody knows. */
const mixed: Went = async (store) => {
  await playSettle(store, 'payroll', { outcome: 'FAILED' });
  const at = { batchId: 'payroll', chunk: 0 };
  const rows = [
    { row: 2, chunk: 0, amount: '10.5', outcome: 'PAID' as Outcome, reason: '' },
    { row: 4, chunk: 0, amount: '30', outcome: 'UNKNOWN' as Outcome, reason: 'lost' },
  ];
  await writableDb(store).updateTable('chunk').set({ final: 0 }).execute();
  await store.settlements.save(at, {
    massPayoutState: 'PARTIAL',
    final: true,
    rows,
    fee: null,
    unclearSinceMs: null,
    defaultOutcome: { outcome: 'FAILED', reason: 'declined' },
    keepsLookups: false,
    payoutFingerprint: 's',
    reopened: 0,
  });
  await playEnd(store, 'payroll', { state: 'PARTIAL' });
};

const failed: Went = async (store) => {
  await playSettle(store, 'payroll', { outcome: 'FAILED' });
  await playEnd(store, 'payroll', { state: 'FAILED' });
};

const open: Went = async () => undefined;

/** Does what a worker does with a resend, up to one outcome for all its rows; null: it is under way. */
async function playResend(store: Store, input: BatchInput, outcome: Outcome | null): Promise<void> {
  const { batchId, parentBatchId, generation } = input;
  const line = await store.lineage.line(parentBatchId ?? '');
  await store.lineage.registerResend({
    batchId,
    generation,
    parentBatchId: parentBatchId ?? '',
    account: ACCOUNT,
    accountRef: 'main',
    code: batchCodeOf(ACCOUNT, batchId),
    fileName: input.file.name,
    fileSha256: input.file.sha256,
    submittedBy: input.submittedBy,
    submittedAtMs: Date.parse(input.submittedAt),
    optionsJson: JSON.stringify(input.options),
  });
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  const pages = (async function* () {
    for await (const { line: one } of unpaidRows(store, line)) yield [one.row];
  })();
  const source = { name: 'f', fileSha256: input.file.sha256, sizeBytes: 1, pages };
  const summary = await ingestRows(
    source,
    { chunkRows: 100, canaryRows: 0, limits: NO_RULES.limits },
    sink,
  );
  await flush();
  await store.staging.publish(batchId, ingestId, summary);
  const identity = { account: ACCOUNT, batchId, chunk: 0, generation };
  const heads = await store.staging.heads(ingestId);
  const idempotencyKey = idempotencyKeyOf(identity);
  await store.chunks.plan(
    batchId,
    heads.map((head) => ({ ...head, idempotencyKey, externalId: externalIdOf(identity) })),
  );
  await store.batches.planOnce(contentOf(batchId), () => planNamed('sha256:r'));
  if (outcome === null) return;
  const ref = { batchId, chunk: 0, idempotencyKey };
  await store.sends.setPayout(ref, { id: `mp-${batchId}`, state: 'X', fee: null, differences: [] });
  await store.settlements.save(ref, {
    massPayoutState: 'COMPLETED',
    final: true,
    defaultOutcome: { outcome, reason: '' },
    rows: [],
    fee: null,
    unclearSinceMs: null,
    keepsLookups: false,
    payoutFingerprint: null,
    reopened: 0,
  });
  await playEnd(store, batchId, { state: outcome === 'PAID' ? 'COMPLETED' : 'FAILED' });
}

const FLAGS = ['--confirm-not-paid-elsewhere', '--yes', '--detach'];
const CONFIRM = ['--confirm-not-paid-elsewhere', '--detach', '--confirm'];

/** Starts the resend of `payroll` and plays it. */
async function resent(made: FakeWorld, outcome: Outcome | null): Promise<BatchInput> {
  await made.run('resend', 'payroll', ...FLAGS);
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('no resend was started');
  const store = await made.store();
  await playResend(store, input, outcome);
  await store.close();
  return input;
}

describe('bursar resend', () => {
  it('starts a batch of the rows that failed, with the totals that were confirmed, linked to its parent', async () => {
    const made = await worldWith(mixed);
    const { code } = await made.run('resend', 'payroll', ...CONFIRM, '20:USDT_TRC20');
    expect(code).toBe(8);
    expect(made.engine.started).toMatchObject([
      {
        batchId: 'payroll-r1',
        parentBatchId: 'payroll',
        generation: 1,
        submittedBy: 'alice',
        statement: 'nothing was resent elsewhere',
        file: { name: 'good.csv' },
        options: {
          expectCount: 1,
          expectTotals: ['20:USDT_TRC20'],
          at: null,
          executionDate: null,
          accept: ['DUPLICATE_ROW'],
          expectedDigest: null,
          skipInvalid: false,
        },
      },
    ]);
  });

  it('is submitted by whom the settings name, who then cannot approve it under another name', async () => {
    const made = await worldWith(mixed, { env: { BURSAR_OPERATOR_NAME: 'alice-of-finance' } });
    await made.run('resend', 'payroll', ...FLAGS);
    expect(made.engine.started).toMatchObject([{ submittedBy: 'alice-of-finance' }]);
  });

  it('is signed with its exact statement, under a policy', async () => {
    const { BURSAR_OPERATOR_KEY_FILE: _, ...env } = bobApproves('BTC');
    const made = await worldWith(mixed, { env });
    writeKeyFile(made.world.cwd, 'alice');
    await made.run('resend', 'payroll', ...FLAGS, '--key', 'alice.key');
    expect(made.engine.started).toMatchObject([
      { submission: { person: 'alice', reason: 'nothing was resent elsewhere' } },
    ]);
  });

  it('shows the lineage, the rows by reason, and the rows that are left out, before the confirmation', async () => {
    const made = await worldWith(mixed);
    const { out, code } = await made.run('resend', 'payroll', '--dry-run');
    expect(code).toBe(0);
    for (const text of [
      ...['payroll-r1, resend 1', 'payroll (Partly paid)', '20.00 USDT (TRC20) in 1 row'],
      ...['1 failed: declined (row 3)', 'Left out', 'rows 4 unknown'],
    ]) {
      expect(out).toContain(text);
    }
    expect(made.engine.started).toEqual([]);
  });

  it('prints the same for programs with --dry-run', async () => {
    const { json } = await worldWith(mixed);
    const { value } = await json('resend', 'payroll', '--dry-run');
    expect(value).toEqual({
      schema: 'bursar.resend/v1',
      submission: { batchId: 'payroll-r1', subject: expect.stringContaining('sha256:') },
      rowsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      signing: { policy: null, isNeeded: false },
      batchId: 'payroll-r1',
      parentBatchId: 'payroll',
      generation: 1,
      lineage: [{ batchId: 'payroll', generation: 0, state: 'PARTIAL' }],
      file: { name: 'good.csv', sha256: expect.any(String) },
      rows: 1,
      currencies: [{ currency: 'USDT_TRC20', rows: 1, total: '20' }],
      reasons: [{ outcome: 'FAILED', reason: 'declined', rows: 1, first: [3] }],
      unclear: { rows: 1, first: [{ row: 4, batchId: 'payroll', outcome: 'UNKNOWN' }] },
      at: null,
      executionDate: null,
    });
  });

  it.each<{ args: readonly string[]; what: string; code: number; error: string }>([
    { what: 'without a statement', args: ['--yes'], code: 2, error: 'RESEND_UNSTATED' },
    {
      what: 'without a confirmation',
      args: ['--confirm-not-paid-elsewhere'],
      code: 2,
      error: 'CONFIRMATION_MISSING',
    },
    {
      what: 'with another total',
      args: [...CONFIRM, '50:USDT_TRC20'],
      code: 3,
      error: 'CONFIRMATION_WRONG',
    },
    {
      what: 'with the total of the whole batch, and --yes',
      args: [...FLAGS, '--confirm', '60.5:USDT_TRC20'],
      code: 3,
      error: 'CONFIRMATION_WRONG',
    },
    {
      what: 'in the past',
      args: [...FLAGS, '--at', '2020-01-01T00:00:00Z'],
      code: 2,
      error: 'AT_IN_PAST',
    },
    { what: 'under no id', args: [...FLAGS, '--id', '../x'], code: 2, error: 'BATCH_ID_INVALID' },
    {
      what: 'under the id of its parent',
      args: [...FLAGS, '--id', 'payroll'],
      code: 2,
      error: 'BATCH_ID_TAKEN',
    },
    {
      what: 'with an unknown finding accepted',
      args: [...FLAGS, '--accept', 'X'],
      code: 2,
      error: 'FLAG_INVALID',
    },
    { what: 'that waits and does not', args: [...FLAGS, '--wait'], code: 2, error: 'FLAG_INVALID' },
  ])('is refused $what: $error', async ({ args, code, error }) => {
    const made = await worldWith(mixed);
    const { code: ended, value } = await made.json('resend', 'payroll', ...args);
    expect([ended, value['code']]).toEqual([code, error]);
    expect(made.engine.started).toEqual([]);
  });

  it.each<{ what: string; went: Went; batch: string; code: number; error: string }>([
    { what: 'is under way', went: open, batch: 'payroll', code: 2, error: 'BATCH_OPEN' },
    { what: 'nobody knows', went: open, batch: 'nobody', code: 5, error: 'BATCH_NOT_FOUND' },
    {
      what: 'was paid',
      batch: 'payroll',
      code: 2,
      error: 'RESEND_NOTHING',
      async went(store) {
        await playSettle(store, 'payroll', { outcome: 'PAID' });
        await playEnd(store, 'payroll', { state: 'COMPLETED' });
      },
    },
    {
      what: 'is unknown',
      batch: 'payroll',
      code: 2,
      error: 'RESEND_NOTHING',
      async went(store) {
        await playSettle(store, 'payroll', { outcome: 'UNKNOWN' });
        await playEnd(store, 'payroll', { state: 'PARTIAL' });
      },
    },
    {
      what: 'was rejected before it had a plan',
      batch: 'payroll',
      code: 2,
      error: 'RESEND_REJECTED',
      async went(store) {
        await writableDb(store).deleteFrom('chunk').execute();
        await playEnd(store, 'payroll', { state: 'REJECTED' });
      },
    },
  ])('of a batch that $what is refused with $error', async ({ went, batch, code, error }) => {
    const made = await worldWith(went);
    const { code: ended, value } = await made.json('resend', batch, ...FLAGS);
    expect([ended, value['code']]).toEqual([code, error]);
    expect(made.engine.started).toEqual([]);
  });

  it('of a batch that has a resend is refused, and names the newest of the lineage', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'FAILED');
    const { code, value } = await made.json('resend', 'payroll', ...FLAGS);
    expect([code, value['code']]).toEqual([2, 'RESEND_EXISTS']);
    expect(value['fix']).toContain('bursar resend payroll-r1');
    expect(made.engine.started).toHaveLength(1);
  });

  it('of a resend that failed continues the lineage', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'FAILED');
    const { code } = await made.run('resend', 'payroll-r1', ...FLAGS);
    expect(code).toBe(8);
    expect(made.engine.started[1]).toMatchObject({
      batchId: 'payroll-r2',
      parentBatchId: 'payroll-r1',
      generation: 2,
    });
  });

  it('of a resend that is under way is refused', async () => {
    const made = await worldWith(mixed);
    await resent(made, null);
    const { value } = await made.json('resend', 'payroll-r1', ...FLAGS);
    expect(value['code']).toBe('BATCH_OPEN');
    made.engine.statuses.set('payroll-r1', liveStatus());
    const { err } = await made.run('resend', 'payroll-r1', ...FLAGS);
    expect(err).toContain('has not ended yet (being paid)');
  });

  it.each([
    ['is refused where Temporal has one that the store has forgotten', 'PARTIAL', 2],
    ['begins where the one in Temporal was rejected', 'REJECTED', 8],
  ] as const)('under another id %s', async (_what, state, code) => {
    const made = await worldWith(mixed);
    await inStore(made, ({ restores }) =>
      restores.raise({ atMs: made.world.clock.nowMs(), reason: '' }),
    );
    const resend = { parentBatchId: 'payroll', generation: 1 };
    const ended = { ...running(undefined, state), status: 'COMPLETED', resend };
    made.engine.executions.set('payroll-r1', ended);
    const { code: exit, err } = await made.run('resend', 'payroll', '--id', 'other', ...FLAGS);
    expect(exit).toBe(code);
    expect(err.includes('bursar recover payroll-r1 --store older')).toBe(code === 2);
    expect(made.engine.started).toHaveLength(code === 2 ? 0 : 1);
  });

  it('that another person began a moment ago does not begin twice: one command names the other resend', async () => {
    const made = await worldWith(mixed);
    // The other one has reached Temporal, and no worker has written it down yet.
    made.engine.executions.set('payroll-r1', running(undefined, 'INGESTING'));
    const { code, value } = await made.json('resend', 'payroll', ...FLAGS);
    expect([code, value['code']]).toEqual([2, 'RESEND_EXISTS']);
    expect(value['what']).toContain('payroll-r1');
    expect(made.engine.started).toEqual([]);
  });

  it.each(['--detach', '--wait'])(
    'that lost against one under another id shows that with %s, and never offers the file, most of which is paid',
    async (wait) => {
      const error = noteOf('RESEND_EXISTS', { batchId: 'payroll', child: 'other' });
      const made = await worldWith(mixed, {
        onPause: () => {
          const { started, executions, results } = made.engine;
          const lost = executions.get('payroll-r1');
          if (started.length === 0 || lost === undefined) return;
          executions.set('payroll-r1', { ...lost, status: 'COMPLETED' });
          results.set('payroll-r1', {
            state: 'REJECTED',
            digest: null,
            amounts: [],
            reportUrl: null,
            error,
            rows: { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 },
          });
        },
      });
      made.engine.statuses.set(
        'payroll-r1',
        liveStatus({ state: 'REJECTED', note: 'the report is written' }),
      );
      const flags = ['--confirm-not-paid-elsewhere', '--yes', wait];
      const ended = await made.json('resend', 'payroll', ...flags);
      expect(ended.code).toBe(2);
      expect(ended.value).toMatchObject({ state: 'REJECTED', error, parentBatchId: 'payroll' });
      const { out } = await made.run('status', 'payroll-r1');
      expect(out).toContain('Resend 1 of payroll.');
      expect(out).toContain('bursar status other');
      expect(out).not.toContain('Next:');
    },
  );

  it.each([
    ['resend', 'payroll-r1', '--dry-run'],
    ['explain', 'payroll-r1', '3'],
  ])('that was never stored is not denied by %s, which reads the store alone', async (...words) => {
    const made = await worldWith(mixed);
    made.engine.executions.set('payroll-r1', { ...running(undefined), status: 'COMPLETED' });
    const { code, value } = await made.json(...words);
    expect([code, value['code']]).toEqual([5, 'BATCH_NOT_FOUND']);
    expect([value['what'], value['why']].join(' ')).not.toMatch(/There is no|Temporal/);
    expect(value['fix']).toContain('bursar status payroll-r1');
    const { value: asked } = await made.json('status', 'nobody');
    expect(asked['why']).toContain('Temporal');
  });

  it.each([
    ['the flags', ['--detach', '--id', 'other']],
    ['a trial', ['--dry-run']],
  ])('that Temporal forgot is left to people, with any settings of %s', async (_what, flags) => {
    const made = await worldWith(mixed);
    await resent(made, null);
    made.engine.executions.delete('payroll-r1');
    expect((await made.run('status', 'payroll-r1')).out).toContain('bursar recover payroll-r1');
    const { code, value } = await made.json('resend', 'payroll', ...flags);
    expect([code, value['code']]).toEqual([14, 'BATCH_FORGOTTEN']);
    expect(made.engine.started).toHaveLength(1);
  });

  it.each(['FAILED', 'REJECTED'] as const)(
    'without a send that ended %s never offers to submit the whole file again',
    async (state) => {
      const made = await worldWith(mixed);
      await resent(made, null);
      const store = await made.store();
      await store.chunks.closeUnsent('payroll-r1', 'too little money');
      await playEnd(store, 'payroll-r1', { state });
      await store.close();
      const { out } = await made.run('status', 'payroll-r1');
      expect(out).toContain('bursar resend payroll-r1');
      expect(out).not.toContain('submit the file');
    },
  );

  it('reports that an id is used up when a workflow of that name ended without a record', async () => {
    const made = await worldWith(mixed);
    const ended = { ...running(undefined), status: 'COMPLETED' };
    made.engine.executions.set('payroll-r1', ended);
    const { value } = await made.json('resend', 'payroll', ...FLAGS);
    expect(value['code']).toBe('BATCH_ID_TAKEN');
    expect((await made.run('resend', 'payroll', ...FLAGS, '--id', 'payroll-r1b')).code).toBe(8);
  });

  it.each([
    ['the statement', 'nothing was resent elsewhere.', '--yes'],
    ['the totals', '20:USDT_TRC20', '--confirm-not-paid-elsewhere'],
  ])('demands the confirmation of a person for %s', async (_what, typed, flag) => {
    const made = await worldWith(mixed, { isTty: true, input: `${typed}\n` });
    expect((await made.run('resend', 'payroll', '--detach', flag)).code).toBe(8);
    expect(made.engine.started).toMatchObject([{ statement: 'nothing was resent elsewhere' }]);
  });

  it.each(['yes\n20:USDT_TRC20\n', '\n', ''])(
    'starts nothing when a person types %j',
    async (input) => {
      const made = await worldWith(mixed, { isTty: true, input });
      const { code } = await made.run('resend', 'payroll', '--detach');
      expect(code).toBe(2);
      expect(made.engine.started).toEqual([]);
    },
  );

  it('does not inherit the acceptance of duplicate rows', async () => {
    const made = await worldWith(failed, {}, DUPLICATE);
    const store = await made.store();
    const { optionsJson = '{}' } = (await store.batches.find('payroll')) ?? {};
    const options = {
      ...(JSON.parse(optionsJson) as object),
      accept: ['SAME_FILE_AGAIN', 'DUPLICATE_ROW'],
    };
    await writableDb(store)
      .updateTable('batch')
      .set({ options_json: JSON.stringify(options) })
      .execute();
    await store.close();
    await made.run('resend', 'payroll', ...FLAGS);
    expect(made.engine.started[0]?.options.accept).toEqual(['DUPLICATE_ROW']);
  });
});

describe('a lineage', () => {
  it('is shown by status, from both sides', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'PAID');
    const parent = await made.json('status', 'payroll');
    expect(parent.value).toMatchObject({
      generation: 0,
      parentBatchId: null,
      childBatchId: 'payroll-r1',
    });
    const child = await made.json('status', 'payroll-r1');
    expect(child.value).toMatchObject({
      generation: 1,
      parentBatchId: 'payroll',
      childBatchId: null,
    });
    expect((await made.run('status', 'payroll')).out).toContain('Sent again as payroll-r1');
    expect((await made.run('status', 'payroll-r1')).out).toContain('Resend 1 of payroll');
  });

  it('shows the history of a row across its batches, from either one', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'PAID');
    for (const batch of ['payroll', 'payroll-r1']) {
      const { value } = await made.json('explain', batch, '3');
      expect(value).toMatchObject({
        batchId: batch,
        standing: 'PAID',
        paidBy: ['payroll-r1'],
        next: 'nothing to do',
        lineage: [
          {
            batchId: 'payroll',
            generation: 0,
            chunk: 0,
            outcome: 'FAILED',
            reason: 'declined',
            idempotencyKey: keyOf('payroll', 0),
            massPayoutId: 'mp-1',
            sentAt: '2026-11-21T09:01:00.000Z',
          },
          { batchId: 'payroll-r1', generation: 1, outcome: 'PAID', massPayoutId: 'mp-payroll-r1' },
        ],
      });
    }
    expect((await made.run('explain', 'payroll-r1', '3')).out).toMatch(
      /^Row 3 of batch payroll-r1: Paid\n/,
    );
    const { out } = await made.run('explain', 'payroll', '3');
    expect(out).toMatch(/^Row 3 of batch payroll: Failed in this batch; paid by payroll-r1\n/);
    const places = ['in payroll ', 'in payroll-r1', 'in total', 'paid once'].map((text) =>
      out.indexOf(text),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('finds a row that a resend does not hold in the batch that does', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'PAID');
    const { code, value } = await made.json('explain', 'payroll-r1', '2');
    expect([code, value['batchId'], value['standing']]).toEqual([0, 'payroll', 'PAID']);
    expect((await made.json('explain', 'payroll-r1', '99')).value['code']).toBe('ROW_NOT_FOUND');
  });

  it('leads from a row that failed again to the next resend', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'FAILED');
    const { value } = await made.json('explain', 'payroll', '3');
    expect(value).toMatchObject({
      standing: 'UNPAID',
      paidBy: [],
      next: expect.stringContaining('bursar resend payroll-r1'),
    });
  });

  it('warns in status and explain that a row was paid twice, and ends with 14 under watch', async () => {
    const made = await worldWith(mixed);
    await resent(made, 'PAID');
    const store = await made.store();
    await store.rechecks.amend(
      { batchId: 'payroll', chunk: 0 },
      {
        was: { currency: 'USDT_TRC20', final: true, reopened: 0 },
        outcomes: {
          massPayoutState: 'COMPLETED',
          final: true,
          defaultOutcome: { outcome: 'PAID', reason: '' },
          rows: [],
        },
        fee: null,
        payoutFingerprint: null,
        atMs: 1,
        changes: [
          { row: 3, currency: 'USDT_TRC20', amount: '20', before: 'FAILED', after: 'PAID' },
        ],
      },
    );
    await store.close();
    const { out } = await made.run('status', 'payroll-r1');
    expect(out).toContain('Paid twice: 1 of 1 rows');
    expect(out).toContain('row 3: paid in payroll, paid in payroll-r1');
    expect((await made.json('watch', 'payroll-r1')).code).toBe(14);
    const { value } = await made.json('explain', 'payroll', '3');
    expect(value).toMatchObject({
      standing: 'PAID_TWICE',
      paidBy: ['payroll', 'payroll-r1'],
      next: expect.stringContaining('paid twice'),
    });
    const { out: story } = await made.run('explain', 'payroll', '3');
    expect(story).toContain('Paid in this batch; paid twice\n');
    expect(value['changes']).toEqual([
      { at: '1970-01-01T00:00:00.001Z', before: 'FAILED', after: 'PAID' },
    ]);
    expect(story).toContain('FAILED became PAID, seen 1970-01-01');
  });
});

describe('bursar report --refresh', () => {
  it('has a worker read the ends again, and prints the changes', async () => {
    const made = await worldWith(mixed);
    made.engine.refreshing = async () => ({ changedRows: 2, unread: 1, version: 3 });
    const { code, err, out } = await made.run('report', 'payroll', '--refresh');
    expect(code).toBe(0);
    expect(made.engine.refreshed).toEqual(['payroll']);
    expect(err).toContain('2 rows have another outcome now; the report is version 3');
    expect(err).toContain('1 mass payout could not be read');
    expect(out).toContain('Batch payroll: Partly paid');
  });

  it.each<{
    what: string;
    went: Went;
    batch: string;
    change?: (made: FakeWorld) => void;
    code: number;
    error?: string;
  }>([
    {
      what: 'a batch that is under way',
      went: open,
      batch: 'payroll',
      code: 2,
      error: 'BATCH_OPEN',
    },
    { what: 'nobody', went: open, batch: 'nobody', code: 5, error: 'BATCH_NOT_FOUND' },
    {
      what: 'a batch while no worker is there',
      went: mixed,
      batch: 'payroll',
      code: 6,
      error: 'WORKER_SILENT',
      change: ({ engine }) => {
        engine.workers = false;
      },
    },
  ])('of $what ends with $code', async ({ went, batch, change, code, error }) => {
    const made = await worldWith(went);
    change?.(made);
    const ended = await made.json('report', batch, '--refresh');
    expect([ended.code, ended.value['code']]).toEqual([code, error]);
  });

  it('goes on without the command when it takes long', async () => {
    const made = await worldWith(mixed);
    made.engine.refreshing = async () => undefined;
    const { code, err } = await made.run('report', 'payroll', '--refresh');
    expect(code).toBe(8);
    expect(err).toContain('and continues');
  });
});
