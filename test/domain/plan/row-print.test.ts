import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRowSet, PART, PRINT_WORDS, printRows } from '../../../src/domain/plan/row-print.ts';
import { unpackRows } from '../../../src/domain/rows/row.ts';
import { ingestText } from '../../ingest/support/ingest.ts';
import { payoutFile } from '../../support/payout-files.ts';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

const PRINTED_ERC20 = [
  -1562818849, 889783192, 1348218931, -1715568825, 1521399297, -558976528, 361500000, 2,
];
const PRINTED_TRC20 = [
  -1782163736, -1874033101, -739018130, -204681271, 1166565977, 525768894, 391000000, 2,
];
const PRINTED_EUR = [1566773218, -2126895292, -1557936455, 1732990508, 0, 0, 341000000, 2];

const row = (address: string, amount: string, number = 2) => ({
  row: number,
  address,
  amount,
  comment: '',
  reference: '',
  name: '',
});

const printOf = (currency: string, address: string, amount = '1.5') => [
  ...printRows(currency, [row(address, amount)]),
];

const rowHash = (print: readonly number[]) => print.slice(PART.row, PART.row + 2);
const addressHash = (print: readonly number[]) => print.slice(PART.address, PART.address + 2);

describe('the fingerprint of a row', () => {
  it('never changes: stores keep it for years', () => {
    expect(printOf('USDT_ERC20', EVM)).toEqual(PRINTED_ERC20);
    expect(printOf('USDT_TRC20', TRON, '1000')).toEqual(PRINTED_TRC20);
    expect(printOf('EUR', 'DE89370400440532013000', '0.01')).toEqual(PRINTED_EUR);
  });

  it('is the same however the address is written', () => {
    expect(printOf('ETH', EVM.toLowerCase())).toEqual(printOf('ETH', EVM));
  });

  it('differs by currency, address and amount', () => {
    const prints = [
      printOf('USDT_ERC20', EVM),
      printOf('USDC_ERC20', EVM),
      printOf('USDT_ERC20', EVM, '1.6'),
      printOf('USDT_ERC20', EVM.toLowerCase().replace('d', 'e')),
    ];
    expect(new Set(prints.map((print) => String(rowHash(print)))).size).toBe(prints.length);
  });

  it('differs by the network family of an address, and not by its currency', () => {
    expect(addressHash(printOf('USDC_POLYGON', EVM))).toEqual(addressHash(printOf('ETH', EVM)));
    const unknown = printOf('FOO_BAR', EVM);
    expect(addressHash(unknown)).not.toEqual(addressHash(printOf('ETH', EVM)));
    expect(addressHash(printOf('FOO_BAZ', EVM))).not.toEqual(addressHash(unknown));
  });

  it('cannot be made of a row whose address was never checked', () => {
    expect(() => printRows('ETH', [row(TRON, '1')])).toThrow('row 2 has no address of ETH');
  });
});

const CURRENCIES = ['USDT_TRC20', 'USDT_ERC20', 'BTC', 'LTC', 'DOGE', 'TRX'] as const;

it('an import makes the fingerprints of its rows', async () => {
  const text = payoutFile({ rows: 3_000, currencies: CURRENCIES, badEvery: 7 });
  const { chunks } = await ingestText(text, { chunkRows: 100 });
  expect(chunks.length).toBeGreaterThan(20);
  for (const { currency, rows, rowCount, prints } of chunks) {
    expect(prints.length).toBe(rowCount * PRINT_WORDS);
    expect(prints).toEqual(printRows(currency, unpackRows(rows)));
  }
});

describe('the name of a set of rows', () => {
  const nameOf = (...parts: readonly Int32Array[]): string => {
    const set = createRowSet();
    for (const part of parts) set.take(part);
    return set.name();
  };
  const one = (amount: number) => printRows('TRX', [row(TRON, String(amount))]);

  it('is the same in any order and in any parts, and counts how often each row stands in it', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const sorted = (list: readonly number[]) => String([...list].sort((x, y) => x - y));
        const same = nameOf(...a.map(one)) === nameOf(...b.map(one));
        expect(same).toBe(sorted(a) === sorted(b));
      }),
    );
    const many = [1, 2, 3].map((amount) => row(TRON, String(amount)));
    expect(nameOf(printRows('TRX', many))).toBe(nameOf(one(3), one(1), one(2)));
  });

  it('carries over from one half of a hash to the other', () => {
    const words = new Int32Array(2 * PRINT_WORDS);
    words.set([-1, 0], PART.row);
    words.set([1, 0], PRINT_WORDS + PART.row);
    expect(nameOf(words)).toBe('2-0000000100000000');
  });
});
