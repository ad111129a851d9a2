import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicKey, isSignedBy } from '../../../src/domain/approval/signature.ts';
import {
  base64Of,
  base64UrlOf,
  bytesOfBase64,
  bytesOfBase64Url,
} from '../../../src/domain/text/base64.ts';
import { anyText } from '../../support/any-text.ts';
import { keyOf, publicKeyOf } from '../../support/approvers.ts';

const NAMES = ['bob', 'carol', 'dave'];
const signatureOf = (name: string, text: string): Buffer =>
  sign(null, Buffer.from(text), keyOf(name));

describe('base64', () => {
  it('is read and written as others write it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const [text, urlText] = [base64Of(bytes), base64UrlOf(bytes)];
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(urlText).toBe(Buffer.from(bytes).toString('base64url'));
        expect([bytesOfBase64(text), bytesOfBase64Url(urlText)]).toEqual([bytes, bytes]);
      }),
    );
  });

  it.each([
    ['+/=', bytesOfBase64, 'base64'],
    ['-_=', bytesOfBase64Url, 'base64url'],
  ] as const)(
    'with %s has one text for the same bytes: any other text is refused',
    (marks, read, form) => {
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom(...`ABab${marks} \n.`) }), (text) => {
          const bytes = read(text);
          if (bytes !== undefined) expect(Buffer.from(bytes).toString(form)).toBe(text);
        }),
        { numRuns: 500 },
      );
    },
  );
});

describe('a signature', () => {
  it('that Node makes is genuine, for its text and key only', () => {
    const cases = fc.record({
      text: anyText({ maxLength: 60 }),
      other: anyText({ maxLength: 60 }),
      name: fc.constantFrom(...NAMES),
      otherName: fc.constantFrom(...NAMES),
    });
    fc.assert(
      fc.property(cases, ({ text, other, name, otherName }) => {
        const signature = signatureOf(name, text).toString('base64');
        expect(isSignedBy(publicKeyOf(name), text, signature)).toBe(true);
        expect(isSignedBy(publicKeyOf(otherName), text, signature)).toBe(name === otherName);
        const sameBytes = Buffer.from(other).equals(Buffer.from(text));
        expect(isSignedBy(publicKeyOf(name), other, signature)).toBe(sameBytes);
      }),
    );
  });

  it('with one changed bit is none, as Node finds too', () => {
    const publicKey = createPublicKey(keyOf('bob'));
    fc.assert(
      fc.property(fc.nat({ max: 511 }), (bit) => {
        const bytes = signatureOf('bob', 'pay this');
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(isSignedBy(publicKeyOf('bob'), 'pay this', bytes.toString('base64'))).toBe(false);
        expect(verify(null, Buffer.from('pay this'), publicKey, bytes)).toBe(false);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['other text', 'sign here'],
    ['too few bytes', signatureOf('bob', 'x').subarray(1).toString('base64')],
    ['too many bytes', Buffer.concat([signatureOf('bob', 'x'), Buffer.of(0)]).toString('base64')],
    ['the other alphabet', signatureOf('bob', 'x').toString('base64url')],
    ['a space at its end', `${signatureOf('bob', 'x').toString('base64')} `],
    ['zeros', Buffer.alloc(64).toString('base64')],
  ])('that is %s is none', (_what, signature) => {
    expect(isSignedBy(publicKeyOf('bob'), 'x', signature)).toBe(false);
  });

  it('with the order of the group added to its second half is none: one approval has one signature', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = signatureOf('bob', 'x');
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
    const half = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const other = Buffer.concat([bytes.subarray(0, 32), half]).toString('base64');
    expect(isSignedBy(publicKeyOf('bob'), 'x', other)).toBe(false);
  });
});

describe('a public key', () => {
  /** The identity and other points of small order: with them one signature fits every message. */
  const SMALL = [
    '01',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '00',
  ].map((hex) => `ed25519:${Buffer.from(hex.padEnd(64, '0'), 'hex').toString('base64')}`);

  it('that was made for a person is valid', () => {
    expect(NAMES.map(publicKeyOf).every(isPublicKey)).toBe(true);
  });

  it.each([
    ...SMALL,
    'ed25519:',
    publicKeyOf('bob').slice(8),
    `rsa:${publicKeyOf('bob').slice(8)}`,
    `ed25519:${Buffer.alloc(32, 2).toString('base64')}`,
    `ed25519:${Buffer.alloc(31, 1).toString('base64')}`,
  ])('without a possible private key is invalid: %s', (text) => {
    expect(isPublicKey(text)).toBe(false);
  });

  it.each(SMALL)('of small order signs nothing: %s', (text) => {
    const forged = Buffer.alloc(64);
    forged[0] = 1;
    expect(isSignedBy(text, 'x', forged.toString('base64'))).toBe(false);
  });
});
