import { readDefinition } from '../../contract/schedule.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import type { FundsClaim } from '../../domain/funds/claim.ts';
import { knownBalances } from '../../domain/funds/known-balances.ts';
import { runsIn } from '../../domain/schedule/runs.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext, Progress, ServiceAccess } from '../context.ts';
import { readBalances, withService } from '../service/preflight.ts';
import { type DueTimes, type FundsView, fundsView, upcomingRuns } from './funds-view.ts';
import { withSources } from './sources.ts';
import type { Sources } from './types.ts';

/** `account`: missing: that of the settings. `aheadMs`: how far ahead runs of schedules count. */
export type FundsChoices = Readonly<{ account?: string; aheadMs: number }>;

/** `name`: that of the account at the service; empty: it has none. */
export type AccountFunds = FundsView & Readonly<{ schema: 'bursar.funds/v1'; name: string }>;

/** Reads what an account holds, who wants it, and when it will fall short. */
export const readFunds = (
  { account: chosen, aheadMs }: FundsChoices,
  context: OperationContext,
): Promise<AccountFunds> =>
  withSources(context, async (sources) => {
    const { store, settings } = sources;
    const { account, claims, name, balances } = await withService(settings, context, (service) =>
      readAccountNow({ store, service }, chosen ?? service.account),
    );
    const nowMs = context.clock.nowMs();
    const window = { afterMs: nowMs, untilMs: nowMs + aheadMs };
    const view = fundsView({
      account,
      nowMs,
      claims,
      balances,
      runs: await upcomingRuns(store, dueTimesOf, window),
      isRunning: await readRunning(sources, claims, context),
    });
    return { schema: 'bursar.funds/v1', name, ...view };
  });

/**
 * Reads the claims before the balance: a claim that is granted in between then counts twice, and never as free money.
 */
async function readAccountNow(
  { store, service }: Readonly<{ store: Store; service: ServiceAccess }>,
  account: string,
) {
  await store.batches.checkAccount(account);
  const { claims } = await store.funds.look(account);
  const read = await readBalances(service, account);
  const currencies = claims.flatMap(({ open }) => open.map(({ currency }) => currency));
  return { account, claims, name: read.name ?? '', balances: knownBalances(read, currencies) };
}

const dueTimesOf: DueTimes = (definitionJson, { afterMs, untilMs, max }) =>
  runsIn(readDefinition({ definitionJson }), { afterMs, untilMs }, max).map(
    ({ dueAtMs }) => dueAtMs,
  );

/** Reads from Temporal which of the batches run. Without an answer the column shows that it is unknown. */
async function readRunning(
  { engine }: Sources,
  claims: readonly FundsClaim[],
  { say }: Progress,
): Promise<(batchId: string) => boolean | null> {
  if (claims.length === 0) return () => null;
  try {
    const open = await engine();
    const running = new Set((await open.running()).keys());
    for (const { batchId } of claims.filter((claim) => !running.has(claim.batchId))) {
      // The list of what runs lags behind; this question does not.
      if ((await open.describe(batchId))?.status === 'RUNNING') running.add(batchId);
    }
    return (batchId) => running.has(batchId);
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE') throw error;
    say(`${error.note.what} It is unknown whether these batches are followed.`);
    return () => null;
  }
}
