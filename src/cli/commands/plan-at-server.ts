import { join } from 'node:path';
import { planFile } from '../../app/batches/submit.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { derivedBatchId } from '../../operations/file/plan-of.ts';
import type { PlanView } from '../../operations/file/plan-view.ts';
import type { ConfirmedPlan, ProgramPlan } from '../../operations/file/program-submit.ts';
import type { Source } from '../../operations/file/source.ts';
import type { StoredFile } from '../../operations/file/stored-file.ts';
import {
  type RefusalFiles,
  refusalNames,
  shownRefusals,
} from '../../operations/file/write-plan.ts';
import type { BatchChoices } from '../../operations/input/batch-choices.ts';
import { unwritable } from '../../operations/text/unwritable.ts';
import type { Context, ServerPlace } from '../context.ts';
import { perform } from '../perform.ts';
import { downloadThere, uploadThere } from '../remote.ts';

type There = Readonly<{ context: Context; server: ServerPlace }>;

/** As `planUploaded` takes them. */
type WishThere = Readonly<{
  choices: BatchChoices;
  plan?: ConfirmedPlan;
  online: boolean;
  fees: boolean;
}>;

/** `dir`: the folder of the batch on this machine. */
export type PlannedThere = Readonly<{ file: StoredFile; plan: ProgramPlan; dir: string }>;

/**
 * Copies a file to a server, and has it planned there. The files about refused rows are written on this machine, where a plan
 * without a server writes them. @throws the errors of the file and of the server
 */
export async function planThere(
  source: Source,
  { choices, plan: planned, online, fees }: WishThere,
  { context, server }: There,
): Promise<PlannedThere> {
  const file = await uploadThere(source, { context, server });
  const { report } = await loadSettings(context);
  const id = planned?.batchId ?? choices.id ?? derivedBatchId(file.name, file.sha256);
  const dir = join(report.dir, id);
  const names = await refusalNames(source, dir);
  const chosen = { file, choices, ...(planned === undefined ? {} : { plan: planned }) };
  const refusals = shownRefusals(names, dir, context.cwd);
  const plan = await perform(planFile, { ...chosen, online, fees, refusals }, context);
  if (plan.nack !== null) await copyRefusals(names, { dir, chosen }, { context, server });
  return { file, plan, dir };
}

/** Copies the files about refused rows to this machine. */
async function copyRefusals(
  { nack, toCorrect }: RefusalFiles,
  { dir, chosen }: Readonly<{ dir: string; chosen: object }>,
  there: There,
): Promise<void> {
  const { nodeDisk } = await import('../../report/disk.ts');
  const { startDrafts } = await import('../../report/drafts.ts');
  const places = [
    ['/v1/plans/nack.csv', nack],
    ['/v1/plans/to-correct.csv', toCorrect],
  ] as const;
  const drafts = await startDrafts(nodeDisk, dir, [nack, toCorrect]).catch(refuse);
  try {
    for (const [path, name] of places) {
      const draft = drafts.draft(name);
      for await (const text of downloadThere(path, chosen, there)) {
        draft.add(text);
        if (drafts.isFull()) await drafts.flush().catch(refuse);
      }
    }
    await drafts.publish([nack, toCorrect]).catch(refuse);
  } catch (error) {
    await drafts.discard();
    throw error;
  }
}

const refuse = (error: unknown): never => {
  throw unwritable('report.dir', error);
};

/** The plan alone, as a plan without a server has it. */
export function viewOf(plan: ProgramPlan): PlanView {
  const {
    service: _,
    submission: _s,
    signing: _g,
    refused: _r,
    reasons: _n,
    batch: _b,
    ...view
  } = plan;
  return view;
}
