import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutBytes, utf8Bytes } from '../../../src/domain/text/markdown.ts';
import { anyText } from '../../support/any-text.ts';

const texts = anyText({ maxLength: 40 });

describe('the bytes of a text', () => {
  it('are those of UTF-8', () => {
    fc.assert(fc.property(texts, (text) => utf8Bytes(text) === Buffer.byteLength(text)));
  });

  it('are cut between characters, as late as possible', () => {
    fc.assert(
      fc.property(texts, fc.nat(60), (text, bytesMax) => {
        const cut = cutBytes(text, bytesMax);
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytesMax);
        const [next] = text.slice(cut.length);
        if (next !== undefined) {
          const rest = [...text.slice(cut.length)][0] ?? '';
          expect(Buffer.byteLength(cut + rest)).toBeGreaterThan(bytesMax);
        }
      }),
    );
  });

  it.each([
    ['aé付😀', 10, 'aé付😀'],
    ['aé付😀', 9, 'aé付'],
    ['aé付😀', 5, 'aé'],
    ['aé付😀', 0, ''],
  ])('of %s, %i are "%s"', (text, bytesMax, cut) => {
    expect(cutBytes(text, bytesMax)).toBe(cut);
  });
});
