import { type Log, reasonOf } from './log.ts';

const REST_MS_MIN = 500;
/** So long at most it takes to notice that Temporal is back. */
const REST_MS_MAX = 10_000;
/** When nothing was told for this time, Temporal is asked whether it is there, so that its state is always known. */
const SILENCE_MS_MAX = 10_000;

export type LinkState = 'unknown' | 'up' | 'down';

/** How one call of Temporal went. */
export type Contact<Result = unknown> =
  | Readonly<{ worked: true; result: Result }>
  | Readonly<{ worked: false; error: unknown }>;

/** Makes one call; what it throws is part of the answer. */
export async function attempt<Result>(call: () => Promise<Result>): Promise<Contact<Result>> {
  try {
    return { worked: true, result: await call() };
  } catch (error) {
    return { worked: false, error };
  }
}

/** Remembers how talking to Temporal went, and so when to try again: after an error later and later. */
export function createLink(log: Log) {
  let state: LinkState = 'unknown';
  let failures = 0;
  let triedAtMs = Number.NEGATIVE_INFINITY;

  const hasPassed = (delayMs: number, nowMs: number): boolean =>
    // A clock that was set back must not prolong a rest.
    nowMs < triedAtMs || nowMs - triedAtMs >= delayMs;

  const mayTry = (nowMs: number): boolean =>
    failures === 0 || hasPassed(Math.min(REST_MS_MIN * 2 ** (failures - 1), REST_MS_MAX), nowMs);

  return {
    state: (): LinkState => state,
    mayTry,
    isPingDue: (nowMs: number): boolean => mayTry(nowMs) && hasPassed(SILENCE_MS_MAX, nowMs),

    note(contact: Contact | undefined, nowMs: number): void {
      if (contact === undefined) return;
      triedAtMs = nowMs;
      if (contact.worked) {
        if (state !== 'up') log.info({}, 'Temporal answers');
        state = 'up';
        failures = 0;
        return;
      }
      if (state !== 'down') {
        const facts = { reason: reasonOf(contact.error) };
        log.warn(facts, 'Temporal does not answer; webhooks wait in the spool');
      }
      state = 'down';
      failures += 1;
    },
  };
}
