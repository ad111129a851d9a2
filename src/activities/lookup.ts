import { isClockOff } from '../domain/errors/from-service.ts';
import { isAuthRefusal } from '../domain/sending/doubt.ts';
import type { Lookup } from '../domain/sending/send-record.ts';
import { type LookupRecord, type MassPayout, MerchantApiError } from '../merchant-api/index.ts';
import type { Service } from './service.ts';

/** Operations by which a mass payout can be found by its key. */
export type LookupOperation = 'MASS_GET' | 'LOOKUP';

/** What the service says of an idempotency key. */
export type KeyLook = Readonly<{
  result: Lookup['result'];
  serverDateMs?: number;
  /** When it was asked, by our clock; missing when no question could be put. Milliseconds since 1970. */
  askedAtMs?: number;
  payout?: MassPayout;
  operation: LookupOperation;
}>;

/**
 * Asks the service whether it knows a key: by the operation that is proven to see what was created, or by every one
 * that the service may have. A hit of one is proof; `missed` means that none had it and at least one could be asked.
 */
export async function lookUpKey(
  { api }: Pick<Service, 'api'>,
  key: string,
  proven?: LookupOperation,
): Promise<KeyLook> {
  const looks: KeyLook[] = [];
  for (const operation of proven === undefined ? OPERATIONS : [proven]) {
    const look = await ask(api, operation, key);
    if (look.result === 'found') return look;
    looks.push(look);
  }
  const last = (result: Lookup['result']) => looks.findLast((look) => look.result === result);
  return last('failed') ?? last('missed') ?? latest(looks);
}

/** Of looks that all say the same, one that tells the service's time: it may tell that a fence has passed. */
const latest = (looks: readonly KeyLook[]): KeyLook =>
  looks.findLast(({ serverDateMs }) => serverDateMs !== undefined) ?? {
    result: 'unavailable',
    operation: 'LOOKUP',
  };

const OPERATIONS: readonly LookupOperation[] = ['MASS_GET', 'LOOKUP'];

type Api = Service['api'];

async function ask(api: Api, operation: LookupOperation, key: string): Promise<KeyLook> {
  if (!api.hasOperation(operation)) return { result: 'unavailable', operation };
  try {
    const { payout, ...moment } = await READERS[operation](api, key);
    const times = timesOf(moment);
    // A record under another key is no answer to our question, whatever it is.
    const ours = payout !== undefined && (payout.idempotencyKey ?? key).toLowerCase() === key;
    return ours
      ? { result: 'found', payout, operation, ...times }
      : { result: 'unavailable', operation, ...times };
  } catch (error) {
    if (error instanceof MerchantApiError)
      return { ...fromError(error, api.clockSkewMs()), operation };
    throw error;
  }
}

type Moment = Readonly<{ serverDateMs?: number | undefined; timestampMs?: number | undefined }>;

/** When the question was put, and when the service answered by its own clock, as far as is known. */
const timesOf = ({
  serverDateMs,
  timestampMs,
}: Moment): Pick<KeyLook, 'serverDateMs' | 'askedAtMs'> => ({
  ...(serverDateMs === undefined ? {} : { serverDateMs }),
  ...(timestampMs === undefined ? {} : { askedAtMs: timestampMs }),
});

type Read = Moment & Readonly<{ payout: MassPayout | undefined }>;

const READERS: Readonly<Record<LookupOperation, (api: Api, key: string) => Promise<Read>>> = {
  MASS_GET: async (api, idempotencyKey) => {
    const answer = await api.readMassPayout({ idempotencyKey });
    return { ...answer, payout: answer.value };
  },
  LOOKUP: async (api, idempotencyKey) => {
    const answer = await api.lookup({ idempotencyKey });
    return { ...answer, payout: massPayoutOf(answer.value) };
  },
};

const massPayoutOf = (record: LookupRecord): MassPayout | undefined =>
  record.kind === 'massPayout' ? record : undefined;

/** Statuses with which a server says that it has no such path or method. */
const STATUSES_NO_OPERATION: readonly number[] = [404, 405, 501];

/**
 * ASSUMED: the spec shows no error codes, so a documented refusal counts as "not known" and an undocumented one of a
 * path that leads nowhere as "cannot be asked". A miss is never proof by itself, so being wrong here pays nobody twice.
 */
function fromError(
  error: MerchantApiError,
  skewMs: number | undefined,
): Omit<KeyLook, 'operation'> {
  const times = timesOf(error);
  if (error.kind === 'unreadable' || error.kind === 'unavailable') {
    return { result: 'unavailable', ...times };
  }
  const { httpStatus = 0, documented = false } = error;
  if (error.kind !== 'refused' || isAuthRefusal(httpStatus)) return { result: 'failed', ...times };
  // With clocks so far apart the refusal may be about our timestamp, and say nothing about the key.
  if (isClockOff(skewMs)) return { result: 'failed', ...times };
  if (documented && httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) {
    return { result: 'missed', ...times };
  }
  const noOperation = STATUSES_NO_OPERATION.includes(httpStatus);
  return { result: noOperation ? 'unavailable' : 'failed', ...times };
}
