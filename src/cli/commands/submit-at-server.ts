import { showBatch } from '../../app/batches/look.ts';
import { submitFile } from '../../app/batches/submit.ts';
import { BursarError, errorOfNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import { type KeyFlag, signHere } from '../../operations/approval/submitter.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { fileOf, type OrderFlags, readOrderedPlan } from '../../operations/file/order.ts';
import type { ConfirmedPlan, ProgramPlan } from '../../operations/file/program-submit.ts';
import { holdAgainstPlan, type OpenPlan } from '../../operations/file/read-plan.ts';
import { isStdin, withSource } from '../../operations/file/source.ts';
import { type BatchChoices, readBatchChoices } from '../../operations/input/batch-choices.ts';
import { confirm, type Confirmation, paymentLead } from '../../operations/prompts/confirm.ts';
import type { Context, ServerPlace } from '../context.ts';
import { perform } from '../perform.ts';
import { placeLine } from '../place-line.ts';
import { planText } from '../print/plan-text.ts';
import { planThere, viewOf } from './plan-at-server.ts';

type Flags = OrderFlags & Confirmation & KeyFlag & Readonly<{ preflight?: boolean }>;

type There = Readonly<{ context: Context; server: ServerPlace }>;

/**
 * `bursar submit FILE` at a server: the file is copied there and planned there; the person reads, confirms and signs the plan on
 * this machine. Answers with the id of the batch.
 */
export async function submitThere(flags: Flags, { context, server }: There): Promise<string> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  const { open, file: named } = await readOrderThere(flags, { choices, context });
  context.say(await placeLine(context));
  const preflight = flags.preflight !== false;
  return withSource({ ...flags, file: named }, context, async (source) => {
    const again = open === null ? {} : { plan: confirmedPlan({ ...open.plan, name: open.name }) };
    const wish = { choices, online: preflight, fees: false, ...again };
    const { file, plan } = await planThere(source, wish, { context, server });
    const { batchId, digest, parts } = plan;
    const signed = (await isKnown(batchId, context))
      ? {}
      : await decide({ plan, open }, { ...flags, file: named }, context);
    if (digest === null || parts === null) throw refusalOf(plan, server);
    const meant = again.plan ?? confirmedPlan({ ...plan, digest, parts });
    const start = { file, plan: meant, preflight, ...signed, confirm: totalsOf(plan) };
    await perform(submitFile, start, context);
    return batchId;
  });
}

/** The file to pay, and the plan that was written down; null: there is none. */
async function readOrderThere(
  flags: Flags,
  reading: Readonly<{ choices: BatchChoices; context: Context }>,
): Promise<Readonly<{ file: string; open: OpenPlan | null }>> {
  if (flags.plan !== undefined) return readOrderedPlan(flags, flags.plan, reading);
  return { file: fileOf(flags), open: null };
}

/** The parts of a plan that a submit sends. */
const confirmedPlan = ({
  batchId,
  choices,
  digest,
  parts,
  findings,
  name,
}: ConfirmedPlan): ConfirmedPlan => ({
  batchId,
  choices,
  digest,
  parts,
  ...(findings === undefined ? {} : { findings }),
  ...(name === undefined ? {} : { name }),
});

const totalsOf = ({ currencies }: ProgramPlan) =>
  currencies.map(({ currency, total }) => ({ currency, total }));

/** Whether the id stands for a batch: then there is nothing to confirm, and the server compares the plans. */
async function isKnown(batchId: string, context: Context): Promise<boolean> {
  try {
    await perform(showBatch, { batchId }, context);
    return true;
  } catch (error) {
    if (isBursarError(error) && error.code === 'BATCH_NOT_FOUND') return false;
    throw error;
  }
}

/** Has the person read and confirm the plan, and signs its submit where there is a key. */
async function decide(
  { plan, open }: Readonly<{ plan: ProgramPlan; open: OpenPlan | null }>,
  flags: Flags,
  context: Context,
) {
  const { problems, refused, reasons, currencies, funds, submission, signing } = plan;
  if (open !== null) holdAgainstPlan(open, viewOf(plan), context.clock.nowMs());
  const [first] = problems;
  const text = planText(plan, { first: refused, count: reasons }, context);
  if (first !== undefined) {
    context.say(text);
    throw errorOfNote(first);
  }
  if (submission === null) return {};
  const settings = await loadSettings(context);
  const signed = await signHere({ ...submission, ...signing }, flags, { settings, context });
  context.say(text);
  const mayAsk = context.mayAsk && !isStdin(flags.file ?? '');
  const lead = paymentLead(currencies, funds);
  await confirm(currencies, { ...flags, lead }, { ...context, mayAsk });
  return signed;
}

const refusalOf = ({ problems: [first] }: ProgramPlan, { url }: ServerPlace): BursarError =>
  first === undefined
    ? new BursarError('SERVER_ANSWER_ODD', { url, reason: 'its plan has no digest' })
    : errorOfNote(first);
