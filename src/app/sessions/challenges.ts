import { randomBytes } from 'node:crypto';
import { CHALLENGE_MS } from '../../domain/approval/sign-in.ts';

const CHALLENGE_BYTES = 32;

/** Challenges that are open at once. The oldest makes room: callers that never sign in fill no memory. */
const CHALLENGES_MAX = 10_000;

export type OpenChallenge = Readonly<{ challenge: string; expiresAtMs: number }>;

/** Random texts that are each signed once. They are in memory alone. */
export type Challenges = Readonly<{
  make(nowMs: number): OpenChallenge;
  /** Whether a challenge was made, has not expired, and was not taken before. */
  take(challenge: string, nowMs: number): boolean;
}>;

export function createChallenges(): Challenges {
  const open = new Map<string, number>();
  return {
    make(nowMs) {
      const [oldest] = open.size < CHALLENGES_MAX ? [] : open.keys();
      if (oldest !== undefined) open.delete(oldest);
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      const expiresAtMs = nowMs + CHALLENGE_MS;
      open.set(challenge, expiresAtMs);
      return { challenge, expiresAtMs };
    },
    take(challenge, nowMs) {
      const expiresAtMs = open.get(challenge);
      open.delete(challenge);
      return expiresAtMs !== undefined && nowMs < expiresAtMs;
    },
  };
}
