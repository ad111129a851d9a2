import type { Hold } from '../../domain/holds/hold.ts';
import {
  factsOfLosses,
  type Losses,
  lossesOf,
  lossesOfFacts,
  stopLossReason,
} from '../../domain/holds/stop-loss.ts';
import type { Store } from '../../store/index.ts';
import { putHold } from '../shared/put-hold.ts';

export type StopLossDeps = Readonly<{
  store: Store;
  nowMs(): number;
}>;

/** Holds a batch whose failures are above what its submitter allowed; answers with the hold that this put on. */
export async function stopAtLoss(
  { store, nowMs }: StopLossDeps,
  batchId: string,
  rules: readonly string[],
): Promise<Hold | undefined> {
  if (rules.length === 0) return undefined;
  const losses = await readLosses(store, batchId);
  const [accepted] = await store.holds.lifted(batchId, 'STOP_LOSS');
  const reason = stopLossReason(rules, losses, accepted && lossesOfFacts(accepted.facts));
  if (reason === undefined) return undefined;
  const facts = factsOfLosses(losses);
  return putHold({ store, nowMs }, batchId, { kind: 'STOP_LOSS', reason, facts });
}

const readLosses = async ({ settlements }: Store, batchId: string): Promise<Losses> =>
  lossesOf(await settlements.shares(batchId));
