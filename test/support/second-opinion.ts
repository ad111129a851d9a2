import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import {
  challengeOf,
  readPasskey,
  readPasskeySignature,
} from '../../src/domain/approval/passkey.ts';
import { createPublicKey } from 'node:crypto';

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The public key of a passkey as authenticators write it (COSE). */
function coseOf(publicKey: string): Uint8Array<ArrayBuffer> {
  const { algorithm = 'ES256', key = new Uint8Array() } = readPasskey(publicKey) ?? {};
  if (algorithm === 'EdDSA')
    return Buffer.concat([Buffer.from('a4010103272006215820', 'hex'), key]);
  // Node reads the point in its short form, and writes it whole.
  const short = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');
  const spki = Buffer.concat([short, key]);
  const { x = '', y = '' } = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}

type Signed = Readonly<{ publicKey: string; text: string; signature: string; origin: string }>;

/** The judgement of another implementation, `@simplewebauthn/server`, about the signature of a passkey. */
export async function othersAccept(signed: Signed): Promise<boolean> {
  const { publicKey, text, signature, origin } = signed;
  const parts = readPasskeySignature(signature);
  if (parts === undefined) return false;
  const id = base64Url(Buffer.from('bob'));
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: base64Url(parts.authenticatorData),
          clientDataJSON: base64Url(parts.clientDataJSON),
          signature: base64Url(parts.signature),
        },
      },
      expectedChallenge: base64Url(challengeOf(text)),
      expectedOrigin: origin,
      expectedRPID: readPasskey(publicKey)?.rpId ?? '',
      credential: { id, publicKey: coseOf(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified;
  } catch {
    // It throws for most of what it refuses.
    return false;
  }
}
