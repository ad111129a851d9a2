import { describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/store/index.ts';
import { payrollWorld } from './support/payroll-world.ts';
import { keyOf, playDoubt, playSettle } from './support/play.ts';

const settled = (store: Store): Promise<void> =>
  playSettle(store, 'payroll', {
    outcome: 'PAID',
    rows: [
      {
        row: 3,
        chunk: 0,
        outcome: 'FAILED',
        reason: 'said so',
        amount: '20',
        withdrawalId: 'w-1',
        transactionHash: '0xabc',
      },
    ],
  });

describe('bursar find', () => {
  it.each<{ word: string; as: string }>`
    word                   | as
    ${keyOf('payroll', 0)} | ${'idempotency key'}
    ${'payroll/0/0'}       | ${'external id'}
    ${'mp-1'}              | ${'mass payout'}
    ${'trace-1'}           | ${'trace id'}
  `('tells the chunk whose $as a word is', async ({ word, as }) => {
    const { json } = await payrollWorld(settled);
    const { code, value } = await json('find', word);
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.finds/v1',
      word,
      finds: [
        {
          as,
          batchId: 'payroll',
          row: null,
          chunk: {
            chunk: 0,
            firstRow: 2,
            lastRow: 4,
            total: '60.5',
            currency: 'USDT_TRC20',
            idempotencyKey: keyOf('payroll', 0),
            externalId: 'payroll/0/0',
            massPayoutId: 'mp-1',
            state: 'COMPLETED',
          },
          payment: null,
        },
      ],
      more: false,
    });
  });

  it.each<{ word: string; as: string }>`
    word       | as
    ${'w-1'}   | ${'withdrawal'}
    ${'0xabc'} | ${'transaction hash'}
  `('tells the row whose $as a word is', async ({ word, as }) => {
    const { json } = await payrollWorld(settled);
    const { value } = await json('find', word);
    expect(value['finds']).toMatchObject([{ as, batchId: 'payroll', row: 3, chunk: null }]);
  });

  it('finds the row of a tag in a comment', async () => {
    const { json, store: opened } = await payrollWorld(settled);
    const store = await opened();
    const { code } = (await store.batches.find('payroll')) ?? { code: '' };
    await store.close();
    expect((await json('find', `#${code}-4`)).value['finds']).toMatchObject([
      { as: 'row tag', batchId: 'payroll', row: 4, chunk: null },
    ]);
  });

  it('finds a create whose result is unknown', async () => {
    const { run } = await payrollWorld((store) => playDoubt(store, 'payroll'));
    const { out } = await run('find', 'trace-9');
    expect(out).toContain('The trace id is of batch payroll.');
    expect(out).toContain('no mass payout, needs operator');
    expect(out).toContain('bursar explain payroll 2');
  });

  it.each<{ word: string; code: string; exit: number }>`
    word               | code                | exit
    ${'mp-2'}          | ${'WORD_NOT_FOUND'} | ${5}
    ${'MP-1'}          | ${'WORD_NOT_FOUND'} | ${5}
    ${"' or ''='"}     | ${'WORD_NOT_FOUND'} | ${5}
    ${'%'}             | ${'WORD_NOT_FOUND'} | ${5}
    ${' '}             | ${'FLAG_INVALID'}   | ${2}
    ${'x'.repeat(201)} | ${'FLAG_INVALID'}   | ${2}
    ${'\u001b[2J'}     | ${'FLAG_INVALID'}   | ${2}
  `('refuses $word with $code', async ({ word, code, exit }) => {
    const { json } = await payrollWorld(settled);
    expect(await json('find', word)).toMatchObject({ code: exit, value: { code } });
  });
});
