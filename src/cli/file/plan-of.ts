import type { Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import type { BursarError } from '../../domain/errors/bursar-error.ts';
import { type PlanFacts, planFacts } from '../../domain/plan/digest.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import { findingsOf, problemsOf } from '../../domain/plan/judge-file.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import { sameFileFindings } from '../../domain/plan/same-file.ts';
import type { IngestSummary } from '../../domain/rows/staging.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { derivedBatchId } from '../flags/batch-id.ts';
import { type FileReading, readFile } from './read-file.ts';
import type { Source } from './source.ts';

/** What a plan is made of. */
export type Planning = Readonly<{
  source: Source;
  /** null: it follows from the file. */
  batchId: string | null;
  options: BatchOptions;
  settings: Pick<Settings, 'api' | 'rules'>;
  /** What was paid before; null: nobody knows here. */
  store: Store | null;
}>;

/** A plan as the command line makes it: as a worker with the same settings and the same store will. */
export type Planned = Readonly<{
  batchId: string;
  account: string | null;
  source: Source;
  options: BatchOptions;
  reading: FileReading;
  findings: readonly Finding[];
  rules: HouseRules;
  historyRead: boolean;
  /** null when the account is not known here, or refused rows leave nothing to decide. */
  facts: PlanFacts | null;
}>;

type Looking = Pick<Context, 'show' | 'clear' | 'interrupted'>;

/** Makes the plan of a file. Throws the errors of a file that is refused whole. */
export async function planOf(planning: Planning, context: Looking): Promise<Planned> {
  const { source, options, settings, store } = planning;
  const read = await readFile(source, options, context);
  const batchId = planning.batchId ?? derivedBatchId(source.fileName, read.summary.fileSha256);
  const account = settings.api.account ?? null;
  const history = await historyFindings(read.summary, { batchId, account, store });
  const reading = withFindings(read, history);
  const findings = findingsOf(reading.summary, options.skipInvalid);
  const { rules } = settings;
  const planned = { batchId, account, source, options, reading, findings, rules };
  const historyRead = store !== null && account !== null;
  return { ...planned, historyRead, facts: factsOf(planned) };
}

/** What earlier batches of the account say of the rows; nothing where nobody knows them. */
async function historyFindings(
  summary: IngestSummary,
  {
    batchId,
    account,
    store,
  }: Readonly<{ batchId: string; account: string | null; store: Store | null }>,
): Promise<Finding[]> {
  if (store === null || account === null) return [];
  const { contentSha256 } = summary;
  const earlier = await store.batches.sameContent({ batchId, account, contentSha256 });
  return sameFileFindings(summary, earlier);
}

const withFindings = (reading: FileReading, more: readonly Finding[]): FileReading => ({
  ...reading,
  summary: { ...reading.summary, findings: [...reading.summary.findings, ...more] },
});

function factsOf(planned: Omit<Planned, 'facts' | 'historyRead'>): PlanFacts | null {
  const { account, batchId, reading, options, findings, rules } = planned;
  const { summary, chunks } = reading;
  if (account === null || (summary.refusedRows > 0 && !options.skipInvalid)) return null;
  const batch = { account, batchId, generation: 0 };
  return planFacts({ batch, summary, options, findings, rules, chunks });
}

/** Why the plan would be refused as it stands; `nack` is where the refused rows are listed. */
export const problemsOfPlan = (
  { reading, options, source }: Planned,
  nack: string | null,
): BursarError[] =>
  problemsOf({
    summary: reading.summary,
    choices: options,
    file: source.shownName,
    nack: nack ?? '',
  });
