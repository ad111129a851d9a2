import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, keccakP } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { decodeBase58 } from '../../../src/domain/addresses/base58.ts';
import { hexCaseOf } from '../../../src/domain/addresses/evm.ts';
import { keccakF, state } from '../../../src/domain/addresses/keccak.ts';
import { doubleSha256Head } from '../../../src/domain/addresses/sha256.ts';

const headOf = (bytes: Uint8Array): number => new DataView(bytes.buffer).getInt32(0);

describe('our SHA-256', () => {
  it('returns the hashes of @noble/hashes twice over, for every length of one block', () => {
    const message = fc.uint8Array({ minLength: 0, maxLength: 55 });
    fc.assert(
      fc.property(message, (bytes) => {
        expect(doubleSha256Head(bytes, bytes.length)).toBe(headOf(sha256(sha256(bytes))));
      }),
    );
  });

  it('reads no more than the given length', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => i);
    const start = bytes.slice(0, 21);
    expect(doubleSha256Head(bytes, 21)).toBe(headOf(sha256(sha256(start))));
  });
});

describe('our Keccak-256', () => {
  it('permutes any state as @noble/hashes does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 200 }), (bytes) => {
        state.set(bytes);
        keccakF();
        const lanes = new Uint32Array(bytes.buffer);
        keccakP(lanes);
        expect([...state]).toEqual([...new Uint8Array(lanes.buffer)]);
      }),
    );
  });

  /** The digits in the case that EIP-55 asks for, by @noble/hashes. */
  const checksummed = (digits: string): string => {
    const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
    return [...digits].map((d, i) => ((hash[i] ?? '') > '7' ? d.toUpperCase() : d)).join('');
  };
  const digits = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => bytesToHex(bytes))
    .filter((text) => /[a-f].*[a-f].*[a-f]/.test(text));

  it('finds the case of every letter like @noble/hashes', () => {
    fc.assert(
      fc.property(digits, (text) => {
        const sound = checksummed(text);
        const hasBothCases = /[a-f]/.test(sound) && /[A-F]/.test(sound);
        expect(hexCaseOf(sound, 0)).toBe(hasBothCases ? 'checksum-right' : 'one-case');
      }),
    );
  });

  it('finds each letter in the other case', () => {
    fc.assert(
      fc.property(digits, fc.nat(39), (text, at) => {
        const sound = checksummed(text);
        const letter = sound[at] ?? '';
        const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
        fc.pre(other !== letter);
        const changed = sound.slice(0, at) + other + sound.slice(at + 1);
        expect(hexCaseOf(changed, 0)).not.toBe('checksum-right');
      }),
    );
  });
});

describe('base58', () => {
  it.each(['0', 'O', 'I', 'l', ' ', '\n', '\u0131', '\u{1F600}'])(
    'has no digit "%s"',
    (character) => {
      expect(decodeBase58(`abc${character}def`, 'bitcoin')).toBeUndefined();
      expect(decodeBase58(`abcdef${character}`, 'xrp')).toBeUndefined();
    },
  );

  it('does no work on a text that is too long to be an address', () => {
    expect(decodeBase58('2'.repeat(65), 'bitcoin')).toBeUndefined();
    expect(decodeBase58('z'.repeat(64), 'bitcoin')).toHaveLength(47);
  });
});
