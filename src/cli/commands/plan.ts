import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';
import { loadSettings } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import { submitCommand } from '../file/command-text.ts';
import { planDigest } from '../file/digest.ts';
import { type FundsLine, fundsLines } from '../file/funds.ts';
import { findingsOf, problemsOf } from '../../domain/plan/judge-file.ts';
import type { RaisedFindings } from '../../domain/plan/rules.ts';
import { writeNackFile } from '../file/nack.ts';
import { type PlanView, planView } from '../file/plan-view.ts';
import { type FileReading, readFile } from '../file/read-file.ts';
import { type Source, withSource } from '../file/source.ts';
import { type BatchFlags, batchOptionsOf, readBatchChoices } from '../flags/batch-choices.ts';
import { derivedBatchId } from '../flags/batch-id.ts';
import { errorText } from '../print/error.ts';
import { printResult } from '../print/output.ts';
import { planText } from '../print/plan-text.ts';
import { readBalances, withService } from '../service/preflight.ts';
import { quoteFees } from '../service/quote-fees.ts';

export type PlanFlags = BatchFlags & Readonly<{ file: string; online?: boolean }>;

/** `bursar plan FILE`: what `bursar submit` would do, without doing it. Needs neither store nor Temporal. */
export async function plan(flags: PlanFlags, context: Context): Promise<number> {
  const choices = readBatchChoices(flags, context.clock.nowMs());
  const settings = await loadSettings(context);
  const options = batchOptionsOf(choices, settings);
  return withSource(flags.file, context, async (source) => {
    const { limits, findings: raised } = settings.rules;
    const reading = await readFile(source, { ...options, limits }, context);
    const { fileSha256, currencies } = reading.summary;
    const batchId = choices.id ?? derivedBatchId(source.fileName, fileSha256);
    const offline = await planOffline(
      { batchId, source, reading, options, raised },
      settings,
      context,
    );
    const funds = flags.online ? await readFunds(currencies, settings, context) : null;
    printPlan({ ...offline, funds }, { reading, flags }, context);
    return offline.problems.length === 0 ? EXIT.done : EXIT.rejected;
  });
}

type Job = Readonly<{
  batchId: string;
  source: Source;
  reading: FileReading;
  options: BatchOptions;
  raised: RaisedFindings;
}>;

async function planOffline(job: Job, settings: Settings, context: Context): Promise<PlanView> {
  const { batchId, source, reading, options } = job;
  const { summary, refused } = reading;
  const dir = join(settings.report.dir, batchId);
  const nack = refused.length === 0 ? null : await writeNackFile(refused, dir, context);
  const { account } = settings.api;
  return planView({
    ...job,
    nack,
    fileName: source.fileName,
    digest: planDigest({ ...job, account }),
    problems: problemsOf(
      { summary, choices: options, file: source.shownName, nack: nack ?? '' },
      findingsOf(summary, options.skipInvalid),
      job.raised,
    ),
    funds: null,
  });
}

async function readFunds(
  currencies: readonly CurrencySummary[],
  settings: Settings,
  context: Context,
): Promise<FundsLine[]> {
  return withService(settings, context, async (service) => {
    const balances = await readBalances(service);
    return fundsLines(currencies, balances, await quoteFees(service, currencies));
  });
}

function printPlan(
  view: PlanView,
  { reading, flags }: Readonly<{ reading: FileReading; flags: PlanFlags }>,
  context: Context,
): void {
  const command = submitCommand(flags.file, flags, view);
  const text = [
    planText(view, reading.refused, context),
    ...view.problems.map((problem) => errorText(problem, context)),
    `${view.problems.length === 0 ? 'To pay it' : 'When that is settled'}:\n  ${command}`,
  ].join('\n\n');
  printResult(context, { json: { ...view, command }, text });
}
