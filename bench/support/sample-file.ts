import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { csvLine } from '../../src/domain/files/csv.ts';

/** The currencies of a sample file; they take turns, row by row. */
export const SAMPLE_CURRENCIES = ['USDT_TRC20', 'USDC_ERC20'] as const;

export type SampleFile = Readonly<{
  path: string;
  rows: number;
  /** Another seed gives other recipients and amounts; the same one gives the same bytes. */
  seed: number;
  signal: AbortSignal;
}>;

/** Lines that are written to disk at a time. */
const LINES_PER_WRITE = 10_000;

/** Writes a merchant's file: TRON and checksummed EVM addresses, amounts, comments of which some need quotes. */
export async function writeSampleFile({ path, rows, seed, signal }: SampleFile): Promise<void> {
  const nextRandom = createRandom(seed);
  const file = await open(path, 'w');
  try {
    await file.write('address,amount,currency,comment\n');
    for (let from = 0; from < rows; from += LINES_PER_WRITE) {
      signal.throwIfAborted();
      const count = Math.min(LINES_PER_WRITE, rows - from);
      const lines = Array.from({ length: count }, (_, i) => sampleLine(from + i, nextRandom));
      await file.write(lines.join(''));
    }
  } finally {
    await file.close();
  }
}

type Random = (limit: number) => number;

function sampleLine(index: number, random: Random): string {
  const isTron = index % SAMPLE_CURRENCIES.length === 0;
  const address = isTron ? tronAddress(random) : evmAddress(random);
  const currency = SAMPLE_CURRENCIES[isTron ? 0 : 1];
  return `${csvLine([address, amountText(random), currency, comment(index, random)])}\n`;
}

/** Canonical decimal text: no zero at the end of the fraction. */
function amountText(random: Random): string {
  const fraction = String(random(100)).padStart(2, '0').replace(/0+$/, '');
  const whole = String(1 + random(5_000));
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Every tenth comment needs quotes, every seventh has letters of two bytes. */
function comment(index: number, random: Random): string {
  const number = 10_000 + random(90_000);
  if (index % 10 === 9) return `Bonus, "Q4", staff no. ${number}`;
  return index % 7 === 6 ? `Löhne für Zoë Müller ${number}` : `Salary November 2026 ${number}`;
}

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
);

const TRON_VERSION = 0x41;
const HASH_BYTES = 20;

const tronAddress = (random: Random): string =>
  base58check.encode(Uint8Array.of(TRON_VERSION, ...randomBytes(random)));

/** With the checksum of EIP-55, which stands in the case of its letters. */
function evmAddress(random: Random): string {
  const digits = bytesToHex(randomBytes(random));
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const cased = [...digits].map((digit, i) =>
    (hash[i] ?? '0') >= '8' ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

const randomBytes = (random: Random): Uint8Array =>
  Uint8Array.from({ length: HASH_BYTES }, () => random(256));

/** Whole numbers below a limit that look random and follow from the seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    const a = Math.imul(state ^ (state >>> 15), state | 1);
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
    return ((b ^ (b >>> 14)) >>> 0) % limit;
  };
}
