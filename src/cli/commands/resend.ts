import type { Sources } from '../../operations/batch/types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import type { BatchInput, BatchOptions } from '../../contract/batch.ts';
import { requirementsOf } from '../../domain/approval/requirements.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { inheritedFindings } from '../../domain/lineage/inherited.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import { actingPerson, type KeyFlag, signSubmit } from '../../operations/approval/submitter.ts';
import { findRecord } from '../../operations/batch/find-record.ts';
import { follow } from '../follow/follow.ts';
import { onRecord } from '../../operations/batch/on-record.ts';
import { ownStore } from '../../operations/batch/own-store.ts';
import {
  planResend,
  refuseForgotten,
  refuseOpen,
  type ResendPlan,
} from '../../operations/batch/resend-plan.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { subjectOfInput } from '../../operations/batch/start.ts';
import type { Context } from '../context.ts';
import { confirm, type Confirmation, stateNoResend } from '../../operations/prompts/confirm.ts';
import {
  type BatchChoices,
  type BatchFlags,
  readBatchChoices,
} from '../../operations/input/batch-choices.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { printResult } from '../print/output.ts';
import { resendText } from '../print/resend-text.ts';
import { leaveRunning, readWaiting, type WaitFlags } from './submit.ts';
import { moneyList } from '../../domain/text/money-text.ts';

type ResendFlags = BatchFlags &
  Confirmation &
  WaitFlags &
  KeyFlag &
  Readonly<{ batch: string; nothingResentElsewhere?: boolean; dryRun?: boolean }>;

/** `bursar resend BATCH`: pays the provably failed rows again, in a new batch. */
export async function resend(flags: ResendFlags, context: Context): Promise<number> {
  const parentBatchId = readBatchId(flags.batch);
  const choices = readBatchChoices(flags, context.clock.nowMs());
  const waiting = readWaiting(flags);
  return withSources(context, async (sources) => {
    const parent = await findRecord(sources, parentBatchId);
    const work = () => resendBatch({ parent, choices, waiting }, { flags, sources }, context);
    if (flags.dryRun) return work();
    return onRecord({ action: 'resend', batchId: parentBatchId }, { sources, context }, work);
  });
}

type Asked = Readonly<{ parent: BatchRecord; choices: BatchChoices; waiting: Waiting }>;

async function resendBatch(
  { parent, choices, waiting }: Asked,
  { flags, sources }: Readonly<{ flags: ResendFlags; sources: Sources }>,
  context: Context,
): Promise<number> {
  const parentBatchId = parent.batchId;
  await refuseLost(sources, parentBatchId);
  await refuseOpen(sources, parent);
  await refuseForgotten(sources, parent);
  const plan = await planResend(sources.store, parent, choices.id);
  const options = optionsOf(parent, plan, { choices, flags, sources });
  const text = resendText(plan, options, context);
  if (flags.dryRun) {
    const { at, executionDate } = options;
    printResult(context, {
      json: { schema: 'bursar.resend/v1', ...plan, at, executionDate },
      text,
    });
    return EXIT.done;
  }
  const store = await ownStore(sources);
  context.say(text);
  const statement = await stateNoResend(flags.nothingResentElsewhere ?? false, context);
  await confirm(plan.currencies, flags, context);
  const { settings } = sources;
  const { approval: policy } = settings.rules;
  const person = await actingPerson(flags, policy, { settings, context });
  const input = inputOf(plan, parent, { options, statement, by: person.name, context });
  const isNeeded = policy !== null && requirementsOf(policy, plan.currencies).length > 0;
  const signed = signSubmit(person, subjectOfInput(input), { policy, isNeeded, reason: statement });
  await start(sources, { ...input, ...signed, store }, plan);
  const { batchId } = plan;
  context.say(`Batch ${batchId} is started, resend ${plan.generation} of ${parentBatchId}.`);
  return wait({ batchId, waiting }, context);
}

type Waiting = ReturnType<typeof readWaiting>;

const wait = (
  { batchId, waiting }: Readonly<{ batchId: string; waiting: Waiting }>,
  context: Context,
): Promise<number> =>
  waiting.detach
    ? leaveRunning(batchId, context)
    : follow({ batchId, timeoutMs: waiting.timeoutMs }, context);

/** A resend that runs by the store, and that Temporal no longer has, must be recovered by a person. */
async function refuseLost({ store, engine }: Sources, parentBatchId: string): Promise<void> {
  const child = await store.lineage.childOf(parentBatchId);
  if (child === undefined || child.endState !== null) return;
  const execution = await (await engine()).describe(child.batchId);
  if (execution === undefined) throw new BursarError('BATCH_FORGOTTEN', { batchId: child.batchId });
}

type Chosen = Readonly<{ choices: BatchChoices; flags: ResendFlags; sources: Sources }>;

/**
 * A resend has the options of its parent, unless flags differ. The confirmed rows are pinned: when a second read leaves
 * other rows, nothing is sent.
 */
function optionsOf(
  parent: BatchRecord,
  plan: ResendPlan,
  { choices, flags, sources }: Chosen,
): BatchOptions {
  const { batch, poll } = sources.settings;
  // A parent of an older version has no options of these names.
  const defaults = { ...batch, pollMinMs: poll.minMs, pollMaxMs: poll.maxMs };
  const inherited = JSON.parse(parent.optionsJson) as BatchOptions;
  return {
    ...defaults,
    ...inherited,
    currency: null,
    skipInvalid: false,
    expectCount: plan.rows,
    expectTotals: plan.currencies.map(({ currency, total }) => `${total}:${currency}`),
    accept: [...new Set([...inheritedFindings(inherited.accept), ...choices.accept])],
    expectedDigest: null,
    at: choices.at,
    executionDate: choices.executionDate,
    fundsWaitMs: flags.funds === undefined ? inherited.fundsWaitMs : choices.fundsWaitMs,
  };
}

type Stated = Readonly<{ options: BatchOptions; statement: string; by: string; context: Context }>;

function inputOf(
  plan: ResendPlan,
  { accountRef }: BatchRecord,
  { options, statement, by, context }: Stated,
): BatchInput {
  return {
    batchId: plan.batchId,
    accountRef,
    file: plan.file,
    options,
    submittedBy: by,
    submittedAt: new Date(context.clock.nowMs()).toISOString(),
    generation: plan.generation,
    parentBatchId: plan.parentBatchId,
    statement,
  };
}

/** Starts the resend. When two people start it at once, the second gets the resend of the first. */
async function start(
  { engine: open, store }: Sources,
  input: BatchInput,
  { parentBatchId, rows, currencies, generation }: ResendPlan,
): Promise<void> {
  const { batchId } = input;
  const known = await store.batches.find(batchId);
  if (known !== undefined) throw new BursarError('BATCH_ID_TAKEN', { batchId });
  const engine = await open();
  const summary = `resend ${generation} of ${parentBatchId}: ${rowsInWords(rows)}, ${moneyList(currencies)}`;
  if ((await engine.start(input, { summary, details: summary })) === 'started') return;
  const execution = await engine.describe(batchId);
  // One that ended without a record was refused; its id stays used.
  throw execution?.status === 'RUNNING'
    ? new BursarError('RESEND_EXISTS', { batchId: parentBatchId, child: batchId })
    : new BursarError('BATCH_ID_TAKEN', { batchId });
}
