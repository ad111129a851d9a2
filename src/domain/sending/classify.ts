import type { AttemptOutcome } from './send-record.ts';

/** What one HTTP call told, without bodies. `documented`: the error body had all three fields of the spec. */
export type CallFacts = Readonly<
  | { kind: 'answered' }
  | { kind: 'not-sent' }
  | { kind: 'no-answer' }
  | { kind: 'unreadable' }
  | { kind: 'refused'; httpStatus: number; documented: boolean }
>;

/** Refusals after which the request may still have been, or may yet be, accepted. */
const STATUSES_AMBIGUOUS: readonly number[] = [408, 409, 425];
const STATUS_THROTTLED = 429;

/** ASSUMED: the spec shows no statuses; these two are what HTTP says for a wrong key, signature or account. */
const STATUSES_AUTH: readonly number[] = [401, 403];

/**
 * The one place that knows which ends of a create request are certain.
 * Certain are only: nothing left this machine, a readable acceptance, and a documented refusal.
 */
export function classifyCreate(facts: CallFacts): AttemptOutcome {
  switch (facts.kind) {
    case 'answered':
      return 'ACCEPTED';
    case 'not-sent':
      return 'NOT_SENT';
    case 'no-answer':
    case 'unreadable':
      return 'AMBIGUOUS';
    case 'refused':
      return classifyRefusal(facts.httpStatus, facts.documented);
  }
}

function classifyRefusal(httpStatus: number, documented: boolean): AttemptOutcome {
  if (httpStatus === STATUS_THROTTLED) return 'THROTTLED';
  const certain =
    documented && httpStatus >= 400 && httpStatus < 500 && !STATUSES_AMBIGUOUS.includes(httpStatus);
  return certain ? 'REJECTED' : 'AMBIGUOUS';
}

/** Whether a refusal speaks about the key or signature: every other request will meet it too. */
export const isAuthRefusal = (httpStatus: number | undefined): boolean =>
  httpStatus !== undefined && STATUSES_AUTH.includes(httpStatus);
