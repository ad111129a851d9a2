import { forbidsSending, unasked } from './answers.ts';
import type { ChunkState } from '../batch/chunk-state.ts';
import { canPass, type OperatorReason } from './send-command.ts';
import type { Attempt, ClockReading, Lookup, OperatorAnswer, SendRecord } from './send-record.ts';

/** The state of the sending of one chunk: all facts, and the conclusions from them. */
export type SendState = Readonly<{
  record: SendRecord;
  state: ChunkState;
  /** Why a person is asked; only in NEEDS_OPERATOR. */
  reason?: OperatorReason;
  /** Missing: the store lacks no send of the chunk. */
  verification?: ChunkVerification;
}>;

/**
 * Whether a store that was restored lacks sends of a chunk. `due`: it may. `by-lookups`: it does not, as lookups alone say. A
 * later attempt, or the answer of a person who was asked, settles it for good.
 */
export type ChunkVerification = 'due' | 'by-lookups';

/** What shows that the store lacks no send of a chunk. `refusal`: its last attempt was refused, and nothing is sent after that. */
export type VerifiedBy = 'lookups' | 'refusal';

/** The mass payout that the service has for the chunk, and how it differs from the intent. */
export type SeenPayout = NonNullable<SendRecord['payout']>;

/** The end of an attempt; its record from the beginning stays. */
type AttemptEnding = Omit<Attempt, 'timestampMs' | 'begun'>;

/**
 * An event in the sending of a chunk. Each is stored whole or not at all; times are in milliseconds since 1970.
 * `attempts`, `from`: the number of attempts when the conclusion was made, and the state of the chunk then.
 */
export type SendEvent = Readonly<
  | { kind: 'attempt-began'; n: number; timestampMs: number; begun?: ClockReading }
  | { kind: 'attempt-ended'; end: AttemptEnding; payout?: SeenPayout }
  | { kind: 'looked-up'; lookup: Lookup; payout?: SeenPayout }
  | { kind: 'payout-read'; payout: SeenPayout }
  | { kind: 'asked-operator'; attempts: number; from: ChunkState; reason: OperatorReason }
  /** A question is taken back before a person has answered it. */
  | { kind: 'question-withdrawn'; attempts: number }
  | { kind: 'answered'; answer: OperatorAnswer }
  | { kind: 'answer-dropped'; massPayoutId: string }
  | { kind: 'rejected'; attempts: number; from: ChunkState }
  | { kind: 'not-sent'; attempts: number; from: ChunkState }
  | { kind: 'abandoned' }
  /** An older copy took the place of the store: sends of the chunk may be missing. */
  | { kind: 'store-restored' }
  | { kind: 'verified'; by: VerifiedBy; attempts: number; from: ChunkState }
  /** Lookups contradicted themselves: what they have shown counts no more. */
  | { kind: 'lookups-disproven' }
>;

/** From what something was concluded. */
type Concluded = Readonly<{ attempts: number; from: ChunkState }>;

/** States in which the sending of a chunk is not over. */
export const SENDABLE: readonly ChunkState[] = ['PLANNED', 'SENDING', 'NEEDS_OPERATOR'];
/** States from which a create request may leave. A person who is asked may be about to pay in another way. */
export const MAY_BEGIN: readonly ChunkState[] = ['PLANNED', 'SENDING'];

export const NOTHING_SENT: SendState = { record: { attempts: [], lookups: [] }, state: 'PLANNED' };

/**
 * The sending of a chunk after an event. Returns undefined when the event came too late, because another one was stored
 * since its decision. Then nothing has changed, and the caller decides again.
 */
export function reduceSend(before: SendState, event: SendEvent): SendState | undefined {
  if (before.verification === 'due' && NEEDS_ALL_SENDS.includes(event.kind)) return undefined;
  const after = stateAfter(before, event);
  if (after === undefined) return undefined;
  const { record, state, reason } = after;
  return {
    record,
    state,
    ...(reason === undefined || state !== 'NEEDS_OPERATOR' ? {} : { reason }),
    ...withVerification(verificationAfter(before, event)),
  };
}

/**
 * The gate after a restore: what is refused while the store may lack sends of the chunk. Each of these rests on the attempts
 * that the store has. Example: a chunk is PLANNED in the older copy, and was paid after the copy was taken. An attempt would
 * pay it twice, and a stop would offer its rows to a resend.
 */
const NEEDS_ALL_SENDS: readonly SendEvent['kind'][] = ['attempt-began', 'rejected', 'not-sent'];

/** After an event that counted. */
function verificationAfter(
  { verification, state }: SendState,
  event: SendEvent,
): ChunkVerification | undefined {
  switch (event.kind) {
    case 'store-restored':
      return 'due';
    case 'verified':
      return event.by === 'lookups' ? 'by-lookups' : undefined;
    case 'lookups-disproven':
      return verification === undefined ? undefined : 'due';
    case 'attempt-began':
      return undefined;
    case 'answered':
      return answersAll(event.answer, state) ? undefined : verification;
    default:
      return verification;
  }
}

/** Who answers unasked may have looked before the last send could be seen. */
export const answersAll = ({ kind }: OperatorAnswer, state: ChunkState): boolean =>
  kind === 'not-created' && state === 'NEEDS_OPERATOR';

export const withVerification = (
  verification: ChunkVerification | undefined,
): Readonly<{ verification?: ChunkVerification }> =>
  verification === undefined ? {} : { verification };

function stateAfter(before: SendState, event: SendEvent): SendState | undefined {
  const { record } = before;
  switch (event.kind) {
    case 'attempt-began':
      return begin(before, event);
    case 'attempt-ended': {
      const { payout } = event;
      return withPayout({ ...before, record: withEnd(record, event.end) }, payout);
    }
    case 'looked-up': {
      const lookups = [...record.lookups, event.lookup].sort((a, b) => a.atMs - b.atMs);
      return withPayout({ ...before, record: { ...record, lookups } }, event.payout);
    }
    case 'payout-read':
      return withPayout(before, event.payout);
    case 'asked-operator':
      return mayAsk(before, event)
        ? { ...before, state: 'NEEDS_OPERATOR', reason: event.reason }
        : undefined;
    case 'question-withdrawn':
      return withdraw(before, event.attempts);
    case 'answered':
      return answer(before, event.answer);
    case 'answer-dropped':
      return dropAnswer(before, event.massPayoutId);
    case 'rejected':
      return conclude(before, 'REJECTED', event);
    case 'not-sent':
      return conclude(before, 'NOT_SENT', event);
    case 'abandoned':
      return { ...before, state: 'ABANDONED' };
    case 'store-restored':
    case 'lookups-disproven':
      return before;
    case 'verified':
      return verify(before, event);
  }
}

/** The attempt is the guard: of several workers only the one that writes it down may send it. */
function begin(
  { record, state }: SendState,
  { n, timestampMs, begun }: Readonly<{ n: number; timestampMs: number; begun?: ClockReading }>,
): SendState | undefined {
  const isNext = n === record.attempts.length + 1;
  if (!isNext || !MAY_BEGIN.includes(state) || record.payout !== undefined) return undefined;
  if (forbidsSending(record.answer)) return undefined;
  const mark = begun === undefined ? {} : { begun };
  const attempts: Attempt[] = [...record.attempts, { n, timestampMs, ...mark, outcome: 'PENDING' }];
  return { record: { ...record, attempts }, state: 'SENDING' };
}

const withEnd = (record: SendRecord, end: AttemptEnding): SendRecord => ({
  ...record,
  attempts: record.attempts.map((attempt) => {
    if (attempt.n !== end.n) return attempt;
    const { timestampMs, begun } = attempt;
    return { ...end, timestampMs, ...(begun === undefined ? {} : { begun }) };
  }),
});

/**
 * A chunk that has its mass payout is CREATED, after any earlier conclusion; or waits for a person when the two differ.
 * A second mass payout never replaces the first: both may pay the same rows, so a person decides.
 */
function withPayout(before: SendState, payout: SeenPayout | undefined): SendState {
  if (payout === undefined) return before;
  const change = changeBy(before, payout);
  if (change === undefined) return before;
  const isOurs = change.payout.differences.length === 0;
  return {
    ...before,
    record: { ...before.record, ...change },
    state: isOurs ? 'CREATED' : before.state,
  };
}

type KnownPayouts = Pick<SendRecord, 'payout' | 'others'>;

/** The change of the chunk from a mass payout that was found; undefined when there is none. */
export function changeBy(
  {
    record,
    state,
  }: Readonly<{ record: KnownPayouts & Pick<SendRecord, 'answer'>; state: ChunkState }>,
  seen: SeenPayout,
): (Required<Pick<SendRecord, 'payout'>> & Pick<SendRecord, 'others'>) | undefined {
  const { payout: known, others = [], answer: given } = record;
  if (known === undefined) return { payout: seen };
  const isKnown = known.id === seen.id;
  // A worker that was frozen can bring an answer after the same mass payout was found and accepted.
  if (isKnown && state === 'CREATED' && known.differences.length === 0) return undefined;
  const isAdopted = given?.kind === 'adopt' && given.massPayoutId === seen.id;
  if (isAdopted) return { payout: seen, ...withOthers(othersWithout(record, seen.id)) };
  if (isKnown) return others.length > 0 ? undefined : { payout: seen };
  if (others.includes(seen.id)) return undefined;
  const differences = [...known.differences, secondPayoutText(seen.id)];
  return { payout: { ...known, differences }, others: [...others, seen.id] };
}

/** The other mass payouts once a person has adopted one. The one that it replaces is another then, if there were two. */
function othersWithout({ payout, others = [] }: KnownPayouts, adoptedId: string): string[] {
  const rest = others.filter((id) => id !== adoptedId);
  const isReplaced = others.length > 0 && payout !== undefined && payout.id !== adoptedId;
  return isReplaced ? [...rest, payout.id] : rest;
}

const withOthers = (others: readonly string[]): Pick<SendRecord, 'others'> =>
  others.length === 0 ? {} : { others };

export const secondPayoutText = (id: string): string =>
  `the service has a second one for it, ${id}`;

/** How a mass payout differs whose key lookups miss, though two creates of it left: they would miss a second one too. */
export const HIDDEN_TEXT =
  'two creates of it left, and a lookup by its key did not find it: a second one may be hidden';

/** Why a person is asked about a mass payout that differs. */
export function payoutReason({ payout, others = [] }: KnownPayouts): OperatorReason {
  if (others.length > 0) return 'TWO_PAYOUTS';
  const isHidden = payout?.differences.includes(HIDDEN_TEXT) ?? false;
  return isHidden ? 'SECOND_PAYOUT_POSSIBLE' : 'PAYOUT_DIFFERS';
}

/** The asking worker may have been frozen: meanwhile the chunk was sent again, found, refused, closed, or answered. */
function mayAsk({ record, state }: SendState, { attempts, from }: Concluded): boolean {
  if (record.attempts.length !== attempts || state !== from) return false;
  return state === 'CREATED'
    ? (record.payout?.differences ?? []).length > 0
    : SENDABLE.includes(state);
}

/** Only while nothing has been sent, found or answered since the question. */
function withdraw({ record, state, reason }: SendState, attempts: number): SendState | undefined {
  if (state !== 'NEEDS_OPERATOR' || !canPass(reason)) return undefined;
  if (record.attempts.length !== attempts || record.payout !== undefined) return undefined;
  return { record, state: 'SENDING' };
}

/** Of two people who answer, the second is refused; a repeated answer changes nothing. */
function answer({ record, state }: SendState, given: OperatorAnswer): SendState | undefined {
  if (state === 'NEEDS_OPERATOR') return { record: { ...record, answer: given }, state: 'SENDING' };
  if (record.answer !== undefined || !['PLANNED', 'SENDING'].includes(state)) return undefined;
  return { record: { ...record, answer: unasked(given) }, state: 'SENDING' };
}

/** States in which a chunk can be verified. While a person is asked, lookups verify nothing: the question is withdrawn first. */
export const statesToVerify = (by: VerifiedBy): readonly ChunkState[] =>
  by === 'lookups' ? MAY_BEGIN : SENDABLE;

/** Only while nothing was sent, found or answered since the decision. */
function verify(
  before: SendState,
  { by, attempts, from }: Concluded & Readonly<{ by: VerifiedBy }>,
): SendState | undefined {
  const { record, state, verification } = before;
  const isOpen = state === from && statesToVerify(by).includes(state);
  if (verification !== 'due' || !isOpen) return undefined;
  if (record.attempts.length !== attempts || record.payout !== undefined) return undefined;
  return before;
}

/** An adoption that led to nothing is dropped; another answer of a person stays. */
function dropAnswer(before: SendState, massPayoutId: string): SendState {
  const { answer: given, ...rest } = before.record;
  const isThat = given?.kind === 'adopt' && given.massPayoutId === massPayoutId;
  return isThat ? { ...before, record: rest } : before;
}

/** Closes the chunk as not created for good, if the facts of the decision are still complete. */
function conclude(
  before: SendState,
  state: 'REJECTED' | 'NOT_SENT',
  { attempts, from }: Concluded,
): SendState | undefined {
  const { record } = before;
  if (!SENDABLE.includes(from) || before.state !== from) return undefined;
  if (record.attempts.length !== attempts || forbidsSending(record.answer)) return undefined;
  return record.payout === undefined ? { record, state } : undefined;
}
