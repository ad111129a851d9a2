import { isAuthRefusal } from '../../domain/sending/doubt.ts';
import { type MassPayout, MerchantApiError } from '@bursar/merchant-api';
import type { Service } from './service.ts';

type Api = Service['api'];

/** The names of a mass payout. The key helps only where no other request uses it. */
export type PayoutNames = Readonly<{ id: string; idempotencyKey?: string }>;

/**
 * Reads a mass payout that the service has given an id; undefined when the service only shows others. ASSUMED: the spec
 * does not show the arguments of MASS_GET, so a service that refuses the id there is called by LOOKUP, and then by the
 * key. Throws the error of MASS_GET for the id when no way leads to it. Throws at once for an error that is not about
 * the way: no answer, a refused signature, too many requests, a failure of the service.
 */
export async function readPayout(api: Api, names: PayoutNames): Promise<MassPayout | undefined> {
  let refusal: MerchantApiError | undefined;
  let toldOfAnother = false;
  for (const way of WAYS) {
    try {
      const payout = await way(api, names);
      if (payout?.id === names.id) return payout;
      toldOfAnother ||= payout !== undefined;
    } catch (error) {
      if (!(error instanceof MerchantApiError) || !isAboutQuestion(error)) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined && !toldOfAnother) throw refusal;
  return undefined;
}

type Way = (api: Api, names: PayoutNames) => Promise<MassPayout | undefined>;

const WAYS: readonly Way[] = [
  async (api, { id }) => (await api.readMassPayout({ id })).value,
  async (api, { id }) => {
    if (!api.hasOperation('LOOKUP')) return undefined;
    const { value } = await api.lookup({ id });
    return value.kind === 'massPayout' ? value : undefined;
  },
  async (api, { idempotencyKey }) =>
    idempotencyKey === undefined ? undefined : (await api.readMassPayout({ idempotencyKey })).value,
];

/** Refusals that would meet every other question too, or that pass. */
const STATUSES_OF_NO_WAY: readonly number[] = [408, 409, 425, 429];

/** Whether the service answered, and its answer is about this request alone: another operation may lead further. */
export function isAboutQuestion({ kind, httpStatus = 0, mayBeTooOld }: MerchantApiError): boolean {
  if (kind === 'unreadable' || kind === 'unavailable') return true;
  if (kind !== 'refused' || mayBeTooOld === true || isAuthRefusal(httpStatus)) return false;
  const isAboutRequest = httpStatus >= 400 && httpStatus < 500;
  return httpStatus === 501 || (isAboutRequest && !STATUSES_OF_NO_WAY.includes(httpStatus));
}
