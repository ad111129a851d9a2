import type { MassPayoutFacts, WithdrawalLookup } from '../../domain/settling/payout-outcomes.ts';
import {
  type WithdrawalLookups,
  withdrawalsToLookUp,
  withdrawalFingerprints,
} from '../../domain/settling/withdrawal-lookups.ts';
import type { WithdrawalRecord } from '../../domain/settling/withdrawals.ts';
import { type LookupRecord, MerchantApiError, type Payout } from '@bursar/merchant-api';
import type { ChunkAt } from '../../store/settlement/withdrawal-lookups.ts';
import type { Store } from '../../store/index.ts';
import { inParallel } from '../shared/in-parallel.ts';
import type { Service } from '../service/service.ts';

/** Withdrawals of one mass payout that are looked up side by side. */
export const LOOKUPS_IN_PARALLEL = 4;

export type WithdrawalLookupDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
}>;

/**
 * Looks up payout records of withdrawals that a mass payout names, at most `max` of them. Returns all that are stored.
 * Each is stored as it comes, so that the next sweep, even after a crash, goes on from there.
 */
export async function lookUpNext(
  { store, service, nowMs }: WithdrawalLookupDeps,
  {
    at,
    account,
    payout,
    max,
  }: Readonly<{ at: ChunkAt; account: string; payout: MassPayoutFacts; max: number }>,
): Promise<WithdrawalLookups> {
  const fingerprints = withdrawalFingerprints(payout);
  if (!service.api.hasOperation('LOOKUP')) {
    const atMs = nowMs();
    return new Map(
      [...fingerprints].map(([id, of]) => [
        id,
        { result: 'unavailable', fingerprint: of, atMs, failures: 0 },
      ]),
    );
  }
  const ids = withdrawalsToLookUp(payout, await store.withdrawalLookups.ofChunk(at), max);
  if (ids.length === 0) return store.withdrawalLookups.ofChunk(at);
  const hasWorked = await hasLookupWorked({ store, service }, account);
  await inParallel(LOOKUPS_IN_PARALLEL, ids, async (id) => {
    const askedMs = nowMs();
    const result = await lookUpWithdrawal(service.api, id, hasWorked);
    await store.withdrawalLookups.save(at, id, {
      result,
      fingerprint: fingerprints.get(id) ?? '',
      atMs: askedMs,
    });
  });
  return store.withdrawalLookups.ofChunk(at);
}

/** Whether the lookup of this service has ever answered readably. */
export async function hasLookupWorked(
  { store, service }: Pick<WithdrawalLookupDeps, 'service'> & Readonly<{ store: Store }>,
  account: string,
): Promise<boolean> {
  const { answering } = await store.lookupVerification.trust(account, service.lookupName);
  return answering.includes('LOOKUP');
}

/** Looks up the payout record of one withdrawal. An unreadable answer passes where the operation `hasWorked` before. */
export async function lookUpWithdrawal(
  api: Service['api'],
  id: string,
  hasWorked: boolean,
): Promise<WithdrawalLookup> {
  try {
    const { value } = await api.lookup({ id });
    return recordOf(value, id);
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    return error.kind === 'unreadable' && hasWorked ? 'failed' : fromError(error);
  }
}

/** A record under another id, or of a mass payout, proves nothing about this withdrawal. */
const recordOf = (record: LookupRecord, id: string): WithdrawalLookup =>
  record.kind === 'payout' && record.id === id ? neededOf(record) : 'missing';

const neededOf = (record: Payout): WithdrawalRecord => ({
  id: record.id,
  state: record.state,
  depositAddress: record.depositAddress,
  amount: record.amount,
  comment: record.comment,
  ...(isCommentUnreadable(record) ? { isCommentUnreadable: true } : {}),
  transactionHash: record.transactionHash,
  fee: record.fee,
  feeCurrency: record.feeCurrency,
});

const isCommentUnreadable = ({ unreadableParts }: Payout): boolean =>
  unreadableParts.some(({ path }) => path === 'comment' || path === '');

/** Refusals that are not about the withdrawal. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

function fromError({ kind, httpStatus = 0, mayBeTooOld }: MerchantApiError): WithdrawalLookup {
  if (kind === 'unavailable' || kind === 'unreadable') return 'unavailable';
  const passing =
    kind !== 'refused' ||
    mayBeTooOld === true ||
    httpStatus >= 500 ||
    PASSING_STATUSES.includes(httpStatus);
  return passing ? 'failed' : 'missing';
}
