import { showBatch } from '../../app/batches/look.ts';
import { planFile, submitFile } from '../../app/batches/submit.ts';
import { BursarError, errorOfNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import { type KeyFlag, signHere } from '../../operations/approval/submitter.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import type { OrderFlags } from '../../operations/file/order.ts';
import type { ProgramPlan } from '../../operations/file/program-submit.ts';
import { isStdin, withSource } from '../../operations/file/source.ts';
import { readBatchChoices } from '../../operations/input/batch-choices.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { confirm, type Confirmation, paymentLead } from '../../operations/prompts/confirm.ts';
import type { Context, ServerPlace } from '../context.ts';
import { perform } from '../perform.ts';
import { placeLine } from '../place-line.ts';
import { planText } from '../print/plan-text.ts';
import { uploadThere } from '../remote.ts';

type Flags = OrderFlags & Confirmation & KeyFlag & Readonly<{ preflight?: boolean }>;

type There = Readonly<{ context: Context; server: ServerPlace }>;

/**
 * `bursar submit FILE` at a server: the file is copied there and planned there; the person reads, confirms and signs the plan on
 * this machine. Answers with the id of the batch.
 */
export async function submitThere(flags: Flags, { context, server }: There): Promise<string> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  if (flags.plan !== undefined) throw new BursarError('SERVER_CANNOT', { what: 'the plan file' });
  const named = flags.file;
  if (named === undefined) throw flagInvalid('FILE', 'give the file to pay, or --plan FILE');
  context.say(await placeLine(context));
  const preflight = flags.preflight !== false;
  return withSource({ ...flags, file: named }, context, async (source) => {
    const file = await uploadThere(source, { context, server });
    const plan = await perform(
      planFile,
      { file, choices, online: preflight, fees: false },
      context,
    );
    const { batchId, digest, parts, choices: planned } = plan;
    const signed = (await isKnown(batchId, context)) ? {} : await decide(plan, flags, context);
    if (digest === null || parts === null) throw refusalOf(plan, server);
    const wish = { file, plan: { batchId, choices: planned, digest, parts }, preflight, ...signed };
    await perform(submitFile, { ...wish, confirm: totalsOf(plan) }, context);
    return batchId;
  });
}

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
async function decide(plan: ProgramPlan, flags: Flags, context: Context) {
  const { problems, refused, currencies, funds, submission, signing } = plan;
  const [first] = problems;
  const text = planText(plan, refused, context);
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
