import { describe, expect, it } from '@jest/globals';
import type { Payee } from '../../../src/domain/payees/payee.ts';
import { payeeKeyOf } from '../../../src/domain/payees/payee-address.ts';
import type { Finding } from '../../../src/domain/plan/finding.ts';
import { readPayeeBook } from '../../../src/ingest/history/payee-book.ts';
import type { PastBatch } from '../../../src/store/rows/fingerprints.ts';
import { createRandom, evmAddress } from '../../support/payout-files.ts';
import { examplesOf, historyFindings } from './support/history-findings.ts';
import { type Paid, pastBatch } from './support/test-rows.ts';

const random = createRandom(7);
const [OLD, NEW, OTHER] = [1, 2, 3].map(() => evmAddress(random)) as [string, string, string];

const BTC_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const DENIED = { kind: 'DENIED', by: 'zoe', atMs: 0, reason: 'fraud' } as const;

const pay = (address: string, more: Partial<Paid> = {}): Paid => ({
  address,
  amount: '5',
  ...more,
});
const emp = (address: string, more: Partial<Paid> = {}): Paid =>
  pay(address, { reference: 'EMP-004', ...more });
const ann = (address: string, more: Partial<Paid> = {}): Paid =>
  pay(address, { name: 'Ann Lee', ...more });

const listed = (written: string, more: Partial<Payee> = {}): Payee => ({
  ...(payeeKeyOf('evm', written) as { network: string; address: string }),
  written,
  name: 'Ann Lee',
  email: '',
  labels: [],
  addedAtMs: 0,
  addedBy: 'zoe',
  decision: null,
  ...more,
});

type World = Readonly<{ others?: readonly PastBatch[]; payees?: readonly Payee[] }>;

async function found(
  rows: readonly Paid[],
  { others = [], payees = [] }: World,
): Promise<Finding[]> {
  const book = await readPayeeBook(async function* each() {
    yield* payees;
  });
  return historyFindings(rows, others, [], { payees: book });
}

/** The rows with a changed address. */
const changed = async (rows: readonly Paid[], world: World): Promise<number[]> =>
  ((await found(rows, world)).find(({ code }) => code === 'ADDRESS_CHANGED')?.examples ?? []).map(
    ({ row }) => row,
  );

describe('a payee who was paid before under another address', () => {
  it.each<[string, Paid, Paid]>([
    ['by the reference', emp(OLD), emp(NEW)],
    ['by the name', ann(OLD), ann(NEW)],
    ['by the name in another writing', ann(OLD), pay(NEW, { name: 'ánn  LEE' })],
    ['by the name, with a reference of this payment', ann(OLD), ann(NEW, { reference: 'INV-9' })],
    ['by the reference, with another name', emp(OLD), emp(NEW, { name: 'Bob' })],
    ['in another currency of the network', emp(OLD), emp(NEW, { currency: 'USDC_ERC20' })],
  ])('is found %s', async (_, before, now) => {
    expect(await changed([now], { others: [pastBatch('may', [before])] })).toEqual([2]);
  });

  it.each<[string, Paid, Paid]>([
    ['at the same address', emp(OLD), emp(OLD)],
    ['on another network', emp(OLD), emp(NEW, { currency: 'BTC', address: BTC_ADDRESS })],
    ['with another reference', emp(OLD), pay(NEW, { reference: 'INV-002' })],
    ['without reference and name', emp(OLD), pay(NEW)],
    [
      'whose reference has this address, whatever the name',
      emp(OLD, { name: 'A' }),
      emp(OLD, { name: 'B' }),
    ],
  ])('is not found %s', async (_, before, now) => {
    expect(await changed([now], { others: [pastBatch('may', [before])] })).toEqual([]);
  });

  it('is not found when the new address was paid, too, in any batch', async () => {
    const others = [pastBatch('june', [emp(OLD)]), pastBatch('may', [emp(NEW)])];
    expect(await changed([emp(NEW)], { others })).toEqual([]);
    expect(await changed([emp(OTHER)], { others })).toEqual([2]);
  });

  it('is not found when the other batch was not sent', async () => {
    const others = [pastBatch('may', [emp(OLD)], { sent: false })];
    expect(await changed([emp(NEW)], { others })).toEqual([]);
  });

  it('is found when the new address is that of another known payee', async () => {
    const others = [pastBatch('may', [emp(OLD), pay(NEW, { reference: 'EMP-007' })])];
    expect(await changed([emp(NEW)], { others })).toEqual([2]);
  });

  it('is found for one of two people with a name, and one address each', async () => {
    const others = [pastBatch('may', [ann(OLD), ann(NEW)])];
    const rows = [ann(OLD), ann(NEW), ann(OTHER)];
    expect(await changed(rows, { others })).toEqual([4]);
  });

  it('is counted in every row, and the first twenty are named', async () => {
    const count = 3_000;
    const before = Array.from({ length: count }, (_, i) =>
      pay(evmAddress(random), { reference: `EMP-${i}`, name: `P${i % 100}` }),
    );
    const now = before.map((row, i) =>
      i % 2 === 0 ? { ...row, address: evmAddress(random) } : row,
    );
    const findings = await found(now, { others: [pastBatch('may', before)] });
    const finding = findings.find(({ code }) => code === 'ADDRESS_CHANGED');
    expect(finding?.count).toBe(count / 2);
    expect(finding?.examples.map(({ row }) => row)).toEqual(
      Array.from({ length: 20 }, (_, i) => 2 + 2 * i),
    );
  });
});

describe('a payee whom the register has at another address', () => {
  it.each<[string, Paid, readonly Payee[], readonly number[]]>([
    ['by the name', ann(NEW), [listed(OLD)], [2]],
    [
      'by a label that is the reference',
      emp(NEW),
      [listed(OLD, { name: '', labels: ['EMP-004'] })],
      [2],
    ],
    ['not where it has this address, too', ann(NEW), [listed(OLD), listed(NEW)], []],
    ['not by an address that is denied', ann(NEW), [listed(OLD, { decision: DENIED })], []],
    ['not by an entry without a name', ann(NEW), [listed(OLD, { name: '' })], []],
  ])('is found %s', async (_, now, payees, rows) => {
    expect(await changed([now], { payees })).toEqual(rows);
  });

  it('is not found once this address was paid', async () => {
    const others = [pastBatch('may', [ann(NEW)])];
    expect(await changed([ann(NEW)], { others, payees: [listed(OLD)] })).toEqual([]);
  });
});

describe('a name that differs from that of the register for the same address', () => {
  const rows = [ann(OLD), pay(OLD, { name: 'Bob' }), pay(OLD), ann(NEW)];

  it('is found in each of its rows', async () => {
    const findings = await found(rows, { payees: [listed(OLD)] });
    expect(examplesOf(findings, 'NAME_DIFFERS')).toEqual(['3: ']);
  });

  it.each(['ANN LEE', ' ann lee', 'AnnLee', 'Ánn Lée'])('is not %s', async (name) => {
    const findings = await found([pay(OLD, { name })], { payees: [listed(OLD)] });
    expect(examplesOf(findings, 'NAME_DIFFERS')).toEqual([]);
  });
});
