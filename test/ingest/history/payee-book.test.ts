import { describe, expect, it } from '@jest/globals';
import { decidedOver, importedOver, type Payee } from '../../../src/domain/payees/payee.ts';
import { payeeKeyOf } from '../../../src/domain/payees/payee-address.ts';
import type { Finding } from '../../../src/domain/plan/finding.ts';
import { readPayeeBook } from '../../../src/ingest/history/payee-book.ts';
import { examplesOf, historyFindings } from './support/history-findings.ts';
import { type Paid, pastBatch } from './support/test-rows.ts';

const ANN = '0x52908400098527886E0F7030069857D2E4169EE7';
const BOB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const ZOE = { by: 'zoe', atMs: 1 };

const keyOf = (address: string) => {
  const key = payeeKeyOf('evm', address);
  if (key === undefined) throw new Error('no address');
  return { ...key, written: address };
};

const listed = (address: string): Payee =>
  importedOver(
    undefined,
    { ...keyOf(address), row: 2, name: '', email: '', labels: [], decision: null, reason: '' },
    ZOE,
  );

const denied = (address: string): Payee =>
  decidedOver(undefined, { ...keyOf(address), kind: 'DENIED', reason: 'fraud' }, ZOE);

async function* all(payees: readonly Payee[]): AsyncGenerator<Payee> {
  yield* payees;
}

const KNOWN_ABOVE = [{ currency: 'USDT_ERC20', amount: '1000' }];

/** The findings of rows with a register, under the rule that addresses are known above 1000 USDT_ERC20. */
async function findings(
  rows: readonly Paid[],
  payees: readonly Payee[],
  { paid = [], paidBefore = true }: Readonly<{ paid?: readonly Paid[]; paidBefore?: boolean }> = {},
): Promise<Finding[]> {
  return historyFindings(rows, paid.length === 0 ? [] : [pastBatch('june', paid)], [], {
    payees: await readPayeeBook(() => all(payees)),
    payeeRules: { knownAbove: KNOWN_ABOVE, paidBefore },
  });
}

describe('a denied payee', () => {
  it('is found in each row and each currency of its networks, in any spelling', async () => {
    const rows = [
      { address: ANN, amount: '1' },
      { address: BOB, amount: '1' },
      { address: ANN.toLowerCase(), amount: '2', currency: 'USDC_POLYGON' },
    ];
    const found = await findings(rows, [denied(ANN), listed(BOB)]);
    expect(examplesOf(found, 'PAYEE_DENIED')).toEqual([
      '2: denied by zoe: fraud',
      '4: denied by zoe: fraud',
    ]);
  });

  it('is no unknown one, whatever the amount', async () => {
    const found = await findings([{ address: ANN, amount: '5000' }], [denied(ANN)]);
    expect(examplesOf(found, 'PAYEE_UNKNOWN')).toEqual([]);
  });
});

describe('an unknown payee', () => {
  it.each([
    ['1000', []],
    ['1000.001', ['2: ']],
    ['999.999999', []],
    ['20000', ['2: ']],
  ])('that gets %s', async (amount, examples) => {
    const found = await findings([{ address: ANN, amount }], [listed(BOB)]);
    expect(examplesOf(found, 'PAYEE_UNKNOWN')).toEqual(examples);
  });

  it('is none in the register, nor in a currency without the rule', async () => {
    const rows = [
      { address: ANN, amount: '5000' },
      { address: BOB, amount: '5000', currency: 'USDC_ERC20' },
    ];
    expect(examplesOf(await findings(rows, [listed(ANN)]), 'PAYEE_UNKNOWN')).toEqual([]);
  });

  it('was never paid in this currency, unless earlier payments do not count', async () => {
    const rows = [{ address: ANN, amount: '5000' }];
    const paid = [{ address: ANN, amount: '4000' }];
    expect(examplesOf(await findings(rows, [], { paid }), 'PAYEE_UNKNOWN')).toEqual([]);
    const strict = await findings(rows, [], { paid, paidBefore: false });
    expect(examplesOf(strict, 'PAYEE_UNKNOWN')).toEqual(['2: ']);
    const other = [{ address: ANN, amount: '4000', currency: 'USDC_ERC20' }];
    expect(examplesOf(await findings(rows, [], { paid: other }), 'PAYEE_UNKNOWN')).toEqual(['2: ']);
  });

  it('is known in every batch with a large register', async () => {
    const payees = Array.from({ length: 5_000 }, (_, index) =>
      listed(`0x${String(index).padStart(40, '0')}`),
    );
    const rows = payees.map(({ written }) => ({ address: written, amount: '5000' }));
    const found = await findings([...rows, { address: ANN, amount: '5000' }], payees);
    expect(examplesOf(found, 'PAYEE_UNKNOWN')).toEqual(['5002: ']);
  });
});
