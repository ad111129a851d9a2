import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { writableDb } from '../../src/store/database/writable.ts';
import type { Store } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { address, withFiles } from './support/files.ts';
import { inStore } from './support/in-store.ts';
import { playEnd, playPlan, playSettle } from './support/play.ts';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const HEAD = 'address,amount,currency,comment,reference,name';

const file = (...rows: string[]): string => [HEAD, ...rows, ''].join('\n');

const FILES = {
  'october.csv': file(
    `${address(1)},10.5,USDT_TRC20,wage,EMP-004,`,
    `${address(2)},20,USDT_TRC20,EMP-004,EMP-005,`,
    `${EVM},7,USDC_ERC20,wage,%,`,
  ),
  'november.csv': file(
    `${address(3)},30,USDT_TRC20,wage,EMP-004,"ÅSA ""Z"" Öberg"`,
    `${EVM},8,USDT_ERC20,wage,"say ""hi""",Bob 50\\`,
  ),
} as const;

/** A world with a batch of each file, in their order, a day after the other. */
async function twoBatches(
  went: (store: Store) => Promise<void> = async () => undefined,
  options: Partial<WorldOptions> = {},
): Promise<FakeWorld> {
  const cwd = withFiles(temporaryFolder(), FILES);
  const made = fakeWorld({ cwd, ...options });
  for (const [at, name] of ['october', 'november'].entries()) {
    await made.run(
      'submit',
      `${name}.csv`,
      '--id',
      name,
      '--yes',
      '--detach',
      '--accept',
      'ADDRESS_WITHOUT_CHECKSUM',
    );
    const input = made.engine.started.at(-1);
    if (input?.batchId !== name) throw new Error(`${name} was not started`);
    const submittedAt = new Date(Date.parse(input.submittedAt) + at * 86_400_000).toISOString();
    await inStore(made, (store) =>
      playPlan(store, { ...input, submittedAt }, join(cwd, `${name}.csv`)),
    );
  }
  await inStore(made, went);
  return made;
}

type Found = Readonly<{ as: string; batchId: string; row: number }>;

async function found(made: FakeWorld, word: string): Promise<string[]> {
  const { value } = await made.json('find', word);
  return (value['finds'] as Found[]).map(({ as, batchId, row }) => `${as}: ${batchId} ${row}`);
}

const octoberPaid = async (store: Store): Promise<void> => {
  await playSettle(store, 'october', {
    outcome: 'PAID',
    rows: [
      {
        row: 3,
        chunk: 0,
        outcome: 'FAILED',
        reason: 'no such wallet',
        amount: '20',
        withdrawalId: 'w-1',
        transactionHash: '0xabc',
      },
    ],
  });
  await playEnd(store, 'october', { state: 'PARTIAL' });
};

describe('bursar find, by what a file says', () => {
  it('finds a reference in every batch, the newest first, and with its payment', async () => {
    const made = await twoBatches(octoberPaid);
    const { code, value } = await made.json('find', 'EMP-004');
    expect([code, value['more']]).toEqual([0, false]);
    expect(value['finds']).toEqual([
      {
        as: 'reference',
        batchId: 'november',
        row: 2,
        chunk: null,
        payment: {
          address: address(3),
          payee: 'ÅSA "Z" Öberg',
          reference: 'EMP-004',
          amount: '30',
          currency: 'USDT_TRC20',
          outcome: 'NOT_SENT_YET',
          reason: '',
          at: null,
          transactionHash: '',
        },
      },
      {
        as: 'reference',
        batchId: 'october',
        row: 2,
        chunk: null,
        payment: {
          address: address(1),
          payee: null,
          reference: 'EMP-004',
          amount: '10.5',
          currency: 'USDT_TRC20',
          outcome: 'PAID',
          reason: '',
          at: expect.stringMatching(/^2026-11-21T/),
          transactionHash: '',
        },
      },
    ]);
  });

  it.each([
    ['say "hi"', ['reference: november 3']],
    ['%', ['reference: october 4']],
    [address(2), ['address: october 3']],
    [EVM.toLowerCase(), ['address: november 3', 'address: october 4']],
  ])('finds %s', async (word, places) => {
    expect(await found(await twoBatches(), word)).toEqual(places);
  });

  it.each(['emp-004', 'EMP-00', 'EMP-0_4', 'wage', '_', address(9), 'asa', 'b_b'])(
    'finds nothing where no reference or address is %s, and no name has it',
    async (word) => {
      const made = await twoBatches();
      expect(await made.json('find', word)).toMatchObject({
        code: 5,
        value: { code: 'WORD_NOT_FOUND' },
      });
    },
  );

  it('finds the payments to a payee by a part of the name in the register', async () => {
    const made = await twoBatches(octoberPaid);
    await made.run('payees', 'allow', address(2), '--reason', 'known');
    await made.run('payees', 'name', address(2), 'Ann Lee');
    const { value } = await made.json('find', 'ann');
    expect(value['finds']).toMatchObject([
      { as: 'payee name', batchId: 'october', row: 3, payment: { payee: 'Ann Lee' } },
    ]);
    const { out } = await made.run('find', 'Ann Lee');
    expect(out).toContain(`no such wallet): 20.00 USDT (TRC20) to Ann Lee, ${address(2)}\n`);
    expect(out).toContain('\n  row 3 of batch october, reference EMP-005 (found by payee name)\n');
    expect(out).toContain('\n  bursar explain october 3\n');
  });

  it.each([
    ['åsa', 'november 2'],
    ['"Z" ö', 'november 2'],
    ['bob', 'november 3'],
    ['50\\', 'november 3'],
  ])('finds the payments to a payee by %s, a part of the name in the file', async (word, place) => {
    const made = await twoBatches();
    expect(await found(made, word)).toEqual([`payee name: ${place}`]);
  });

  it('finds no payment of another account', async () => {
    const made = await twoBatches(octoberPaid);
    const other = fakeWorld({
      cwd: made.world.cwd,
      env: { BURSAR_API_ACCOUNT: `0x${'9'.repeat(40)}` },
    });
    expect((await other.json('find', 'EMP-005')).code).toBe(5);
  });

  it('finds the address of a row whose texts were removed, and has no payment of it', async () => {
    const made = await twoBatches(async (store) => {
      await octoberPaid(store);
      const db = writableDb(store);
      const { ingestId } = (await store.batches.find('october')) ?? {};
      await db
        .updateTable('batch')
        .set({ pruned_at_ms: 1 })
        .where('batch_id', '=', 'october')
        .execute();
      await db
        .updateTable('staged_chunk')
        .set({ rows: '' })
        .where('ingest_id', '=', ingestId ?? '')
        .execute();
    });
    expect((await made.json('find', address(2))).value['finds']).toMatchObject([
      { as: 'address', batchId: 'october', row: 3, payment: null },
    ]);
    expect(await found(made, 'EMP-004')).toEqual(['reference: november 2']);
  });
});
