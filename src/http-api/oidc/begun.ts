import { createHash, randomBytes } from 'node:crypto';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { BegunSignIn } from './provider.ts';

/** How long a person may take at the provider, in milliseconds. */
export const BEGUN_MS = 600_000;

/** Sign-ins that wait at once. The oldest makes room: callers that never finish fill no memory. */
const BEGUN_MAX = 10_000;

const SECRET_BYTES = 32;

/** Where an answer of the provider comes from: its state, and the secret in the cookie of the browser. */
export type ReturnedSignIn = Readonly<{ state: string; secret: string }>;

/** Sign-ins that wait for the provider, in memory alone. Each one counts once, in the browser that began it. */
export type BegunSignIns = Readonly<{
  /** Returns the secret for the cookie of the browser. */
  keep(begun: BegunSignIn, nowMs: number): string;
  /** @throws OIDC_REFUSED */
  take(returned: ReturnedSignIn, nowMs: number): BegunSignIn;
}>;

type Kept = Readonly<{ begun: BegunSignIn; sha256: string; expiresAtMs: number }>;

export function createBegunSignIns(): BegunSignIns {
  const open = new Map<string, Kept>();
  return {
    keep(begun, nowMs) {
      const [oldest] = open.size < BEGUN_MAX ? [] : open.keys();
      if (oldest !== undefined) open.delete(oldest);
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      open.set(begun.state, { begun, sha256: hashOf(secret), expiresAtMs: nowMs + BEGUN_MS });
      return secret;
    },
    take({ state, secret }, nowMs) {
      const kept = open.get(state);
      open.delete(state);
      if (kept === undefined) throw refused('this sign-in is not known, or was used');
      if (kept.expiresAtMs <= nowMs) throw refused('it took too long');
      if (kept.sha256 !== hashOf(secret)) throw refused('another browser has begun it');
      return kept.begun;
    },
  };
}

const refused = (reason: string): BursarError => new BursarError('OIDC_REFUSED', { reason });

const hashOf = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('hex');
