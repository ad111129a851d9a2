import type { BatchRecord } from '../../store/batches/types.ts';
import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readClaimsFirst } from '../../operations/batch/claims-first.ts';
import { loadSettings, withStoreIfAny } from '../../operations/batch/sources.ts';
import type { Store } from '../../store/index.ts';
import type { Context } from '../context.ts';
import { applyCommand, submitCommand } from '../../operations/file/command-text.ts';
import { type AccountNow, type FundsLine, fundsLines } from '../../operations/file/funds.ts';
import { writeNackFile, writePlan } from '../../operations/file/write-plan.ts';
import { type LocalPlan, planOf, problemsOfPlan } from '../../operations/file/plan-of.ts';
import { type PlanView, planView } from '../../operations/file/plan-view.ts';
import { type NamedFile, withSource } from '../../operations/file/source.ts';
import {
  type BatchFlags,
  batchOptionsOf,
  readBatchChoices,
} from '../../operations/input/batch-choices.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';
import { planText } from '../print/plan-text.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import { freshOwnWallets, knownOwnWallets } from '../../operations/service/own-wallets.ts';
import { quoteFees, readBalances, withService } from '../../operations/service/preflight.ts';
import { stateInSentence } from '../../domain/text/state-words.ts';

type PlanFlags = BatchFlags &
  NamedFile &
  Readonly<{
    online?: boolean;
    /** Where the plan is written; `--no-out` makes it false. */
    out?: string | false;
  }>;

/**
 * `bursar plan FILE`: shows the result of `bursar submit` without starting anything. Needs no Temporal, and reads the
 * store if there is one.
 */
export async function plan(flags: PlanFlags, context: Context): Promise<number> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  if (flags.out === '-') throw flagInvalid('--out', '"-" is no file; -o json prints the plan');
  const settings = await loadSettings(context);
  const options = batchOptionsOf(choices, settings);
  return withSource(flags, context, async (source) => {
    const { planned, known, first } = await withStoreIfAny(settings, context, async (store) => {
      const ownWallets = () =>
        flags.online
          ? freshOwnWallets({ settings, store }, context)
          : knownOwnWallets(store, settings.api.account);
      const planning = { source, batchId: choices.id, options, settings, store, ownWallets };
      const made = await planOf(planning, context);
      return { planned: made, ...(await lookUp(store, made, context)) };
    });
    const dir = join(settings.report.dir, planned.batchId);
    const { refused } = planned.reading;
    const nack = refused.length === 0 ? null : await writeNackFile(refused, dir, context);
    const problems = problemsOfPlan(planned, nack);
    const funds = flags.online ? await readFunds({ planned, first }, settings, context) : null;
    const view = planView(planned, { nack, problems, funds });
    const planFile = await writePlanFile(view, { flags, dir }, context);
    printPlan(view, { planned, known, flags, planFile }, context);
    return problems.length === 0 ? EXIT.done : EXIT.rejected;
  });
}

/** The batch of the same id in the store, and the batches that come before it. */
async function lookUp(store: Store | null, planned: LocalPlan, { clock }: Context) {
  if (store === null) return { known: undefined, first: null };
  const first = await readClaimsFirst(store, planned, clock.nowMs());
  return { known: await store.batches.find(planned.batchId), first };
}

/** A plan without a digest cannot be carried out, so it is not written down. */
async function writePlanFile(
  view: PlanView,
  { flags: { out, file }, dir }: Readonly<{ flags: PlanFlags; dir: string }>,
  context: Context,
): Promise<string | null> {
  if (view.digest === null || out === false) return null;
  return shownPath(await writePlan(view, { out: out ?? null, dir, file }, context), context.cwd);
}

const readFunds = (
  {
    planned: { reading, rules },
    first,
  }: Readonly<{ planned: LocalPlan; first: AccountNow['first'] }>,
  settings: Settings,
  context: Context,
): Promise<FundsLine[]> =>
  withService(settings, context, async (service) => {
    const { currencies } = reading.summary;
    const read = await readBalances(service);
    const fees = await quoteFees(service, currencies);
    return fundsLines(currencies, { read, first }, { fees, rules: rules.fees });
  });

/** `known`: the batch that has the id of the plan already. */
type Shown = Readonly<{
  planned: LocalPlan;
  known: BatchRecord | undefined;
  flags: PlanFlags;
  planFile: string | null;
}>;

function printPlan(
  view: PlanView,
  { planned, known, flags, planFile }: Shown,
  context: Context,
): void {
  const command = submitCommand(flags.file, flags, view);
  const apply = planFile === null ? null : applyCommand(planFile, flags.file, view);
  const canPay = view.problems.length === 0;
  const text = [
    planText(view, planned.reading.refused, context),
    ...view.problems.map((problem) => errorText(problem, context)),
    ...(planFile === null ? [] : [`The plan is written to ${planFile}`]),
    ...(known === undefined ? [] : [knownText(known)]),
    ...(canPay && apply !== null ? [`To pay exactly this:\n  ${apply}`] : []),
    ...(canPay && apply !== null ? [] : [`${commandTitle(view)}:\n  ${command}`]),
  ].join('\n\n');
  printResult(context, { json: { ...view, command, planFile, apply }, text });
}

/** When the command that pays may be given: not for a file that must be another one first. */
function commandTitle({ problems, rows, choices }: PlanView): string {
  if (problems.length === 0) return 'To pay it';
  return rows.refused > 0 && !choices.skipInvalid
    ? 'When the file is corrected'
    : 'When that is settled';
}

const knownText = ({ batchId, endState }: BatchRecord): string =>
  `There is a batch ${batchId} already (${endState === null ? 'not ended yet' : stateInSentence(endState)}). An id is paid once. ` +
  'A submit of this file under the id shows that batch, and pays nothing more.';
