import { createHash, randomBytes } from 'node:crypto';
import type { WebPerson } from '../../config.ts';
import { pageOfSignature } from '../../domain/approval/passkey-proof.ts';
import { isPasskeyText } from '../../domain/approval/passkey.ts';
import { isSignedBy } from '../../domain/approval/signature.ts';
import { signInText } from '../../domain/approval/sign-in.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { createChallenges, type OpenChallenge } from './challenges.ts';

const SECRET_BYTES = 32;

/** Sessions of one person at once: browsers and machines. The oldest makes room. */
const SESSIONS_OF_PERSON_MAX = 20;

/** How a person signed in: by a passkey, or at the provider of OpenID Connect. */
export const SIGN_IN_WAYS = ['passkey', 'oidc'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** A person who is signed in. */
export type Session = Readonly<{
  person: WebPerson;
  way: SignInWay;
  /** SHA-256 of the secret in the cookie, in hexadecimal. The secret itself is nowhere. */
  sha256: string;
  expiresAtMs: number;
}>;

/** A new session. `secret`: the value of the cookie. */
export type MadeSession = Readonly<{ secret: string; session: Session }>;

/** A passkey's answer to a challenge. `signature`: as `passkeySignature` writes it. */
export type SignIn = Readonly<{ challenge: string; person: string; signature: string }>;

/** Who is signed in, in memory alone: after a restart everybody signs in again. */
export type Sessions = Readonly<{
  challenge(nowMs: number): OpenChallenge;
  /** `origin`: the page that the passkey must have signed for. @throws CHALLENGE_UNKNOWN, SIGN_IN_REFUSED */
  signIn(answer: SignIn, at: Readonly<{ origin: string; nowMs: number }>): MadeSession;
  /** `account`: as the provider of OpenID Connect has proved it. @throws OIDC_PERSON_UNKNOWN */
  signInByAccount(account: string, nowMs: number): MadeSession;
  find(secret: string, nowMs: number): Session | undefined;
  end(secret: string): void;
}>;

export type SessionOptions = Readonly<{
  lifeMs: number;
  /** Whether a signature is genuine; missing: as the rules of approvals say. */
  isSigned?: typeof isSignedBy;
}>;

/** `people`: those of the settings. Nothing adds a person or a key to them while the server runs. */
export function createSessions(
  people: readonly WebPerson[],
  { lifeMs, isSigned = isSignedBy }: SessionOptions,
): Sessions {
  const passkeys = people.filter(hasPasskey);
  const challenges = createChallenges();
  const sessions = new Map<string, Session>();
  const remove = (isMeant: (session: Session) => boolean): void => {
    for (const [sha256, session] of sessions) if (isMeant(session)) sessions.delete(sha256);
  };
  const makeRoom = ({ name }: WebPerson, nowMs: number): void => {
    remove(({ expiresAtMs }) => expiresAtMs <= nowMs);
    const own = [...sessions.values()].filter(({ person }) => person.name === name);
    const surplus = own.slice(0, Math.max(0, own.length - SESSIONS_OF_PERSON_MAX + 1));
    remove((session) => surplus.includes(session));
  };
  const begin = (person: WebPerson, way: SignInWay, nowMs: number): MadeSession => {
    makeRoom(person, nowMs);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const session = { person, way, sha256: hashOf(secret), expiresAtMs: nowMs + lifeMs };
    sessions.set(session.sha256, session);
    return { secret, session };
  };
  return {
    challenge: (nowMs) => challenges.make(nowMs),
    signIn({ challenge, person: name, signature }, { origin, nowMs }) {
      if (!challenges.take(challenge, nowMs)) throw new BursarError('CHALLENGE_UNKNOWN', {});
      const person = passkeys.find((one) => one.name === name);
      const text = signInText({ origin, challenge });
      // A page on another port, or below the host, could have shown the question of another one.
      const isOfPage = pageOfSignature(signature) === origin;
      // The time of a refusal must not show who is in the settings.
      const { publicKey } = person ?? standInFor(name, passkeys) ?? {};
      const isGenuine = isOfPage && publicKey !== undefined && isSigned(publicKey, text, signature);
      if (person === undefined || !isGenuine) throw new BursarError('SIGN_IN_REFUSED', {});
      return begin(person, 'passkey', nowMs);
    },
    signInByAccount(account, nowMs) {
      const person = people.find(({ oidc }) => oidc === account);
      if (person === undefined) throw new BursarError('OIDC_PERSON_UNKNOWN', {});
      return begin(person, 'oidc', nowMs);
    },
    find(secret, nowMs) {
      const found = sessions.get(hashOf(secret));
      return found !== undefined && nowMs < found.expiresAtMs ? found : undefined;
    },
    end(secret) {
      sessions.delete(hashOf(secret));
    },
  };
}

type PasskeyOwner = WebPerson & Readonly<{ publicKey: string }>;

/** Whose key is compared for a name without a passkey: always the same one, as for a person of the settings. */
const standInFor = (name: string, owners: readonly PasskeyOwner[]): PasskeyOwner | undefined =>
  owners[Number.parseInt(hashOf(name).slice(0, 8), 16) % owners.length];

/** Whether a person approves and signs in by a passkey. */
export const hasPasskey = (person: WebPerson): person is PasskeyOwner =>
  person.publicKey !== null && isPasskeyText(person.publicKey);

const hashOf = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('hex');
