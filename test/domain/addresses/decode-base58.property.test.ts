import { describe, expect, it } from '@jest/globals';
import { base58, base58xrp } from '@scure/base';
import fc from 'fast-check';
import { decodeBase58 } from '../../../src/domain/addresses/base58.ts';

const BYTES_MAX = 46;
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: BYTES_MAX }),
  fc
    .tuple(fc.nat(8), fc.uint8Array({ maxLength: BYTES_MAX - 8 }))
    .map(([zeros, rest]) => Uint8Array.of(...new Uint8Array(zeros), ...rest)),
);

describe.each([
  ['bitcoin', base58],
  ['xrp', base58xrp],
] as const)('base58 with the digits of %s', (digits, coder) => {
  it('is read as @scure/base reads it', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(decodeBase58(coder.encode(content), digits)).toEqual(content);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([1, 2, 33, 34, 63, 64])('is read for %d times its highest digit', (length) => {
    const text = 'z'.repeat(length);
    expect(decodeBase58(text, digits)).toEqual(coder.decode(text));
  });

  it('is nothing with another character, or when it is too long', () => {
    for (const text of ['0', 'O', 'I', 'l', ' ', 'é', 'a'.repeat(65)]) {
      expect(decodeBase58(text, digits)).toBeUndefined();
    }
  });
});
