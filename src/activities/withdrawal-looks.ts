import type { WithdrawalLook } from '../domain/settling/judge.ts';
import type { WithdrawalError } from '../domain/settling/withdrawals.ts';
import { type LookupRecord, MerchantApiError } from '../merchant-api/index.ts';
import { inParallel } from './in-parallel.ts';
import type { Service } from './service.ts';

/** Withdrawals of one mass payout that are looked up side by side. */
const LOOKS_IN_PARALLEL = 4;

/** Looks up the payout record of every withdrawal that a mass payout names, by withdrawal id. */
export async function lookAtWithdrawals(
  { api }: Pick<Service, 'api'>,
  entries: readonly WithdrawalError[],
): Promise<ReadonlyMap<string, WithdrawalLook>> {
  const looks = new Map<string, WithdrawalLook>();
  await inParallel(LOOKS_IN_PARALLEL, entries, async ({ withdrawalId }) => {
    looks.set(withdrawalId, await lookAt(api, withdrawalId));
  });
  return looks;
}

async function lookAt(api: Service['api'], id: string): Promise<WithdrawalLook> {
  if (!api.hasOperation('LOOKUP')) return 'unavailable';
  try {
    const { value } = await api.lookup({ id });
    return recordOf(value, id);
  } catch (error) {
    if (error instanceof MerchantApiError) return fromError(error);
    throw error;
  }
}

/** A record under another id, or of a mass payout, says nothing about this withdrawal. */
const recordOf = (record: LookupRecord, id: string): WithdrawalLook =>
  record.kind === 'payout' && record.id === id ? record : 'missing';

/** Refusals that say nothing about the withdrawal. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

function fromError({ kind, httpStatus = 0 }: MerchantApiError): WithdrawalLook {
  if (kind === 'unavailable' || kind === 'unreadable') return 'unavailable';
  const passing = kind !== 'refused' || httpStatus >= 500 || PASSING_STATUSES.includes(httpStatus);
  return passing ? 'failed' : 'missing';
}
