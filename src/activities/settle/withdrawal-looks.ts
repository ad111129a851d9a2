import type { MassPayoutFacts, WithdrawalLook } from '../../domain/settling/judge.ts';
import { type KeptLooks, nextLooks, saidBy } from '../../domain/settling/looks.ts';
import type { WithdrawalRecord } from '../../domain/settling/withdrawals.ts';
import { type LookupRecord, MerchantApiError } from '@bursar/merchant-api';
import type { ChunkAt } from '../../store/settlement/withdrawal-lookups.ts';
import type { Store } from '../../store/index.ts';
import { inParallel } from '../shared/in-parallel.ts';
import type { Service } from '../service/service.ts';

/** Withdrawals of one mass payout that are looked up side by side. */
export const LOOKS_IN_PARALLEL = 4;

export type LookDeps = Readonly<{
  store: Store;
  service: Pick<Service, 'api' | 'baseUrl'>;
  nowMs(): number;
}>;

/**
 * Looks up payout records of withdrawals that a mass payout names, at most `max` of them. Returns all that are stored.
 * Each is stored as it comes, so that the next sweep, even after a crash, goes on from there.
 */
export async function lookFurther(
  { store, service, nowMs }: LookDeps,
  {
    at,
    account,
    payout,
    max,
  }: Readonly<{ at: ChunkAt; account: string; payout: MassPayoutFacts; max: number }>,
): Promise<KeptLooks> {
  const said = saidBy(payout);
  if (!service.api.hasOperation('LOOKUP')) {
    const atMs = nowMs();
    return new Map(
      [...said].map(([id, of]) => [id, { look: 'unavailable', said: of, atMs, failures: 0 }]),
    );
  }
  const ids = nextLooks(payout, await store.looks.ofChunk(at), max);
  if (ids.length === 0) return store.looks.ofChunk(at);
  const hasWorked = await hasLookupWorked({ store, service }, account);
  await inParallel(LOOKS_IN_PARALLEL, ids, async (id) => {
    const askedMs = nowMs();
    const look = await lookAt(service.api, id, hasWorked);
    await store.looks.save(at, id, { look, said: said.get(id) ?? '', atMs: askedMs });
  });
  return store.looks.ofChunk(at);
}

/** Whether the lookup of this service has ever answered readably. */
export async function hasLookupWorked(
  { store, service }: Pick<LookDeps, 'service'> & Readonly<{ store: Store }>,
  account: string,
): Promise<boolean> {
  const { answering } = await store.proofs.trust(account, service.baseUrl);
  return answering.includes('LOOKUP');
}

/** Looks up the payout record of one withdrawal. An unreadable answer passes where the operation `hasWorked` before. */
export async function lookAt(
  api: Service['api'],
  id: string,
  hasWorked: boolean,
): Promise<WithdrawalLook> {
  try {
    const { value } = await api.lookup({ id });
    return recordOf(value, id);
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    return error.kind === 'unreadable' && hasWorked ? 'failed' : fromError(error);
  }
}

/** A record under another id, or of a mass payout, proves nothing about this withdrawal. */
const recordOf = (record: LookupRecord, id: string): WithdrawalLook =>
  record.kind === 'payout' && record.id === id ? neededOf(record) : 'missing';

const neededOf = (record: WithdrawalRecord): WithdrawalRecord => ({
  id: record.id,
  state: record.state,
  depositAddress: record.depositAddress,
  amount: record.amount,
  comment: record.comment,
  transactionHash: record.transactionHash,
  fee: record.fee,
  feeCurrency: record.feeCurrency,
});

/** Refusals that are not about the withdrawal. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

function fromError({ kind, httpStatus = 0 }: MerchantApiError): WithdrawalLook {
  if (kind === 'unavailable' || kind === 'unreadable') return 'unavailable';
  const passing = kind !== 'refused' || httpStatus >= 500 || PASSING_STATUSES.includes(httpStatus);
  return passing ? 'failed' : 'missing';
}
