import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, createBase58check } from '@scure/base';
import { csvLine } from '../../src/domain/files/csv.ts';

/** What a made-up merchant's file looks like. The same options give the same bytes. */
export type PayoutFileOptions = Readonly<{
  rows: number;
  /** Another seed gives other recipients and amounts. Default: 1. */
  seed?: number;
  /** Currencies that take turns, row by row. Default: USDT_TRC20 alone. */
  currencies?: readonly PayoutCurrency[];
  /** Every how many rows the comment needs quotes; 0 for never. Default: 10. */
  quotedEvery?: number;
  /** Every how many rows a row is one that must be refused; 0 for never. Default: 0. */
  badEvery?: number;
  /** Whether rows have a reference, unique in the file. Default: false. */
  references?: boolean;
  lineEnd?: '\n' | '\r\n';
}>;

export type PayoutCurrency = keyof typeof ADDRESS_MAKERS;

/** Where the random bytes of a file come from. */
export type Random = Readonly<{ below(limit: number): number; bytes(count: number): Uint8Array }>;

/** A small generator of numbers that look random and follow from the seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const a = Math.imul(state ^ (state >>> 15), state | 1);
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
    return (b ^ (b >>> 14)) >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() >>> 24),
  };
}

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
);

const base58Address =
  (version: number) =>
  (random: Random): string =>
    base58check.encode(Uint8Array.of(version, ...random.bytes(20)));

/** An address of Ethereum and its relatives with the checksum of EIP-55. */
export function evmAddress(random: Random): string {
  const digits = bytesToHex(random.bytes(20));
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const letters = [...digits].map((digit, i) =>
    (hash[i] ?? '') >= '8' ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

export const tronAddress = base58Address(0x41);

export const segwitAddress = (random: Random): string =>
  bech32.encode('bc', [0, ...bech32.toWords(random.bytes(20))]);

const ADDRESS_MAKERS = {
  USDT_TRC20: tronAddress,
  TRX: tronAddress,
  USDT_ERC20: evmAddress,
  USDT_BEP20: evmAddress,
  ETH: evmAddress,
  BTC: segwitAddress,
  LTC: base58Address(0x30),
  DOGE: base58Address(0x1e),
} as const;

/** Ways to spoil a row; each is refused for one reason. */
export const BAD_ROWS: readonly ((cells: Cells) => Partial<Cells>)[] = [
  ({ address }) => ({ address: address.slice(0, -1) }),
  ({ amount }) => ({ amount: amount.replace('.', ',') }),
  () => ({ amount: '0' }),
  () => ({ address: '' }),
  () => ({ currency: 'usdt' }),
  () => ({ comment: '=1+1' }),
];

type Cells = Readonly<Record<'address' | 'amount' | 'currency' | 'comment' | 'reference', string>>;

/** The lines of the file, the header first, each with its line end. */
export function* payoutLines(options: PayoutFileOptions): Generator<string> {
  const { rows, seed = 1, references = false, badEvery = 0, lineEnd = '\n' } = options;
  const random = createRandom(seed);
  const columns = [
    'address',
    'amount',
    'currency',
    'comment',
    ...(references ? ['reference'] : []),
  ];
  yield `${columns.join(',')}${lineEnd}`;
  for (let i = 0; i < rows; i++) {
    const good = goodCells(i, random, options);
    const isBad = badEvery > 0 && i % badEvery === badEvery - 1;
    const spoil = BAD_ROWS[Math.floor(i / (badEvery || 1)) % BAD_ROWS.length];
    const cells = isBad ? { ...good, ...spoil?.(good) } : good;
    const values = [cells.address, cells.amount, cells.currency, cells.comment];
    yield `${csvLine(references ? [...values, cells.reference] : values)}${lineEnd}`;
  }
}

function goodCells(i: number, random: Random, options: PayoutFileOptions): Cells {
  const { currencies = ['USDT_TRC20'], quotedEvery = 10 } = options;
  const currency = currencies[i % currencies.length] ?? 'USDT_TRC20';
  const isQuoted = quotedEvery > 0 && i % quotedEvery === 0;
  return {
    address: ADDRESS_MAKERS[currency](random),
    amount: `${random.below(1_000)}.${String(1 + random.below(99)).padStart(2, '0')}`,
    currency,
    comment: isQuoted ? `Salary "November", no. ${i}` : `Salary no. ${i}`,
    reference: `INV-${String(i).padStart(8, '0')}`,
  };
}

/** The whole file as one text; for small files. */
export const payoutFile = (options: PayoutFileOptions): string =>
  [...payoutLines(options)].join('');

/** Lines that are written to disk at a time. */
const LINES_AT_ONCE = 5_000;

/** Writes the file to disk, however many rows it has. */
export async function writePayoutFile(path: string, options: PayoutFileOptions): Promise<void> {
  const file = await open(path, 'w');
  try {
    let lines: string[] = [];
    for (const line of payoutLines(options)) {
      lines.push(line);
      if (lines.length < LINES_AT_ONCE) continue;
      await file.write(lines.join(''));
      lines = [];
    }
    await file.write(lines.join(''));
  } finally {
    await file.close();
  }
}
