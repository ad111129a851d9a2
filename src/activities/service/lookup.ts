import { isClockOff } from '../../domain/errors/from-service.ts';
import { isAuthRefusal } from '../../domain/sending/doubt.ts';
import type { Lookup } from '../../domain/sending/send-record.ts';
import { unreadableFacts } from '../../domain/sending/verify.ts';
import { type LookupRecord, type MassPayout, MerchantApiError } from '@bursar/merchant-api';
import type { LookupOperation } from '../../store/sending/lookup-verification.ts';
import type { Service } from './service.ts';

export type { LookupOperation } from '../../store/sending/lookup-verification.ts';

/** The result of looking up an idempotency key. */
export type KeyLookup = Readonly<{
  result: Lookup['result'];
  serverDateMs?: number;
  /** When it was sent, by our clock; missing when no request could be sent. Milliseconds since 1970. */
  askedAtMs?: number;
  payout?: MassPayout;
  operation: LookupOperation;
  /** The `traceId` of an answer that is an error. */
  traceId?: string;
  /** Further mass payouts that the service shows under the same key. */
  others: readonly MassPayout[];
  /** The answer of each operation that was called. */
  answers: readonly OperationLookup[];
}>;

/** What one operation answered. */
export type OperationLookup = Omit<KeyLookup, 'others' | 'answers'>;

/** How carefully a key is looked up. */
export type LookupCare = Readonly<{
  /** The operations to call; every one that the service may have by default. */
  operations?: readonly LookupOperation[];
  /** Operations that have answered readably before. What else they answer is a failure that passes. */
  answering?: readonly LookupOperation[];
  /**
   * Calls every operation on a connection of its own, also after one has found the key, and again after a broken
   * answer.
   */
  isThorough?: boolean;
}>;

/**
 * Looks up a key at the service. A hit of one operation is proof. `missed` means that none had it, that at least one
 * could be called, and that every operation missed that has ever answered.
 */
export async function lookUpKey(
  { api }: Pick<Service, 'api'>,
  key: string,
  care: LookupCare = {},
): Promise<KeyLookup> {
  const answers: OperationLookup[] = [];
  for (const operation of care.operations ?? OPERATIONS) {
    const lookup = await lookUpWithCare(api, { operation, key }, care);
    answers.push(lookup);
    if (lookup.result === 'found' && care.isThorough !== true) break;
  }
  return { ...together(answers), answers };
}

function together(answers: readonly OperationLookup[]): Omit<KeyLookup, 'answers'> {
  const found = answers.filter(({ result }) => result === 'found');
  const [first] = found;
  if (first !== undefined) {
    const others = found.flatMap(({ payout }) => (payout === undefined ? [] : [payout]));
    return { ...first, others: others.filter(({ id }) => id !== first.payout?.id) };
  }
  const failed = answers.findLast(({ result }) => result === 'failed');
  return { ...(failed ?? firstMiss(answers) ?? latest(answers)), others: [] };
}

/** A miss of several operations is as old as the first of their questions. */
const firstMiss = (answers: readonly OperationLookup[]): OperationLookup | undefined =>
  answers
    .filter(({ result }) => result === 'missed')
    .reduce<OperationLookup | undefined>(
      (first, lookup) =>
        (lookup.askedAtMs ?? 0) < (first?.askedAtMs ?? Infinity) ? lookup : first,
      undefined,
    );

/** Of equal lookups, one with the service's time: it may show that a fence has passed. */
const latest = (lookups: readonly OperationLookup[]): OperationLookup =>
  lookups.findLast(({ serverDateMs }) => serverDateMs !== undefined) ?? {
    result: 'unavailable',
    operation: 'LOOKUP',
  };

const OPERATIONS: readonly LookupOperation[] = ['MASS_GET', 'LOOKUP'];

/** Calls of a thorough lookup of one key to one operation. With four of ten answers broken, one lookup in 16 fails. */
const TRIES_MAX = 3;
/** A question that was open for longer is not put again at once, in milliseconds. */
const QUICK_MS = 2_000;

type Api = Service['api'];
type Question = Readonly<{ operation: LookupOperation; key: string }>;

async function lookUpWithCare(
  api: Api,
  question: Question,
  care: LookupCare,
): Promise<OperationLookup> {
  const { operation } = question;
  const { answering = [], isThorough = false } = care;
  for (let tries = 1; ; tries += 1) {
    const startedMs = performance.now();
    const { passes = false, ...lookup } = await callOperation(api, question, isThorough);
    const hasWorked = answering.includes(operation) && api.hasOperation(operation);
    const isBroken = lookup.result === 'failed' || (hasWorked && lookup.result === 'unavailable');
    if (!isBroken) return lookup;
    const isQuick = performance.now() - startedMs < QUICK_MS;
    if (!isThorough || !passes || !isQuick || tries === TRIES_MAX)
      return { ...lookup, result: 'failed' };
  }
}

/** `passes`: whether the same call may get an answer at once. */
type OperationAnswer = OperationLookup & Readonly<{ passes?: boolean }>;

async function callOperation(
  api: Api,
  { operation, key }: Question,
  isFresh: boolean,
): Promise<OperationAnswer> {
  if (!api.hasOperation(operation)) return { result: 'unavailable', operation };
  try {
    const options = isFresh ? ({ connection: 'fresh' } as const) : {};
    const { payout, ...moment } = await READERS[operation](api, key, options);
    const times = timesOf(moment);
    // A fact that cannot be read is never taken for ours, and nothing is sent beside it: the next read may show it.
    if (payout !== undefined && unreadableFacts(payout).length > 0) {
      return { result: 'failed', passes: true, operation, ...times };
    }
    // A record under another key is no answer to our lookup.
    const ours = payout !== undefined && (payout.idempotencyKey ?? key).toLowerCase() === key;
    return ours
      ? { result: 'found', payout, operation, ...times }
      : { result: 'unavailable', operation, ...times };
  } catch (error) {
    if (error instanceof MerchantApiError)
      return { ...fromError(error, api.clockSkewMs()), operation, ...traceOf(error) };
    throw error;
  }
}

const traceOf = ({ traceId }: MerchantApiError): Readonly<{ traceId?: string }> =>
  traceId === undefined ? {} : { traceId };

type Moment = Readonly<{ serverDateMs?: number | undefined; timestampMs?: number | undefined }>;

/** When the request was sent, and when the service answered by its own clock, as far as they are known. */
const timesOf = ({
  serverDateMs,
  timestampMs,
}: Moment): Pick<KeyLookup, 'serverDateMs' | 'askedAtMs'> => ({
  ...(serverDateMs === undefined ? {} : { serverDateMs }),
  ...(timestampMs === undefined ? {} : { askedAtMs: timestampMs }),
});

type Read = Moment & Readonly<{ payout: MassPayout | undefined }>;
type ReadOptions = Readonly<{ connection?: 'fresh' }>;
type Reader = (api: Api, key: string, options: ReadOptions) => Promise<Read>;

const READERS: Readonly<Record<LookupOperation, Reader>> = {
  MASS_GET: async (api, idempotencyKey, options) => {
    const answer = await api.readMassPayout({ idempotencyKey }, options);
    return { ...answer, payout: answer.value };
  },
  LOOKUP: async (api, idempotencyKey, options) => {
    const answer = await api.lookup({ idempotencyKey }, options);
    return { ...answer, payout: massPayoutOf(answer.value) };
  },
};

const massPayoutOf = (record: LookupRecord): MassPayout | undefined =>
  record.kind === 'massPayout' ? record : undefined;

/** Statuses of a server without such a path or method. */
const STATUSES_NO_OPERATION: readonly number[] = [404, 405, 501];

/**
 * ASSUMED: the spec shows no error codes, so a documented refusal counts as "not known" and an undocumented one of a
 * missing path as "cannot be called". A miss is never proof by itself, so a wrong assumption pays no row twice.
 */
function fromError(
  error: MerchantApiError,
  skewMs: number | undefined,
): Omit<OperationAnswer, 'operation'> {
  const { httpStatus = 0, documented = false, timestampMs } = error;
  // The error page of a proxy may show any time, and one `Date` that is an hour old keeps the fence for an hour.
  const times = timesOf(documented ? error : { timestampMs });
  if (error.kind === 'unreadable') return { result: 'unavailable', passes: true, ...times };
  if (error.kind === 'unavailable') return { result: 'unavailable', ...times };
  const passes = error.kind === 'no-answer' || httpStatus >= 500;
  if (error.kind !== 'refused' || isAuthRefusal(httpStatus)) {
    return { result: 'failed', passes, ...times };
  }
  // With clocks so far apart the refusal may be about our timestamp, and not about the key.
  if (isClockOff(skewMs)) return { result: 'failed', ...times };
  if (documented && httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) {
    // So late, it may be about our timestamp too. Example: a frozen service answers five lookups after the window.
    return { result: error.mayBeTooOld === true ? 'failed' : 'missed', ...times };
  }
  if (!STATUSES_NO_OPERATION.includes(httpStatus)) return { result: 'failed', passes, ...times };
  // Without any operation nothing else may show the time of the service.
  return { result: 'unavailable', passes, ...timesOf(error) };
}
