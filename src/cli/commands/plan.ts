import type { Settings } from '../../config.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { stateInSentence } from '../../domain/text/state-words.ts';
import { applyCommand, submitCommand } from '../../operations/file/command-text.ts';
import { makePlan, type PlannedService } from '../../operations/file/make-plan.ts';
import type { PlanView } from '../../operations/file/plan-view.ts';
import type { KnownBatch } from '../../operations/file/program-submit.ts';
import { type Refusals, refusalsOf } from '../../operations/file/refused-cell.ts';
import { type NamedFile, type Source, withSource } from '../../operations/file/source.ts';
import { writePlan } from '../../operations/file/write-plan.ts';
import {
  type BatchChoices,
  type BatchFlags,
  batchOptionsOf,
  readBatchChoices,
} from '../../operations/input/batch-choices.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Context, ServerPlace } from '../context.ts';
import { sayPlace } from '../place-line.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';
import { planText } from '../print/plan-text.ts';

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
  await sayPlace(context);
  return withSource(flags, context, async (source) => {
    const wish = { choices, online: flags.online ?? false, fees: true };
    const { dir, ...made } = await (context.server === undefined
      ? planHere(source, wish, context)
      : planAtServer(source, wish, { context, server: context.server }));
    const { view } = made;
    const planFile = await writePlanFile(view, { flags, dir }, context);
    printPlan(view, { ...made, flags, planFile }, context);
    return view.problems.length === 0 ? EXIT.done : EXIT.rejected;
  });
}

type PlanWish = Readonly<{ choices: BatchChoices; online: boolean; fees: boolean }>;

/** `known`: the batch that has the id of the plan already. `dir`: the folder of the batch. */
type Planned = Readonly<{
  view: PlanView;
  service: PlannedService;
  refused: Refusals;
  known: KnownBatch | null;
  dir: string;
}>;

async function planHere(
  source: Source,
  { choices, ...wish }: PlanWish,
  context: Context,
): Promise<Planned> {
  const optionsWith = (settings: Settings) => batchOptionsOf(choices, settings);
  const order = { source, batchId: choices.id, optionsWith, ...wish };
  const { refused, known = null, ...made } = await makePlan(order, context);
  return { ...made, refused: refusalsOf(refused), known };
}

async function planAtServer(
  source: Source,
  wish: PlanWish,
  there: Readonly<{ context: Context; server: ServerPlace }>,
): Promise<Planned> {
  const { planThere, viewOf } = await import('./plan-at-server.ts');
  const { plan: made, dir } = await planThere(source, wish, there);
  const { service, refused: first, reasons: count, batch: known } = made;
  return { view: viewOf(made), service, refused: { first, count }, known, dir };
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

type Shown = Readonly<{
  service: PlannedService;
  refused: Refusals;
  known: KnownBatch | null;
  flags: PlanFlags;
  planFile: string | null;
}>;

function printPlan(
  view: PlanView,
  { service, refused, known, flags, planFile }: Shown,
  context: Context,
): void {
  const command = submitCommand(flags.file, flags, view);
  const apply = planFile === null ? null : applyCommand(planFile, flags.file, view);
  const canPay = view.problems.length === 0;
  const text = [
    planText(view, refused, context),
    ...view.problems.map((problem) => errorText(problem, context)),
    ...(planFile === null ? [] : [`The plan is written to ${planFile}`]),
    ...(known === null ? [] : [knownText(known)]),
    ...(canPay && apply !== null ? [`To pay exactly this:\n  ${apply}`] : []),
    ...(canPay && apply !== null ? [] : [`${commandTitle(view)}:\n  ${command}`]),
  ].join('\n\n');
  printResult(context, { json: { ...view, service, command, planFile, apply }, text });
}

/** When the command that pays may be given: not for a file that must be another one first. */
function commandTitle({ problems, rows, choices }: PlanView): string {
  if (problems.length === 0) return 'To pay it';
  return rows.refused > 0 && !choices.skipInvalid
    ? 'When the file is corrected'
    : 'When that is done';
}

const knownText = ({ batchId, endState }: KnownBatch): string =>
  `There is a batch ${batchId} already (${endState === null ? 'not ended yet' : stateInSentence(endState)}). Each id is paid once. ` +
  'A submit with this id shows that batch, and pays nothing more.';
