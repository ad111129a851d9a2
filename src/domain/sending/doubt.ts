import type { Attempt, AttemptOutcome, SendRecord } from './send-record.ts';

/**
 * The one place that decides what is ambiguous. A create request is in doubt from the moment in which its attempt is
 * stored until a certain result is stored. No other code of Bursar decides that a request did, or did not, arrive.
 */

/** The result of one HTTP call, without bodies. `documented`: the error body had all three fields of the spec. */
export type CreateCallFacts = Readonly<
  | { kind: 'answered' }
  | { kind: 'not-sent' }
  | { kind: 'no-answer' }
  | { kind: 'unreadable' }
  | { kind: 'refused'; httpStatus: number; documented: boolean }
>;

/** Refusals after which the request may still have been, or may yet be, accepted. */
const STATUSES_AMBIGUOUS: readonly number[] = [408, 409, 425];
const STATUS_THROTTLED = 429;

/** ASSUMED: the spec shows no statuses; these two are HTTP's for a wrong key, signature or account. */
const STATUSES_AUTH: readonly number[] = [401, 403];

/**
 * How a create request ended. Certain are only: nothing left this machine, a readable acceptance, and a documented refusal.
 */
export function classifyCreate(facts: CreateCallFacts): AttemptOutcome {
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
  if (isThrottleRefusal(httpStatus)) return 'THROTTLED';
  const certain =
    documented && httpStatus >= 400 && httpStatus < 500 && !STATUSES_AMBIGUOUS.includes(httpStatus);
  return certain ? 'REJECTED' : 'AMBIGUOUS';
}

/** Whether a refusal speaks about the key or signature: every other request will meet it too. */
export const isAuthRefusal = (httpStatus: number | undefined): boolean =>
  httpStatus !== undefined && STATUSES_AUTH.includes(httpStatus);

/** Whether a refusal speaks about the number of requests. */
export const isThrottleRefusal = (httpStatus: number | undefined): boolean =>
  httpStatus === STATUS_THROTTLED;

/** Outcomes after which the request may have reached the service. */
const MAY_HAVE_ARRIVED: readonly AttemptOutcome[] = ['PENDING', 'AMBIGUOUS', 'THROTTLED'];

export const mayHaveArrived = ({ outcome }: Pick<Attempt, 'outcome'>): boolean =>
  MAY_HAVE_ARRIVED.includes(outcome);

/** Attempts that may have arrived, unless a person has stated since that nothing was created. */
export function openAttempts({
  attempts,
  answer,
}: Pick<SendRecord, 'attempts' | 'answer'>): readonly Attempt[] {
  const clearedN = answer?.kind === 'not-created' ? answer.attempts : 0;
  return attempts.filter((attempt) => mayHaveArrived(attempt) && attempt.n > clearedN);
}

/** Whether a send of the chunk may have arrived, and no person has cleared it. */
export const isInDoubt = (record: Pick<SendRecord, 'attempts' | 'answer'>): boolean =>
  openAttempts(record).length > 0;

/**
 * Whether the service refused every open attempt for its pace alone. It took none of them, if verified lookups show
 * what it takes.
 */
export const isOnlyThrottled = (record: Pick<SendRecord, 'attempts' | 'answer'>): boolean =>
  openAttempts(record).every(({ outcome }) => outcome === 'THROTTLED');
