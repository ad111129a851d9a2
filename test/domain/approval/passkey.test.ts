import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { approvalFault } from '../../../src/domain/approval/check-approval.ts';
import {
  challengeOf,
  isHostName,
  isOriginOf,
  keyIdentity,
  passkeyOfSpki,
  passkeySignature,
  readPasskey,
} from '../../../src/domain/approval/passkey.ts';
import { identityOf } from '../../../src/domain/approval/people.ts';
import { isPublicKey, isSignedBy } from '../../../src/domain/approval/signature.ts';
import { signInText } from '../../../src/domain/approval/sign-in.ts';
import { standingOf } from '../../../src/domain/approval/standing.ts';
import { SIGNATURE_LENGTH_MAX, statementText } from '../../../src/domain/approval/statement.ts';
import {
  approvalBy,
  NOW_MS,
  person,
  policyOf,
  publicKeyOf,
  question,
} from '../../support/approvers.ts';
import {
  approvedByPasskey,
  assertionOf,
  type Choices,
  ORIGIN,
  passkeyKeyOf,
  passkeyOf,
  passkeyPerson,
  PRESENT_AND_VERIFIED,
  RP_ID,
  signedByPasskey,
  spkiOf,
} from '../../support/passkeys.ts';
import { othersAccept as secondOpinion } from '../../support/second-opinion.ts';

const TEXT = 'bursar-approval/v1\nbatch "payroll"';
const BOB = passkeyOf('bob');

const othersAccept = (signature: string, publicKey = BOB): Promise<boolean> =>
  secondOpinion({ publicKey, text: TEXT, signature, origin: ORIGIN });

describe('a signature by a passkey', () => {
  it.each(['ES256', 'EdDSA'] as const)(
    'with %s is genuine, as another implementation finds',
    async (algorithm) => {
      const signature = signedByPasskey('bob', TEXT, { algorithm });
      const publicKey = passkeyOf('bob', { algorithm });
      expect(isSignedBy(publicKey, TEXT, signature)).toBe(true);
      expect(await othersAccept(signature, publicKey)).toBe(true);
    },
  );

  it('is that of its text and key only', () => {
    const signature = signedByPasskey('bob', TEXT);
    expect(isSignedBy(BOB, `${TEXT} `, signature)).toBe(false);
    expect(isSignedBy(passkeyOf('carol'), TEXT, signature)).toBe(false);
    expect(isSignedBy(publicKeyOf('bob'), TEXT, signature)).toBe(false);
    expect(isSignedBy(passkeyOf('bob', { algorithm: 'EdDSA' }), TEXT, signature)).toBe(false);
  });

  const HOSTILE: readonly (readonly [what: string, choices: Choices])[] = [
    ['was made to register a passkey', { client: { type: 'webauthn.create' } }],
    ['signs another challenge', { client: { challenge: 'x'.repeat(43) } }],
    [
      'signs the challenge with padding',
      { client: { challenge: `${Buffer.from(challengeOf(TEXT)).toString('base64url')}=` } },
    ],
    ['comes from another site', { origin: 'https://evil.example' }],
    ['comes from a site whose name ends alike', { origin: 'https://evilpay.example.com' }],
    ["comes from a site above the passkey's", { origin: 'https://example.com' }],
    ['comes without TLS', { origin: `http://${RP_ID}` }],
    ['names a page and not its site', { origin: `${ORIGIN}/page` }],
    ['names a user', { origin: `https://${RP_ID}@evil.example` }],
    ['has no origin', { client: { origin: undefined } }],
    ['has a list of origins', { client: { origin: [ORIGIN] } }],
    ['comes from a frame in another page', { client: { crossOrigin: true } }],
    ['does not say whether it is in a frame', { client: { crossOrigin: 'false' } }],
    ['is for another web app', { rpId: 'example.com' }],
    ['was made with nobody present', { flags: 0x04 }],
    ['was made without identifying the person', { flags: 0x01 }],
    ['was copied, though it cannot be', { flags: 0x15 }],
    ['has more bytes than its flags name', { extensions: Buffer.of(0xa0) }],
    ['has no JSON', { clientText: 'webauthn.get' }],
    ['has a list in the place of JSON', { clientText: '[]' }],
    ['has null in the place of JSON', { clientText: 'null' }],
    ['has letters that no browser writes', { client: { note: 'ü' } }],
  ];

  /** The other implementation leaves these to its caller. */
  const STRICTER_HERE = [
    'comes from a frame in another page',
    'does not say whether it is in a frame',
    'has letters that no browser writes',
  ];

  it.each(HOSTILE)('that %s is none', (_what, choices) => {
    expect(isSignedBy(BOB, TEXT, signedByPasskey('bob', TEXT, choices))).toBe(false);
  });

  it.each(HOSTILE.filter(([what]) => !STRICTER_HERE.includes(what)))(
    'that %s is none in another implementation too',
    async (_what, choices) => {
      expect(await othersAccept(signedByPasskey('bob', TEXT, choices))).toBe(false);
    },
  );

  it.each([
    ['below the host name', { origin: `https://finance.${RP_ID}` }],
    ['on another port', { origin: `${ORIGIN}:8443` }],
    [
      'with fields that browsers may add',
      { client: { other_keys_can_be_added_here: 'do not compare' } },
    ],
    ['that does not name frames', { client: { crossOrigin: undefined } }],
    ['with a passkey that is on several devices', { flags: PRESENT_AND_VERIFIED | 0x18 }],
    ['with extensions', { flags: PRESENT_AND_VERIFIED | 0x80, extensions: Buffer.of(0xa0) }],
    ['with any counter', { counter: 4_000_000_000 }],
  ] satisfies [string, Choices][])('is genuine %s', (_what, choices) => {
    expect(isSignedBy(BOB, TEXT, signedByPasskey('bob', TEXT, choices))).toBe(true);
  });

  it('on this machine may come without TLS', () => {
    const rpId = 'localhost';
    const signature = signedByPasskey('bob', TEXT, { rpId, origin: 'http://localhost:8790' });
    expect(isSignedBy(passkeyOf('bob', { rpId }), TEXT, signature)).toBe(true);
  });

  it('with any changed bit of any part is none, here and in another implementation', async () => {
    const parts = assertionOf('bob', TEXT);
    const places = fc.constantFrom(
      ...(['authenticatorData', 'clientDataJSON', 'signature'] as const).flatMap((part) =>
        [...parts[part].keys()].map((at) => [part, at] as const),
      ),
    );
    // The other implementation is lenient about the first two bytes, the header in DER of both numbers.
    const isHeader = (part: string, at: number) => part === 'signature' && at < 2;
    await fc.assert(
      fc.asyncProperty(places, fc.nat({ max: 7 }), async ([part, at], bit) => {
        const bytes = Buffer.from(parts[part]);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        const changed = passkeySignature({ ...parts, [part]: bytes });
        expect(isSignedBy(BOB, TEXT, changed)).toBe(false);
        if (!isHeader(part, at)) expect(await othersAccept(changed)).toBe(false);
      }),
      {
        numRuns: 150,
        examples: [
          [['signature', 0], 7],
          [['signature', 1], 2],
        ],
      },
    );
  });

  it('is read in one form of DER alone', () => {
    const { signature, ...rest } = assertionOf('bob', TEXT);
    const r = signature.subarray(4, 4 + (signature[3] ?? 0));
    const longer = [Buffer.of(0x30, signature.length - 1), Buffer.of(2, r.length + 1, 0), r];
    const forms = [
      Buffer.concat([...longer, signature.subarray(4 + r.length)]),
      Buffer.concat([signature, Buffer.of(0)]),
      Buffer.concat([Buffer.of(0x30, 0x81), signature.subarray(1)]),
      signature.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.alloc(70),
    ];
    for (const other of forms) {
      expect(isSignedBy(BOB, TEXT, passkeySignature({ ...rest, signature: other }))).toBe(false);
    }
  });

  it('may be either of the two that fit: authenticators make both', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const { signature, ...rest } = assertionOf('bob', TEXT);
    const r = signature.subarray(4, 4 + (signature[3] ?? 0));
    const s = signature.subarray(4 + r.length + 2);
    const other = (order - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0');
    const plain = Buffer.from(other, 'hex');
    const half = (plain[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), plain]) : plain;
    const body = Buffer.concat([Buffer.of(2, r.length), r, Buffer.of(2, half.length), half]);
    const twin = passkeySignature({
      ...rest,
      signature: Buffer.concat([Buffer.of(0x30, body.length), body]),
    });
    expect(isSignedBy(BOB, TEXT, twin)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['its first part alone', 'passkey.'],
    ['another kind', signedByPasskey('bob', TEXT).replace('passkey', 'token')],
    ['with a part too many', `${signedByPasskey('bob', TEXT)}.AA`],
    ['with padding', `${signedByPasskey('bob', TEXT)}=`],
    ['an Ed25519 signature', Buffer.alloc(64).toString('base64')],
    [
      'longer than a signature may be',
      `${signedByPasskey('bob', TEXT)}${'A'.repeat(SIGNATURE_LENGTH_MAX)}`,
    ],
  ])('that is %s is none', (_what, signature) => {
    expect(isSignedBy(BOB, TEXT, signature)).toBe(false);
  });

  it('of a long host name is not too long', () => {
    const rpId = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    const client = { other_keys_can_be_added_here: 'x'.repeat(100) };
    const signature = signedByPasskey('bob', TEXT, {
      rpId,
      origin: `https://${rpId}:65535`,
      client,
    });
    expect(isSignedBy(passkeyOf('bob', { rpId }), TEXT, signature)).toBe(true);
  });
});

describe('a passkey in the settings', () => {
  it('is what a browser returns for it, in the short form of its point', () => {
    const keys = fc.integer({ min: 0, max: 1_000_000 }).map((n) => passkeyKeyOf(`person ${n}`));
    fc.assert(
      fc.property(keys, (key) => {
        const text = passkeyOfSpki(RP_ID, spkiOf(key)) ?? '';
        expect(text).toMatch(/^passkey:pay\.example\.com:ES256:[A-Za-z0-9+/]{44}$/);
        expect(isPublicKey(text)).toBe(true);
        const y = spkiOf(key).at(-1) ?? 0;
        expect(readPasskey(text)?.key[0]).toBe(2 + (y & 1));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['X25519', () => generateKeyPairSync('x25519')],
  ])('is not made of %s', (_what, make) => {
    const spki = make().publicKey.export({ type: 'spki', format: 'der' });
    expect(passkeyOfSpki(RP_ID, spki)).toBeUndefined();
  });

  const KEY = BOB.split(':').at(-1) ?? '';
  it.each([
    'passkey:',
    KEY,
    `passkey:${KEY}`,
    `passkey:${RP_ID}:${KEY}`,
    `passkey:${RP_ID}:RS256:${KEY}`,
    `passkey::ES256:${KEY}`,
    `passkey:PAY.example.com:ES256:${KEY}`,
    `passkey:10.0.0.1:ES256:${KEY}`,
    `passkey:https://${RP_ID}:ES256:${KEY}`,
    `passkey:${RP_ID}:8443:ES256:${KEY}`,
    `passkey:${RP_ID}:EdDSA:${KEY}`,
    `passkey:${RP_ID}:ES256:${KEY}:`,
    `passkey:${RP_ID}:ES256:${KEY.slice(0, 43)}=`,
    `passkey:${RP_ID}:ES256:${Buffer.concat([Buffer.of(2), Buffer.alloc(32, 0xff)]).toString('base64')}`,
    `passkey:${RP_ID}:ES256:${Buffer.concat([Buffer.of(5), Buffer.alloc(32, 1)]).toString('base64')}`,
    `passkey:${RP_ID}:EdDSA:${Buffer.alloc(32).toString('base64')}`,
    ` ${BOB}`,
  ])('is no key as %s', (text) => {
    expect(isPublicKey(text)).toBe(false);
    expect(isSignedBy(text, TEXT, signedByPasskey('bob', TEXT))).toBe(false);
  });

  it('is the key of one person, for whichever web app it was made', () => {
    const other = passkeyOf('bob', { rpId: 'other.example' });
    expect(keyIdentity(other)).toBe(keyIdentity(BOB));
    expect(identityOf(passkeyPerson('bob'))).toBe(keyIdentity(BOB));
    const [, ...ed25519] = publicKeyOf('bob').split(':');
    const same = `passkey:${RP_ID}:EdDSA:${ed25519.join(':')}`;
    expect(keyIdentity(same)).toBe(publicKeyOf('bob'));
  });

  it.each([
    ['localhost', true],
    ['pay', true],
    ['xn--bcher-kva.example', true],
    ['pay.example.com.', false],
    ['-pay.example', false],
    ['pay_.example', false],
    ['127.0.0.1', false],
    ['[::1]', false],
    [`${'a'.repeat(64)}.example`, false],
    [`${'a.'.repeat(126)}aa`, false],
    ['', false],
  ])('has a host name: %s is one: %p', (text, expected) => {
    expect(isHostName(text)).toBe(expected);
  });

  it.each([
    ['localhost', 'http://localhost', true],
    ['localhost', 'http://app.localhost', false],
    ['example.com', 'https://pay.example.com', true],
    ['example.com', 'https://pay.example.com:0443x', false],
    ['example.com', 'HTTPS://example.com', false],
    ['example.com', 'https://example.com:', false],
    ['example.com', 'https://example.com#', false],
    ['example.com', 'android:apk-key-hash:example.com', false],
    ['example.com', 'null', false],
  ])('of %s, a page at %s is of its web app: %p', (rpId, origin, expected) => {
    expect(isOriginOf(rpId, origin)).toBe(expected);
  });
});

describe('an approval by a passkey', () => {
  const people = [
    person('alice', ['finance']),
    passkeyPerson('bob', ['finance']),
    person('carol', ['finance']),
  ];
  const asked = question({ policy: policyOf({ people }) });
  const { signature: _, ...statement } = approvalBy('bob');
  const approval = approvedByPasskey(statement);
  const now = { given: [], nowMs: NOW_MS };

  it('counts beside one by a key file', () => {
    expect(approvalFault(approval, asked, now)).toBeNull();
    const standing = standingOf(asked, [approval, approvalBy('carol')], NOW_MS);
    expect(standing).toMatchObject({ satisfied: true, missing: [] });
  });

  it.each([
    ['reason', 'other words'],
    ['expiresAt', '2026-11-23T09:00:00.000Z'],
    ['issuedAt', '2026-11-21T08:59:00.000Z'],
    ['decision', 'refuse'],
  ])('does not count once its %s is another', (field, value) => {
    expect(approvalFault({ ...approval, [field]: value }, asked, now)?.code).toBe(
      'APPROVAL_FORGED',
    );
  });

  it('does not count for another batch or another plan', () => {
    const batch = approvalFault({ ...approval, batchId: 'rent' }, asked, now);
    const plan = approvalFault(approval, { ...asked, subject: `sha256:${'e'.repeat(64)}` }, now);
    expect([batch?.code, plan?.code]).toEqual(['APPROVAL_FOR_ANOTHER', 'APPROVAL_FOR_ANOTHER']);
  });

  it('does not count where the policy has a key file for that person', () => {
    expect(approvalFault(approval, question(), now)?.code).toBe('APPROVAL_FORGED');
    const reverse = approvalFault(approvalBy('bob'), asked, now);
    expect(reverse?.code).toBe('APPROVAL_FORGED');
  });

  it('counts once, whatever number of signatures the passkey makes', () => {
    const again = approvedByPasskey(statement);
    expect(again.signature).not.toBe(approval.signature);
    const fault = approvalFault(again, asked, { given: [approval], nowMs: NOW_MS });
    expect(fault?.code).toBe('APPROVAL_REPEATED');
    const { approvals, satisfied } = standingOf(asked, [approval, again], NOW_MS);
    expect([approvals.length, satisfied]).toEqual([1, false]);
  });

  it('is never a sign-in, and a sign-in is never an approval', () => {
    const signIn = signInText({ origin: ORIGIN, challenge: statementText(statement) });
    const signature = signedByPasskey('bob', signIn);
    expect(isSignedBy(BOB, signIn, signature)).toBe(true);
    expect(isSignedBy(BOB, signIn, approval.signature ?? '')).toBe(false);
    expect(approvalFault({ ...approval, signature }, asked, now)?.code).toBe('APPROVAL_FORGED');
  });
});
