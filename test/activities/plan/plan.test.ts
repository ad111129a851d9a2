import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decidedOver } from '../../../src/domain/payees/payee.ts';
import { decisionsIn } from '../../support/decisions.ts';
import type { HouseRules } from '../../../src/domain/plan/rules.ts';
import type { Store } from '../../../src/store/index.ts';
import { PEOPLE } from '../../support/history-fixtures.ts';
import { createRandom, tronAddress } from '../../support/payout-files.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { endOf, type Job, planFile, RULES } from '../support/plan-file.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let store: Store;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
});
afterEach(() => store.close());

const planned = (batchId: string, rows: readonly string[], job?: Job) =>
  planFile({ store, folder }, { batchId, rows }, job);

const findingsOf = async (batchId: string): Promise<string[]> =>
  ((await store.batches.find(batchId))?.findings ?? []).map(
    ({ code, count }) => `${code} ${count}`,
  );

const sent = (batchId: string) =>
  writableDb(store)
    .updateTable('chunk')
    .set({ state: 'CREATED' })
    .where('batch_id', '=', batchId)
    .execute();

const random = createRandom(41);
const ROWS = Array.from({ length: 12 }, (_, i) => `${tronAddress(random)},${i + 1}.5`);
const [ANN, BOB] = [`${PEOPLE[0]},1`, `${PEOPLE[1]},2`];

describe('a plan', () => {
  it('of rows to new recipients lists these, and is made', async () => {
    expect(endOf(await planned('one', ROWS))).toBe('planned');
    expect(await findingsOf('one')).toEqual(['FIRST_TIME_PAYEE 12']);
  });

  it('has one audit entry with the submitter, the totals and the accepted findings', async () => {
    const twice = [ANN, ANN, BOB];
    const job = { options: { accept: ['DUPLICATE_ROW'] } };
    const first = await planned('one', twice, job);
    await planned('one', twice, job);
    const batch = await store.batches.find('one');
    expect(first).toMatchObject({ kind: 'planned', digest: batch?.digest });
    expect(await decisionsIn(store)).toMatchObject([
      {
        batchId: 'one',
        actor: 'tester',
        action: 'submit',
        detail: {
          digest: batch?.digest,
          generation: 0,
          rows: 3,
          refusedRows: 0,
          file: { name: 'one.csv', sha256: batch?.fileSha256 },
          totals: ['4:TRX'],
          findings: ['DUPLICATE_ROW in 1', 'FIRST_TIME_PAYEE in 3'],
          accepted: ['DUPLICATE_ROW'],
        },
      },
    ]);
  });

  it('of the same rows in another order is refused until that is accepted', async () => {
    await planned('one', ROWS);
    const reordered = [...ROWS].reverse();
    const again = await planned('two', reordered);
    expect(endOf(again)).toContain('SAME_FILE_AGAIN: The rows of batch two were already submitted');
    expect(await findingsOf('two')).toEqual(['FIRST_TIME_PAYEE 12', 'SAME_FILE_AGAIN 12']);
    await store.batches.end('two', { state: 'REJECTED', atMs: 1, error: null });
    const options = { accept: ['SAME_FILE_AGAIN'] };
    expect(endOf(await planned('three', reordered, { options }))).toBe('planned');
  });

  it('of the same rows as an unplanned one comes first, and the other names it', async () => {
    let two: ReturnType<typeof planned> | undefined;
    const one = planned('one', ROWS, {
      // Both are read, and none is planned yet.
      meanwhile: () =>
        new Promise((resolve) => {
          two = planned('two', [...ROWS].reverse(), {
            meanwhile: () => {
              resolve(undefined);
              return one;
            },
          });
        }),
    });
    expect(endOf(await one)).toBe('planned');
    expect(endOf((await two) as Awaited<typeof one>)).toContain('SAME_FILE_AGAIN');
    const [finding] = (await store.batches.find('two'))?.findings.slice(-1) ?? [];
    expect(finding?.examples).toMatchObject([{ detail: 'batch one (not ended yet)' }]);
  });

  it('is made again when another was planned meanwhile: rows that both pay are found', async () => {
    const others: Store['history']['others'] = async (start) => {
      const found = await store.history.others(start);
      if ((await store.batches.find('one')) === undefined) {
        await planned('one', [...ROWS.slice(1), ANN]);
        await sent('one');
      }
      return found;
    };
    const overtaken = { ...store, history: { ...store.history, others } };
    const two = await planFile({ store: overtaken, folder }, { batchId: 'two', rows: ROWS });
    expect(endOf(two)).toContain('warnings that were not accepted: OVERLAP');
  });

  it('of rows that are partly in another batch is refused until that is accepted', async () => {
    await planned('one', ROWS);
    await sent('one');
    const rows = [...ROWS.slice(1), ANN];
    expect(endOf(await planned('two', rows))).toContain('warnings that were not accepted: OVERLAP');
    await store.batches.end('two', { state: 'REJECTED', atMs: 1, error: null });
    expect(endOf(await planned('three', rows, { options: { accept: ['OVERLAP'] } }))).toBe(
      'planned',
    );
    expect(await findingsOf('three')).toEqual(['OVERLAP 11', 'FIRST_TIME_PAYEE 1']);
  });

  it('names all open codes at once', async () => {
    await planned('one', [ANN, BOB]);
    await sent('one');
    const rows = [ANN, `${PEOPLE[1]},2000`, `${PEOPLE[2]},1`, `${PEOPLE[2]},1`];
    expect(endOf(await planned('two', rows))).toContain(
      'DUPLICATE_ROW, DUPLICATE_IN_HISTORY, AMOUNT_ABOVE_HABIT',
    );
  });

  it('counts the days between the times at which the two batches pay', async () => {
    await planned('october', ROWS, { submittedAt: '2026-10-31T12:00:00Z' });
    await sent('october');
    const rows = [...ROWS.slice(0, 11), ANN];
    expect(endOf(await planned('now', rows))).toContain('OVERLAP');
    await store.batches.end('now', { state: 'REJECTED', atMs: 1, error: null });
    const options = { at: '2026-11-30T12:00:00Z' };
    expect(endOf(await planned('november', rows, { options }))).toBe('planned');
  });

  it('has the overlap of two batches at once in at least one of them', async () => {
    const ends = await Promise.all([
      planned('one', ROWS),
      planned('two', [...ROWS.slice(0, 11), ANN]),
    ]);
    const open = ends.filter((end) => endOf(end).includes('OVERLAP'));
    expect(open.length).toBeGreaterThanOrEqual(1);
  });

  it('stays as it was made when other batches pay later', async () => {
    const first = await planned('one', [ANN, BOB]);
    await planned('two', [ANN], { options: { accept: ['DUPLICATE_IN_HISTORY', 'OVERLAP'] } });
    await sent('two');
    expect(await planned('one', [ANN, BOB], { rules: { historyDays: 3 } })).toEqual(first);
    expect((await store.batches.find('one'))?.rules).toEqual(RULES);
  });

  it('is refused for a denied payee, whatever is accepted, until a person lifts the denial', async () => {
    const address = PEOPLE[0] ?? '';
    const decide = (kind: 'ALLOWED' | 'DENIED') =>
      store.payees.change({
        account: ACCOUNT,
        keys: [{ network: 'tron', address, written: address }],
        next: (known, key) =>
          decidedOver(known, { ...key, kind, reason: 'fraud' }, { by: 'zoe', atMs: 1 }),
        entryOf: () => ({ atMs: 1, batchId: null, actor: 'zoe', action: 'payee-deny', detail: {} }),
      });
    await decide('DENIED');
    const options = { accept: ['PAYEE_DENIED'] };
    expect(endOf(await planned('one', [ANN, BOB], { options }))).toContain('PAYEE_DENIED');
    await decide('ALLOWED');
    expect(endOf(await planned('two', [`${address},7`], { options }))).toBe('planned');
  });

  it('asks for a known address above an amount, and a person can accept an unknown one', async () => {
    const rules = { payees: { knownAbove: [{ currency: 'TRX', amount: '0' }], paidBefore: true } };
    expect(endOf(await planned('one', [ANN], { rules }))).toContain('PAYEE_UNKNOWN');
    const options = { accept: ['PAYEE_UNKNOWN'] };
    expect(endOf(await planned('two', [BOB], { rules, options }))).toBe('planned');
  });

  it('has an own wallet that appeared after the plan before it', async () => {
    await planned('before', [BOB]);
    const wallets = [PEOPLE[0]];
    expect(endOf(await planned('one', [ANN], { wallets }))).toContain('OWN_ADDRESS');
    expect(await store.ownWallets.list(ACCOUNT)).toEqual(wallets);
  });

  it.each<[string, Job]>([
    ['cannot list them now', { wallets: ['lost'] }],
    ['never lists them', { listsWallets: false }],
  ])('is made with the stored own wallets where the service %s', async (_what, job) => {
    await store.ownWallets.add(ACCOUNT, PEOPLE[0], 0);
    expect(endOf(await planned('one', [BOB], job))).toBe('planned');
    expect(endOf(await planned('two', [ANN], job))).toContain('OWN_ADDRESS');
  });

  it('has a canary where the options name one', async () => {
    await planned('one', ROWS, { options: { canaryRows: 2 } });
    const rows = (await store.chunks.list('one')).map(({ rowCount }) => rowCount);
    expect(rows).toEqual([2, 10]);
  });
});

describe('the rules of a house', () => {
  const money = (amount: string) => [{ currency: 'TRX', amount }];
  const limited = (limits: Partial<HouseRules['limits']>): Job => ({
    rules: { limits: { ...RULES.limits, ...limits } },
  });

  it.each<[string, Job, string]>([
    ['LIMIT_ROW', limited({ row: money('1.5') }), 'FINDINGS_BLOCK'],
    ['LIMIT_PAYEE', limited({ payee: money('1.5') }), 'FINDINGS_BLOCK'],
    ['LIMIT_BATCH', limited({ batch: money('2.9') }), 'FINDINGS_BLOCK'],
    [
      'FIRST_TIME_PAYEE',
      { rules: { findings: { confirm: ['FIRST_TIME_PAYEE'], block: [] } } },
      'FINDINGS_NOT_ACCEPTED',
    ],
    [
      'FIRST_TIME_PAYEE',
      { rules: { findings: { confirm: [], block: ['FIRST_TIME_PAYEE'] } } },
      'FINDINGS_BLOCK',
    ],
  ])('stop a batch by %s (%j)', async (code, job, error) => {
    const end = endOf(await planned('one', [ANN, BOB], job));
    expect(end).toContain(error);
    expect(end).toContain(code);
    const accepted = { ...job, options: { accept: [code] } };
    const again = endOf(await planned('two', [ANN, BOB], accepted));
    expect(again.includes('FINDINGS_BLOCK')).toBe(error === 'FINDINGS_BLOCK');
    expect(await findingsOf('one')).toEqual(
      expect.arrayContaining([expect.stringContaining(code)]),
    );
  });

  it('let totals within the limits pass', async () => {
    const limits = { row: money('2'), payee: money('2'), batch: money('3') };
    expect(endOf(await planned('one', [ANN, BOB], limited(limits)))).toBe('planned');
  });

  it('are stored with the plan that they judged', async () => {
    const rulesOfReader = { limits: { ...RULES.limits, row: money('5') } };
    const rules = { limits: { ...RULES.limits, row: money('1'), day: money('9') } };
    expect(endOf(await planned('one', [ANN, BOB], { rules, rulesOfReader }))).toBe('planned');
    expect((await store.batches.find('one'))?.rules?.limits).toEqual({
      ...RULES.limits,
      row: money('5'),
      day: money('9'),
    });
  });
});
