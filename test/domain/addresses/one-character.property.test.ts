import { describe, expect, it } from '@jest/globals';
import { base58xrp, createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { checkAddress } from '../../../src/domain/addresses/check-address.ts';
import { type Network, NETWORKS } from '../../../src/domain/currencies/network.ts';
import { anyText } from '../../support/any-text.ts';
import {
  createRandom,
  evmAddress,
  type Random,
  segwitAddress,
  tronAddress,
} from '../../support/payout-files.ts';

const base58Of = createBase58check(sha256);

function xrpAddress(random: Random): string {
  const payload = Uint8Array.of(0, ...random.bytes(20));
  return base58xrp.encode(Uint8Array.of(...payload, ...sha256(sha256(payload)).slice(0, 4)));
}

function tonAddress(random: Random): string {
  const bytes = [0x11, 0x00, ...random.bytes(32)];
  let crc = 0;
  for (const byte of [...bytes, 0, 0]) {
    for (let bit = 7; bit >= 0; bit--) {
      const carried = crc & 0x8000;
      crc = ((crc << 1) & 0xffff) | ((byte >> bit) & 1);
      if (carried) crc ^= 0x1021;
    }
  }
  return Buffer.from([...bytes, crc >> 8, crc & 0xff]).toString('base64url');
}

const MAKERS: readonly (readonly [Network, (random: Random) => string])[] = [
  ['tron', tronAddress],
  ['bitcoin', (random) => base58Of.encode(Uint8Array.of(0, ...random.bytes(20)))],
  ['bitcoin', segwitAddress],
  ['litecoin', (random) => base58Of.encode(Uint8Array.of(0x32, ...random.bytes(20)))],
  ['dogecoin', (random) => base58Of.encode(Uint8Array.of(0x1e, ...random.bytes(20)))],
  ['bitcoinCash', (random) => base58Of.encode(Uint8Array.of(5, ...random.bytes(20)))],
  ['xrp', xrpAddress],
  ['ton', tonAddress],
];

const character = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)) },
  { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 1 }) },
);

describe.each(MAKERS)('an address with a checksum on %s', (network, make) => {
  const address = fc.integer().map((seed) => make(createRandom(seed)));

  it('is verified', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(checkAddress(text, network)).toMatchObject({ ok: true, checksum: 'verified' });
      }),
    );
  });

  it('is refused after the change of any one character', () => {
    fc.assert(
      fc.property(address, fc.nat(), character, (text, place, other) => {
        const at = place % text.length;
        fc.pre(text[at] !== other && !isSameInBase64(text[at], other));
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect([changed, checkAddress(changed, network).ok]).toEqual([changed, false]);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when a character is lost or doubled', () => {
    fc.assert(
      fc.property(address, fc.nat(), (text, place) => {
        const at = place % text.length;
        const lost = text.slice(0, at) + text.slice(at + 1);
        const doubled = text.slice(0, at) + text.slice(at, at + 1) + text.slice(at);
        expect(checkAddress(lost, network).ok).toBe(false);
        expect(checkAddress(doubled, network).ok).toBe(false);
      }),
    );
  });
});

/** Two ways to write one digit; only the friendly form of TON has such. */
const isSameInBase64 = (a: string | undefined, b: string): boolean =>
  ['+-', '-+', '/_', '_/'].includes(`${a}${b}`);

describe('an address with the checksum of EIP-55', () => {
  it('is refused when one letter has the other case', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(39), (seed, place) => {
        const text = evmAddress(createRandom(seed));
        const at = place + 2;
        const letter = text[at] ?? '';
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        fc.pre(other !== letter);
        const check = checkAddress(text.slice(0, at) + other + text.slice(at + 1), 'ethereum');
        // A single capital that is lost leaves an address in small letters, which has no checksum.
        expect(check.ok && check.checksum === 'verified').toBe(false);
      }),
    );
  });

  it('is refused after the change of a digit, but for one change in thousands', () => {
    const random = createRandom(55);
    const changes = 3_000;
    let missed = 0;
    for (let i = 0; i < changes; i++) {
      const text = evmAddress(random);
      const at = 2 + random.below(40);
      const digit = '0123456789abcdef'[random.below(16)] ?? '0';
      if (text[at]?.toLowerCase() === digit) continue;
      const changed = text.slice(0, at) + digit + text.slice(at + 1);
      if (checkAddress(changed, 'ethereum').ok) missed += 1;
    }
    expect(missed).toBeLessThan(5);
  });
});

describe('any text', () => {
  const networks = Object.keys(NETWORKS) as Network[];

  it.each(networks)('is judged on %s without a crash', (network) => {
    const text = fc.oneof(
      anyText({ maxLength: 130 }),
      fc.string({ unit: fc.constantFrom(...'0x1TbcrqpzEQ:-_9az'), maxLength: 70 }),
    );
    fc.assert(
      fc.property(text, (address) => {
        const check = checkAddress(address, network);
        expect(check.ok ? check.canonical : check.reason).toEqual(expect.any(String));
        if (check.ok) expect(address).toMatch(/^[!-~]+$/);
      }),
    );
  });
});
