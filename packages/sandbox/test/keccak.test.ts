import { expect, it } from '@jest/globals';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { keccak256 } from '../src/core/keccak.ts';

it('the hash of no bytes is the published one', () => {
  expect(keccak256(Buffer.alloc(0)).toString('hex')).toBe(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  );
});

it('messages of any length have the hash that another implementation finds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (message) => {
      const digest = keccak256(Buffer.from(message)).toString('hex');
      expect(digest).toBe(bytesToHex(keccak_256(message)));
    }),
  );
});

it.each([135, 136, 137, 271, 272])('a message of %d bytes fills its blocks', (length) => {
  const message = Buffer.alloc(length, 0xa5);
  expect(keccak256(message).toString('hex')).toBe(bytesToHex(keccak_256(message)));
});
