import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { createResendGate } from '../../../src/activities/send/resend-gate.ts';
import { sendAnew } from '../support/send-anew.ts';
import type { ChunkRecord } from '../../../src/store/batches/chunks.ts';
import { refused } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import {
  type LineageWorld,
  lineageWorld,
  named,
  partialWorld,
  recordOf,
  ROOT,
  rowsOf,
} from '../support/lineage-world.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const R1 = 'payroll-r1';

let world: LineageWorld;
beforeEach(async () => {
  world = await partialWorld();
  expect((await world.begin(world.resendInput())).kind).toBe('ingested');
  world.service.asked.length = 0;
});
afterEach(() => world.store.close());

const chunkOf = (batchId: string, chunk = 0): Promise<ChunkRecord> =>
  world.store.chunks.get(batchId, chunk);

const attempt = (n: number) => ({
  n,
  timestampMs: 5,
  bodySha256: 'b',
  intent: { payload: '{}', payloadSha256: 'p' },
});

const refOf = async (batchId: string) => {
  const { idempotencyKey } = await chunkOf(batchId);
  return { batchId, chunk: 0, idempotencyKey };
};

const sentAgain = (): void =>
  world.service.say('payroll-0', {
    state: 'COMPLETED',
    withdrawalErrors: [named(3, true), named(4, true)],
  });

describe('just before a resend is sent', () => {
  it('its rows are confirmed while the service still calls them failed', async () => {
    expect(await world.confirm(R1)).toEqual({ kind: 'unpaid', rows: 2 });
    expect(world.service.asked.sort()).toEqual(['lookup w3', 'lookup w4', 'payout payroll-0']);
  });

  it('a row that was paid meanwhile refuses the whole resend, which names and reports it', async () => {
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    const confirmed = await world.confirm(R1);
    expect(confirmed).toMatchObject({ kind: 'refused', error: { code: 'RESEND_OUTDATED' } });
    expect(JSON.stringify(confirmed)).toContain('row 4 is PAID in payroll');
    expect(await world.outcomes()).toMatchObject({ 3: 'FAILED', 4: 'PAID' });
    expect(world.report()).toMatchObject({
      revision: { version: 3, changedRows: 1 },
      rows: { paid: 5 },
    });
  });

  it('a resend that was refused once stays refused, whatever the service returns later', async () => {
    world.service.records.set('w4', recordOf(ROOT, 4, 'IN_PROGRESS'));
    await world.confirm(R1);
    world.service.records.set('w4', recordOf(ROOT, 4, 'FAILED'));
    expect(await world.confirm(R1)).toMatchObject({
      kind: 'refused',
      error: { code: 'RESEND_OUTDATED' },
    });
  });

  it.each([
    ['the mass payout', 'payout payroll-0', [1_000, 5_000, 20_000]],
    ['the record of a withdrawal', 'lookup w3', []],
  ])(
    'a service that does not answer for %s is read again later, and the resend waits',
    async (_what, asked, pauses) => {
      world.service.fail = (text) => (text === asked ? refused(503) : undefined);
      const failure = await world.confirm(R1).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({ type: 'RESEND_UNREAD', nonRetryable: false });
      expect(world.pauses).toEqual(pauses);
      world.service.fail = undefined;
      expect(await world.confirm(R1)).toEqual({ kind: 'unpaid', rows: 2 });
    },
  );

  it.each<[string, () => void]>([
    [
      'returns another account',
      () =>
        world.service.say('payroll-0', { account: '0x00000000000000000000000000000000000000ff' }),
    ],
    ['returns another currency', () => world.service.say('payroll-0', { currency: 'BTC' })],
    [
      'does not have the mass payout any more',
      () => void world.service.payouts.delete('payroll-0'),
    ],
    ['does not have a withdrawal any more', () => void world.service.records.delete('w3')],
    [
      'returns another withdrawal',
      () => world.service.records.set('w3', { ...recordOf(ROOT, 4, 'FAILED'), id: 'w3' }),
    ],
    [
      'returns COMPLETED and names it no more',
      () =>
        world.service.say('payroll-0', {
          state: 'COMPLETED',
          withdrawalErrors: [],
          unreadableParts: [],
        }),
    ],
    [
      'names no withdrawal any more',
      () =>
        world.service.say('payroll-0', {
          state: 'PARTIAL',
          withdrawalErrors: [],
          unreadableParts: [],
        }),
    ],
    [
      'returns WAITING_COMPLETION_ERRORS',
      () => world.service.say('payroll-0', { state: 'WAITING_COMPLETION_ERRORS' }),
    ],
  ])('a service that %s proves nothing', async (_what, change) => {
    change();
    const confirmed = await world.confirm(R1).catch((error: unknown) => error);
    expect(confirmed).not.toMatchObject({ kind: 'unpaid' });
  });

  it('a mass payout that is FAILED in one read and not in the next proves nothing', async () => {
    world.service.say('payroll-0', { state: 'FAILED', withdrawalErrors: [], unreadableParts: [] });
    let reads = 0;
    world.service.whileAsked = (text) => {
      if (text !== 'payout payroll-0') return undefined;
      reads += 1;
      if (reads === 2) world.service.say('payroll-0', { state: 'IN_PROGRESS' });
      return undefined;
    };
    const confirmed = await world.confirm(R1).catch((error: unknown) => error);
    expect(confirmed).not.toMatchObject({ kind: 'unpaid' });
  });

  it('only the rows of the chunks that are about to be sent are read, when those are named', async () => {
    expect(await world.confirm(R1, [0])).toEqual({ kind: 'unpaid', rows: 2 });
    world.service.asked.length = 0;
    expect(await world.confirm(R1, [])).toEqual({ kind: 'unpaid', rows: 0 });
    expect(world.service.asked).toEqual([]);
  });

  it('a batch of a file has nothing to confirm', async () => {
    expect(await world.confirm(ROOT)).toEqual({ kind: 'unpaid', rows: 0 });
    expect(world.service.asked).toEqual([]);
  });

  it('a batch that the store does not have is not confirmed, and not ended', async () => {
    await expect(world.confirm('nobody')).rejects.toMatchObject({
      type: 'BATCH_NOT_FOUND',
      nonRetryable: false,
    });
  });

  it('a row that no earlier batch holds is damage: nothing is sent', async () => {
    await writableDb(world.store).deleteFrom('chunk').where('batch_id', '=', ROOT).execute();
    await expect(world.confirm(R1)).rejects.toMatchObject({ type: 'INTERNAL' });
  });
});

describe('a second resend', () => {
  /** The first resend paid row 3 and failed with row 4; the second holds row 4. */
  beforeEach(async () => {
    world.service.plan('payroll-r1-0', {
      state: 'PARTIAL',
      withdrawalErrors: [{ ...named(4), withdrawalId: 'w4-again' }],
    });
    world.service.records.set('w4-again', { ...recordOf(R1, 4, 'FAILED'), id: 'w4-again' });
    await world.pay(R1);
    await world.end(R1);
    expect((await world.begin(world.resendInput(R1, 2))).kind).toBe('ingested');
    expect(await world.rowsIn('payroll-r2')).toEqual([4]);
    world.service.asked.length = 0;
  });

  it('is confirmed by every batch before it', async () => {
    expect(await world.confirm('payroll-r2')).toEqual({ kind: 'unpaid', rows: 1 });
    expect(world.service.asked.sort()).toEqual([
      ...['lookup w3', 'lookup w4', 'lookup w4-again', 'payout payroll-0', 'payout payroll-r1-0'],
    ]);
  });

  it('is refused when its row was sent again in the oldest batch, though the newest has FAILED', async () => {
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    const confirmed = await world.confirm('payroll-r2');
    expect(JSON.stringify(confirmed)).toContain('row 4 is PAID in payroll');
    await world.end('payroll-r2');
    const next = await world.begin(world.resendInput('payroll-r2', 3));
    expect(next).toMatchObject({ kind: 'refused', error: { code: 'RESEND_NOTHING' } });
  });
});

describe('a resend with a stored attempt that never left', () => {
  const attempted = async () => {
    const ref = await refOf(R1);
    await world.store.batches.release(R1, 4);
    await world.store.sends.beginAttempt(ref, attempt(1));
    await world.store.sends.endAttempt(ref, { n: 1, outcome: 'VOID', endedMs: 6 });
    const gate = createResendGate(world.deps);
    return {
      ref,
      ask: (n = 2) => world.run((batchId: string) => gate(batchId, { chunk: 0, attempt: n }), R1),
    };
  };

  it('is checked again before the next attempt: only the rows that were paid meanwhile are kept back', async () => {
    const { ref, ask } = await attempted();
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    await ask();
    expect(await world.store.sends.beginAttempt(ref, attempt(2))).toBe('taken');
    expect((await chunkOf(R1)).resendBlock).toMatchObject({ batchId: ROOT, rows: [4] });
    expect(await world.store.holds.open(R1)).toEqual([]);
  });

  it('is not sent when only a reconciliation shows that a row was paid', async () => {
    const { ref, ask } = await attempted();
    await world.reconciled(4);
    await ask();
    expect(await world.store.sends.beginAttempt(ref, attempt(2))).toBe('taken');
    expect((await chunkOf(R1)).resendBlock).toMatchObject({ batchId: ROOT, rows: [4] });
  });

  it('ends like any stopped chunk', async () => {
    await attempted();
    await world.reconciled(4);
    const deps = { nowMs: () => world.clock.nowMs, confirmResend: createResendGate(world.deps) };
    const why = expect.stringContaining('rows 4 are not provably unpaid in batch payroll any more');
    expect(await sendAnew(world.store, R1, deps)).toEqual({
      step: { kind: 'waiting', delayMs: 0, why, inDoubt: true },
      creates: 0,
    });
    expect(await sendAnew(world.store, R1, deps)).toEqual({ step: { kind: 'closed' }, creates: 0 });
    expect(await chunkOf(R1)).toMatchObject({ state: 'NOT_SENT', defaultReason: why });
  });

  it('is settled, and not called rejected, when a run of its resend begins again', async () => {
    const { ask } = await attempted();
    await world.reconciled(4);
    await ask();
    expect(await world.begin(world.resendInput())).toMatchObject({ kind: 'ingested' });
  });

  it('is checked before each attempt, since a fence lies between two of them', async () => {
    const { ask } = await attempted();
    await ask(2);
    world.service.asked.length = 0;
    await ask(2);
    expect(world.service.asked).toEqual([]);
    await ask(3);
    expect(world.service.asked).toContain('lookup w4');
  });

  it('may be sent when its rows are still unpaid', async () => {
    const { ref, ask } = await attempted();
    await ask();
    expect(world.service.asked).toContain('lookup w4');
    expect(await world.store.sends.beginAttempt(ref, attempt(2))).toBe('begun');
  });

  it('waits without a hold while the service does not answer', async () => {
    const { ask } = await attempted();
    world.service.fail = (asked) => (asked === 'payout payroll-0' ? refused(503) : undefined);
    await expect(ask()).rejects.toMatchObject({ code: 'RESEND_UNREAD' });
    expect(await world.store.holds.open(R1)).toEqual([]);
  });
});

it('in a restored store an unsent chunk with paid rows stays open until it is verified, and is closed then', async () => {
  await world.store.batches.release(R1, 4);
  const atMs = world.clock.nowMs;
  const epoch = await world.store.restores.raise({ atMs, reason: '' });
  const gate = createResendGate(world.deps);
  const check = () => world.run((batchId: string) => gate(batchId), R1);
  await world.reconciled(4);
  await check();
  expect(await chunkOf(R1)).toMatchObject({ state: 'PLANNED', final: false });
  const by = { by: 'lookups', account: ACCOUNT, baseUrl: 'http://service', atMs } as const;
  const decided = { attempts: 0, from: 'PLANNED' } as const;
  const at = { batchId: R1, chunk: 0 };
  expect(await world.store.restores.verify(at, { epoch, ...by, ...decided })).toBe(true);
  await check();
  expect(await chunkOf(R1)).toMatchObject({ state: 'NOT_SENT', final: true });
});

describe('a row that turns out paid in the parent while its resend is under way', () => {
  it('is never sent when its chunk was not: the chunk is closed, and a send that comes after is refused', async () => {
    sentAgain();
    await world.follow();
    expect(await chunkOf(R1)).toMatchObject({
      state: 'NOT_SENT',
      final: true,
      defaultOutcome: 'NOT_SENT',
      resendBlock: { batchId: ROOT, rows: [3, 4] },
    });
    expect(await world.store.sends.beginAttempt(await refOf(R1), attempt(1))).toBe('taken');
    expect(world.alarms).toEqual([]);
    expect(await world.confirm(R1)).toMatchObject({
      kind: 'refused',
      error: { code: 'RESEND_OUTDATED' },
    });
  });

  it('is seen by the send, or sees the send: one of the two comes first', async () => {
    sentAgain();
    const ref = await refOf(R1);
    const [began] = await Promise.all([
      world.store.sends.beginAttempt(ref, attempt(1)),
      world.follow(),
    ]);
    const { state, resendBlock: barred } = await chunkOf(R1);
    expect(barred?.rows).toEqual([3, 4]);
    expect(state).toBe(began === 'begun' ? 'SENDING' : 'NOT_SENT');
  });

  it('is not sent again when its chunk is ambiguous', async () => {
    const ref = await refOf(R1);
    await world.store.sends.beginAttempt(ref, attempt(1));
    await world.store.sends.endAttempt(ref, { n: 1, endedMs: 6, outcome: 'AMBIGUOUS' });
    sentAgain();
    await world.follow();
    expect(await chunkOf(R1)).toMatchObject({ state: 'SENDING', resendBlock: { rows: [3, 4] } });
    expect(await world.store.sends.beginAttempt(ref, attempt(2))).toBe('taken');
    expect(world.alarms.at(-1)).toEqual([
      {
        row: 3,
        isCertain: false,
        batches: [
          { batchId: ROOT, outcome: 'PAID' },
          { batchId: R1, outcome: 'IN_FLIGHT' },
        ],
      },
      {
        row: 4,
        isCertain: false,
        batches: [
          { batchId: ROOT, outcome: 'PAID' },
          { batchId: R1, outcome: 'IN_FLIGHT' },
        ],
      },
    ]);
  });

  it('notifies a double payment when both have paid it', async () => {
    await world.pay(R1);
    await world.end(R1);
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    await world.follow();
    const twice = [
      {
        row: 4,
        isCertain: true,
        batches: [
          { batchId: ROOT, outcome: 'PAID' },
          { batchId: R1, outcome: 'PAID' },
        ],
      },
    ];
    expect(world.alarms).toEqual([twice]);
    expect(world.report().paidTwice).toEqual(twice);
    const next = await world.begin(world.resendInput(R1, 2));
    expect(next).toMatchObject({ kind: 'refused', error: { code: 'RESEND_NOTHING' } });
  });

  it('notifies no more once the parent has FAILED again', async () => {
    await world.pay(R1);
    world.service.records.set('w4', recordOf(ROOT, 4, 'IN_PROGRESS'));
    await world.follow();
    expect(world.alarms.at(-1)?.map(({ row }) => row)).toEqual([4]);
    world.service.records.set('w4', recordOf(ROOT, 4, 'FAILED'));
    const { paidTwice } = await world.follow();
    expect(paidTwice).toBe(0);
  });

  it('blocks only the chunk that holds it', async () => {
    await world.store.close();
    world = await partialWorld();
    world.service.say('payroll-0', { withdrawalErrors: [2, 3, 4].map((row) => named(row)) });
    world.service.records.set('w2', recordOf(ROOT, 2, 'FAILED'));
    await world.follow();
    // Row 2 was reported as paid: it is unknown now, and only 3 and 4 may be sent again.
    expect(await world.outcomes()).toMatchObject({ 2: 'UNKNOWN', 3: 'FAILED', 4: 'FAILED' });
    const small = world.resendInput();
    const input = { ...small, options: { ...small.options, chunkRows: 1 } };
    expect(await world.begin(input)).toMatchObject({ kind: 'ingested', chunks: 2 });
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    await world.follow();
    expect((await chunkOf(R1, 0)).resendBlock).toBeNull();
    expect((await chunkOf(R1, 1)).resendBlock?.rows).toEqual([4]);
    expect(await world.confirm(R1, [0])).toEqual({ kind: 'unpaid', rows: 1 });
    expect(await world.confirm(R1, [1])).toMatchObject({ kind: 'refused' });
  });
});

it('a resend whose rows were all canceled at the merchant reads them again, too', async () => {
  await world.store.close();
  world = await lineageWorld();
  await world.root(rowsOf(3));
  world.service.plan('payroll-0', { state: 'CANCELED' });
  await world.pay(ROOT);
  await world.end(ROOT);
  expect((await world.begin(world.resendInput())).kind).toBe('ingested');
  expect(await world.confirm(R1)).toEqual({ kind: 'unpaid', rows: 3 });
  world.service.say('payroll-0', { state: 'COMPLETED' });
  expect(await world.confirm(R1)).toMatchObject({
    kind: 'refused',
    error: { code: 'RESEND_OUTDATED' },
  });
  expect(await world.outcomes()).toEqual({ 2: 'PAID', 3: 'PAID', 4: 'PAID' });
});
