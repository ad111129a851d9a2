import { isAccountId } from '@bursar/merchant-api/spec';
import type { Sources } from '../../operations/batch/types.ts';
import { readDefinition } from '../../contract/schedule.ts';
import { runsIn } from '../../domain/schedule/runs.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { FundsClaim } from '../../domain/funds/claim.ts';
import { knownBalances } from '../../domain/funds/known-balances.ts';
import { type DueTimes, fundsView, upcomingRuns } from '../../operations/batch/funds-view.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Store } from '../../store/index.ts';
import type { Command, Context } from '../context.ts';
import type { ServiceAccess } from '../../operations/context.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { fundsText } from '../print/funds-text.ts';
import { printResult } from '../print/output.ts';
import { readBalances, withService } from '../../operations/service/preflight.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';

type FundsFlags = Readonly<{ account?: string; ahead?: string }>;

/** How far ahead runs of schedules are counted by default: 31 days, in milliseconds. */
const AHEAD_MS_DEFAULT = 31 * 86_400_000;

/** `bursar funds`: what an account holds, who wants it, and when it will fall short. */
export const funds: Command<FundsFlags> = async (flags, context) => {
  const aheadMs =
    flags.ahead === undefined ? AHEAD_MS_DEFAULT : readDurationMs('--ahead', flags.ahead);
  const asked = flags.account === undefined ? null : readAccount('--account', flags.account);
  return withSources(context, async (sources) => {
    const { store, settings } = sources;
    const { account, claims, name, balances } = await withService(settings, context, (service) =>
      readAccountNow({ store, service }, asked ?? service.account),
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
    const json = { schema: 'bursar.funds/v1', ...view };
    printResult(context, { json, text: fundsText(view, name, context) });
    return EXIT.done;
  });
};

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
  { say }: Context,
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

/** Checks the id of an account. Throws FLAG_INVALID. */
function readAccount(flag: string, text: string): string {
  if (isAccountId(text)) return text;
  throw flagInvalid(flag, `"${text}" is not 0x and 40 hexadecimal digits (or a UUID)`);
}
