import { stat } from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type SeenPlan, seenPlanOf } from '../../domain/plan/expected-plan.ts';
import type { FileForm } from '../../domain/rows/file-form.ts';
import type { AskedPlan } from '../batch/start.ts';
import type { OperationContext } from '../context.ts';
import {
  type BatchChoices,
  type BatchFlags,
  batchOptionsOf,
  readBatchChoices,
} from '../input/batch-choices.ts';
import { formWords } from '../input/file-form.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { shownPath } from '../text/shown-path.ts';
import { type OpenPlan, readPlan } from './read-plan.ts';
import type { NamedFile } from './source.ts';
import type { StoredFile } from './stored-file.ts';

/** The input of a submit: a file with choices, or a plan. */
export type Order = Readonly<{
  /** As `withSource` takes it, or an uploaded file. */
  file: string | StoredFile;
  followLinks: boolean;
  /** null: it follows from the file. */
  batchId: string | null;
  optionsWith(settings: Settings): BatchOptions;
  /** Nothing but this plan file may be paid; null: there is none. */
  plan: OpenPlan | null;
  /** The digest that a batch of this id must have. */
  asked: AskedPlan;
  /** The plan that a person saw; null: the one that is made now. */
  seen: SeenPlan | null;
}>;

export type OrderFlags = BatchFlags &
  Partial<NamedFile> &
  Readonly<{
    plan?: string;
  }>;

/** Reads the order from the flags. Throws the first usage error. */
export async function readOrder(flags: OrderFlags, context: OperationContext): Promise<Order> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  if (flags.plan !== undefined) return plannedOrder(flags, flags.plan, { choices, context });
  return {
    file: fileOf(flags),
    followLinks: flags.followLinks ?? false,
    batchId: choices.id,
    optionsWith: (settings) => batchOptionsOf(choices, settings),
    plan: null,
    asked: null,
    seen: null,
  };
}

/** @throws FLAG_INVALID where neither a file nor a plan is named */
export function fileOf({ file }: OrderFlags): string {
  if (file === undefined) throw flagInvalid('FILE', 'give the file to pay, or --plan FILE');
  return file;
}

/** A plan that was written down, and the file that it is about. */
export type OrderedPlan = Readonly<{ open: OpenPlan; file: string }>;

/** Reads the plan of `--plan`, and finds its file. Throws the first usage error. */
export async function readOrderedPlan(
  flags: OrderFlags,
  planPath: string,
  { choices, context }: Readonly<{ choices: BatchChoices; context: OperationContext }>,
): Promise<OrderedPlan> {
  const open = await readPlan({ ...flags, file: planPath }, context);
  refuseContradictions(flags, choices, open);
  return { open, file: flags.file ?? (await plannedFile(open, context)) };
}

async function plannedOrder(
  flags: OrderFlags,
  planPath: string,
  reading: Readonly<{ choices: BatchChoices; context: OperationContext }>,
): Promise<Order> {
  const { open, file } = await readOrderedPlan(flags, planPath, reading);
  const { plan } = open;
  return {
    file,
    followLinks: flags.followLinks ?? false,
    batchId: plan.batchId,
    optionsWith: ({ batch, poll }) => ({
      ...plan.choices,
      chunksInFlight: batch.chunksInFlight,
      pollMinMs: poll.minMs,
      pollMaxMs: poll.maxMs,
      expectedDigest: { digest: plan.digest, parts: plan.parts },
    }),
    plan: open,
    asked: { name: open.name, digest: plan.digest },
    seen: seenPlanOf(plan),
  };
}

/** The file at the path of the plan. Throws PLANNED_FILE_NOT_FOUND. */
async function plannedFile(
  { plan, name, filePath }: OpenPlan,
  { cwd }: OperationContext,
): Promise<string> {
  if (filePath === null || plan.file.path === null) {
    throw flagInvalid('FILE', `${name} was made from standard input, so give the file as well`);
  }
  const tried = shownPath(filePath, cwd);
  await stat(filePath).catch((cause: NodeJS.ErrnoException) => {
    // The step that reads the file reports any other fault of it.
    if (cause.code !== 'ENOENT') return;
    const facts = { plan: name, named: plan.file.path ?? '', tried };
    throw new BursarError('PLANNED_FILE_NOT_FOUND', facts, { cause });
  });
  return tried;
}

/** The choice behind each flag. */
const CHOICE_OF: Readonly<Record<keyof BatchFlags, readonly [string, keyof BatchChoices]>> = {
  id: ['--id', 'id'],
  currency: ['--currency', 'currency'],
  at: ['--at', 'at'],
  executionDate: ['--execution-date', 'executionDate'],
  skipInvalid: ['--skip-invalid', 'skipInvalid'],
  expectCount: ['--expect-count', 'expectCount'],
  expectTotal: ['--expect-total', 'expectTotals'],
  accept: ['--accept', 'accept'],
  funds: ['--funds', 'fundsWaitMs'],
  beforeScheduled: ['--before-scheduled', 'beforeScheduled'],
  canary: ['--canary', 'canaryRows'],
  stopLoss: ['--stop-loss', 'stopLoss'],
  sheet: ['--sheet', 'form'],
  decimalComma: ['--decimal-comma', 'form'],
  column: ['--column', 'form'],
  ignoreColumn: ['--ignore-column', 'form'],
};

/** A flag beside a plan changes nothing: its value must equal that of the plan. */
function refuseContradictions(
  flags: BatchFlags,
  choices: BatchChoices,
  { plan, name }: OpenPlan,
): void {
  const chosen: BatchChoices = { ...plan.choices, id: plan.batchId };
  for (const [key, [flag, choice]] of Object.entries(CHOICE_OF)) {
    const [given, planned] = [said(choices[choice]), said(chosen[choice])];
    if (flags[key as keyof BatchFlags] === undefined || given === planned) continue;
    throw new BursarError('PLAN_FLAG_CONTRADICTS', { plan: name, flag, given, planned });
  }
}

const isForm = (value: object | string | number): value is FileForm =>
  typeof value === 'object' && 'ignoreColumns' in value;

function said(value: BatchChoices[keyof BatchChoices]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return 'nothing';
  if (isForm(value)) return formWords(value).join(' ');
  return typeof value === 'object' ? [...value].sort().join(',') || 'nothing' : String(value);
}
