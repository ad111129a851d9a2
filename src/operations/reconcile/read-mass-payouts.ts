import type { DifferenceCode } from '../../domain/reconcile/difference-texts.ts';
import type { DifferenceCase, Differences } from '../../domain/reconcile/differences.ts';
import { compareAmounts, formatAmount } from '../../domain/money/amount.ts';
import { amountText } from '../../domain/text/money-text.ts';
import { createTally } from '../../domain/money/tally.ts';
import { differencesOf, readAmount } from '../../domain/sending/verify.ts';
import type { MassPayout } from '@bursar/merchant-api';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { isAboutObject, type Read } from './patient-reads.ts';

/** The mass payouts of one currency as the service returns them now. */
export type MassPayoutSums = Readonly<{
  count: number;
  amount: string;
  fee: string;
  byState: Readonly<Record<string, number>>;
  /** Whether each one is COMPLETED and has its fee, so that fees can be compared. */
  isWhole: boolean;
}>;

type Deps = Readonly<{
  read: Read;
  store: Store;
  differences: Differences;
  account: string;
  batchId: string;
  /** Called with the number of mass payouts read so far. */
  tell: (read: number) => void;
}>;

/** Reads every mass payout of a batch by a signed read, and names the differences from the store. */
export async function readMassPayouts(
  deps: Deps,
  chunks: readonly ChunkRecord[],
): Promise<ReadonlyMap<string, MassPayoutSums>> {
  const sums = new Map<string, ReturnType<typeof createSums>>();
  const sumsOf = (currency: string) => {
    const known = sums.get(currency) ?? createSums();
    sums.set(currency, known);
    return known;
  };
  let read = 0;
  for (const chunk of chunks) {
    if (chunk.massPayoutId === null) continue;
    const created = { ...chunk, massPayoutId: chunk.massPayoutId };
    const payout = await readOne(deps, created);
    deps.tell((read += 1));
    if (payout === undefined) sumsOf(chunk.currency).miss();
    else {
      sumsOf(chunk.currency).add(payout);
      await compare(deps, created, payout);
    }
  }
  return new Map([...sums].map(([currency, of]) => [currency, of.end()]));
}

type Created = ChunkRecord & Readonly<{ massPayoutId: string }>;

/** Reads one mass payout; undefined, and a difference, when the service does not show it. */
async function readOne(deps: Deps, chunk: Created): Promise<MassPayout | undefined> {
  const { massPayoutId: id, currency } = chunk;
  const tell = (why: string): void =>
    deps.differences.add('MASS_PAYOUT_UNREAD', currency, caseOf(chunk, why));
  try {
    const payout = await askFor(deps.read, id);
    if (payout?.id === id) return payout;
    tell('the service returned another one under its id');
  } catch (error) {
    if (!isAboutObject(error)) throw error;
    tell(error.message);
  }
  return undefined;
}

/** Reads by MASS_GET, and by LOOKUP where MASS_GET does not take the id. */
async function askFor(read: Read, id: string): Promise<MassPayout | undefined> {
  try {
    return await read((api, call) => api.readMassPayout({ id }, call));
  } catch (error) {
    if (!isAboutObject(error)) throw error;
    try {
      const found = await read((api, call) => api.lookup({ id }, call));
      return found.kind === 'massPayout' ? found : undefined;
    } catch (other) {
      // The first refusal has more detail: every service has MASS_GET.
      throw isAboutObject(other) ? error : other;
    }
  }
}

async function compare(deps: Deps, chunk: Created, payout: MassPayout): Promise<void> {
  const { massPayoutId, currency, massState, final } = chunk;
  const { batchId, account, store } = deps;
  const tell = (code: DifferenceCode, detail: string): void =>
    deps.differences.add(code, currency, caseOf(chunk, detail));
  const ref = { batchId, chunk: chunk.chunk, idempotencyKey: chunk.idempotencyKey };
  const { answer } = await store.sends.record(ref);
  // One that a person adopted may have another key; that is why it was adopted.
  const isAdopted = answer?.kind === 'adopt' && answer.massPayoutId === massPayoutId;
  const told = isAdopted ? { ...payout, idempotencyKey: undefined } : payout;
  const differences = differencesOf({ ...chunk, account, currency }, told);
  if (differences.length > 0) tell('MASS_PAYOUT_DIFFERS', differences.join('; '));
  if (final && massState !== null && payout.state !== massState) {
    tell('MASS_PAYOUT_CHANGED', `${massState} then, ${payout.state} now`);
  }
  const [before, now] = [chunk.fee, payout.totalFee].map((fee) => readAmount(fee ?? ''));
  if (before === undefined || now === undefined || compareAmounts(before, now) === 0) return;
  const detail = `${amountText(formatAmount(before), currency)} then, ${amountText(formatAmount(now), currency)} now`;
  if (final) tell('FEE_CHANGED', detail);
}

const caseOf = ({ chunk, massPayoutId, total }: Created, detail: string): DifferenceCase => ({
  chunk,
  massPayoutId,
  amount: total,
  detail,
});

function createSums() {
  const [amount, fee] = [createTally(), createTally()];
  const byState: Record<string, number> = {};
  let [count, isWhole] = [0, true];
  return {
    add({ state, totalWithdrawalAmount, totalFee }: MassPayout): void {
      count += 1;
      byState[state] = (byState[state] ?? 0) + 1;
      const [told, charged] = [totalWithdrawalAmount, totalFee].map((text) =>
        readAmount(text ?? ''),
      );
      if (told !== undefined) amount.add(told);
      if (charged !== undefined) fee.add(charged);
      isWhole &&= state === 'COMPLETED' && charged !== undefined;
    },
    miss(): void {
      isWhole = false;
    },
    end: (): MassPayoutSums => ({
      count,
      byState,
      isWhole,
      amount: formatAmount(amount.total()),
      fee: formatAmount(fee.total()),
    }),
  };
}
