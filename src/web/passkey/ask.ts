import { challengeOf, passkeyOfSpki, passkeySignature } from '../../domain/approval/passkey.ts';

/**
 * Why the browser made no signature. `PASSKEY_STOPPED`: the person closed its window, or has no passkey for this address.
 * `PASSKEY_UNUSABLE`: a kind of key that does not count.
 */
export type PasskeyFailureCode = 'PASSKEY_MISSING' | 'PASSKEY_STOPPED' | 'PASSKEY_UNUSABLE';

export class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure';
  readonly code: PasskeyFailureCode;

  constructor(code: PasskeyFailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A signature as approvals carry it, and the name of the person that the passkey keeps; empty: it keeps none. */
export type PasskeySigned = Readonly<{ signature: string; person: string }>;

/** How long the browser waits for the person, in milliseconds. */
const WAIT_MS = 300_000;

/** Lets the person sign a text with their passkey. @throws PasskeyFailure */
export async function signText(text: string, rpId: string): Promise<PasskeySigned> {
  const challenge = Uint8Array.from(challengeOf(text));
  const given = await credential(() =>
    navigator.credentials.get({
      publicKey: { challenge, rpId, userVerification: 'required', timeout: WAIT_MS },
    }),
  );
  const response = given.response as AuthenticatorAssertionResponse;
  const { userHandle, authenticatorData, clientDataJSON, signature } = response;
  return {
    signature: passkeySignature({
      authenticatorData: new Uint8Array(authenticatorData),
      clientDataJSON: new Uint8Array(clientDataJSON),
      signature: new Uint8Array(signature),
    }),
    person: userHandle === null ? '' : new TextDecoder().decode(userHandle),
  };
}

/** ES256 and EdDSA, by their numbers in COSE. */
const ALGORITHMS = [-7, -8] as const;

/** Makes a passkey on a device of the person. Returns its public key, as settings have it. @throws PasskeyFailure */
export async function makePasskey(name: string, rpId: string): Promise<string> {
  const made = await credential(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        rp: { id: rpId, name: 'Bursar' },
        user: { id: new TextEncoder().encode(name), name, displayName: name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
        timeout: WAIT_MS,
      },
    }),
  );
  const spki = (made.response as AuthenticatorAttestationResponse).getPublicKey();
  const key = spki === null ? undefined : passkeyOfSpki(rpId, new Uint8Array(spki));
  if (key === undefined) throw new PasskeyFailure('PASSKEY_UNUSABLE');
  return key;
}

async function credential(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!('PublicKeyCredential' in window)) throw new PasskeyFailure('PASSKEY_MISSING');
  let given: Credential | null;
  try {
    given = await ask();
  } catch (cause) {
    throw new PasskeyFailure('PASSKEY_STOPPED', cause);
  }
  if (given instanceof PublicKeyCredential) return given;
  throw new PasskeyFailure('PASSKEY_STOPPED');
}
