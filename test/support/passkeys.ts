import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  challengeOf,
  type PasskeyAlgorithm,
  passkeyOfSpki,
  passkeySignature,
} from '../../src/domain/approval/passkey.ts';
import type { Person } from '../../src/domain/approval/policy.ts';
import {
  type Approval,
  type ApprovalStatement,
  statementText,
} from '../../src/domain/approval/statement.ts';
import { keyOf } from './approvers.ts';

export const RP_ID = 'pay.example.com';
export const ORIGIN = `https://${RP_ID}`;

/** The private key of a name's passkey; the same name has the same key in every test. */
export function passkeyKeyOf(name: string, algorithm: PasskeyAlgorithm = 'ES256'): KeyObject {
  if (algorithm === 'EdDSA') return keyOf(`passkey of ${name}`);
  const seed = createHash('sha256').update(`passkey of ${name}`).digest();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(seed);
  const point = ecdh.getPublicKey();
  const [d, x, y] = [seed, point.subarray(1, 33), point.subarray(33)].map((bytes) =>
    bytes.toString('base64url'),
  );
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y } as never, format: 'jwk' });
}

/** The public key as a browser returns it. */
export const spkiOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' });

/** The passkey of a name, as settings have it. */
export function passkeyOf(
  name: string,
  {
    rpId = RP_ID,
    algorithm = 'ES256',
  }: Partial<{ rpId: string; algorithm: PasskeyAlgorithm }> = {},
): string {
  const text = passkeyOfSpki(rpId, spkiOf(passkeyKeyOf(name, algorithm)));
  if (text === undefined) throw new Error('the key of a test has an unknown form');
  return text;
}

export const passkeyPerson = (name: string, roles: readonly string[] = []): Person => ({
  name,
  publicKey: passkeyOf(name),
  roles,
  users: [],
});

/** Parts of an assertion that a test may choose; the others are those of an honest browser and authenticator. */
export type Choices = Partial<{
  algorithm: PasskeyAlgorithm;
  rpId: string;
  origin: string;
  /** Present and identified. */
  flags: number;
  counter: number;
  extensions: Buffer;
  /** Fields of the browser's JSON, over those of an honest one. */
  client: Readonly<Record<string, unknown>>;
  clientText: string;
}>;

type Parts = Readonly<Record<'authenticatorData' | 'clientDataJSON' | 'signature', Buffer>>;

export const PRESENT_AND_VERIFIED = 0x05;

/** A small authenticator with its browser: what `navigator.credentials.get` returns for a text. */
export function assertionOf(name: string, text: string, choices: Choices = {}): Parts {
  const { algorithm = 'ES256', rpId = RP_ID, origin = ORIGIN, counter = 0 } = choices;
  const { flags = PRESENT_AND_VERIFIED, extensions = Buffer.alloc(0), client = {} } = choices;
  const challenge = Buffer.from(challengeOf(text)).toString('base64url');
  const honest = { type: 'webauthn.get', challenge, origin, crossOrigin: false };
  const clientDataJSON = Buffer.from(
    choices.clientText ?? JSON.stringify({ ...honest, ...client }),
  );
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const rpIdHash = createHash('sha256').update(rpId).digest();
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.of(flags), count, extensions]);
  const clientHash = createHash('sha256').update(clientDataJSON).digest();
  const message = Buffer.concat([authenticatorData, clientHash]);
  const hash = algorithm === 'ES256' ? 'sha256' : null;
  const signature = sign(hash, message, passkeyKeyOf(name, algorithm));
  return { authenticatorData, clientDataJSON, signature };
}

/** The signature of a text by the passkey of a name. */
export const signedByPasskey = (name: string, text: string, choices: Choices = {}): string =>
  passkeySignature(assertionOf(name, text, choices));

/** A statement that is signed by the passkey of its person. */
export const approvedByPasskey = (
  statement: ApprovalStatement,
  choices: Choices = {},
): Approval => ({
  ...statement,
  signature: signedByPasskey(statement.person, statementText(statement), choices),
});
