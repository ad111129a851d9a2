import { basename } from 'node:path';
import { BATCH_ID_LENGTH_MAX } from '../../domain/batch/batch-id.ts';
import type { Settings } from '../../config.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { meantBy, unknownCurrencies } from '../../domain/currencies/unlisted.ts';
import { type PlanFacts, planFacts } from '../../domain/plan/digest.ts';
import { findingsAsSeen, type SeenPlan } from '../../domain/plan/expected-plan.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import { problemsOf } from '../../domain/plan/judge-file.ts';
import { payTimeMs } from '../../store/rows/pay-time.ts';
import type { HouseRules } from '../../domain/plan/rules.ts';
import type { Store } from '../../store/index.ts';
import type { OperationContext } from '../context.ts';
import { type PrintSpool, withPrintSpool } from './print-spool.ts';
import { type FileReading, readFile } from './read-file.ts';
import type { Source } from './source.ts';

/** The parts that a plan is made of. */
export type Planning = Readonly<{
  source: Source;
  /** null: it follows from the file. */
  batchId: string | null;
  options: BatchOptions;
  settings: Settings;
  /** The store with earlier payments; null: there is none here. */
  store: Store | null;
  /** The addresses of the account's own wallets, as far as they are listed. Called only where the account is known. */
  ownWallets(batchId: string): Promise<readonly string[]>;
  /** The currencies that the service lists, where it can be asked; else null. Called for a currency that is unknown here. */
  listed(batchId: string): Promise<readonly string[] | null>;
}>;

/** A file that was read whole, and the options that it was read with. */
export type CheckedFile = Readonly<{
  source: Source;
  options: BatchOptions;
  reading: FileReading;
}>;

/** The content of a file, and the options of its batch. */
type PlannedFile = CheckedFile &
  Readonly<{
    batchId: string;
    account: string | null;
    findings: readonly Finding[];
    /** Currencies that Bursar does not have and the service does not list; none where the service was not asked. */
    unlisted: readonly string[];
    rules: HouseRules;
  }>;

/** The plan of the command line. A worker with the same settings and store makes the same plan. */
export type LocalPlan = PlannedFile &
  Readonly<{
    historyRead: boolean;
    /** null when the account is unknown here, or refused rows leave nothing to decide. */
    facts: PlanFacts | null;
  }>;

/** Makes the plan of a file. Throws the errors of a file that is refused whole. */
export async function planOf(planning: Planning, context: OperationContext): Promise<LocalPlan> {
  const { source, options, settings } = planning;
  const { rules } = settings;
  const account = settings.api.account ?? null;
  const read = await withPrintSpool(context.temporaryDir, async (prints) => {
    const how = { ...options, limits: rules.limits, keepPrints: prints.add };
    const reading = await readFile(source, how, context);
    const { summary } = reading;
    const batchId = planning.batchId ?? derivedBatchId(source.fileName, summary.fileSha256);
    const findings = await judge({ summary, prints }, { ...planning, batchId }, context);
    return { reading, batchId, findings, unlisted: await unlistedOf(summary, batchId, planning) };
  });
  const planned = { ...read, account, source, options, rules };
  const historyRead = planning.store !== null && account !== null;
  return { ...planned, historyRead, facts: factsOf(planned) };
}

async function unlistedOf(
  { currencies }: FileReading['summary'],
  batchId: string,
  { listed }: Planning,
): Promise<readonly string[]> {
  const unknown = unknownCurrencies(currencies.map(({ currency }) => currency));
  const known = unknown.length === 0 ? null : await listed(batchId);
  return known === null ? [] : unknown.filter((currency) => !known.includes(currency));
}

/** The plan that a person saw, where that of now differs from it alone by notes that have become fewer. */
export function asSeen(planned: LocalPlan, seen: SeenPlan | null): LocalPlan {
  const { facts } = planned;
  const findings = facts === null || seen === null ? undefined : findingsAsSeen(seen, facts);
  return facts === null || findings === undefined
    ? planned
    : { ...planned, findings, facts: { ...facts, findings } };
}

/** The findings of the file alone, and those against earlier batches of the account where there is a store. */
async function judge(
  { summary, prints }: Readonly<{ summary: FileReading['summary']; prints: PrintSpool }>,
  {
    batchId,
    source,
    options,
    settings,
    store,
    ownWallets,
  }: Planning & Readonly<{ batchId: string }>,
  { clock, interrupted }: OperationContext,
): Promise<readonly Finding[]> {
  const { account } = settings.api;
  const batch = { batchId, account: account ?? '', parentBatchId: null };
  const past = account === undefined ? null : store;
  await past?.batches.checkAccount(batch.account);
  const { NO_PAYEES, readPayeeBook, readPlanFindings, readRowsOfFile } = await import(
    '../../ingest/index.ts'
  );
  const again = {
    defaultCurrency: options.currency ?? '',
    ...(options.form === undefined ? {} : { form: options.form }),
    signal: interrupted,
  };
  const findingsWith = await readPlanFindings({
    summary,
    prints: prints.segments,
    rowsAt: (numbers) => readRowsOfFile({ ...source, name: source.shownName }, again, numbers),
    skipInvalid: options.skipInvalid,
    rules: settings.rules,
    stopLoss: options.stopLoss,
    others: (await past?.history.others(batch)) ?? [],
    ownAddresses: account === undefined ? [] : [account, ...(await ownWallets(batchId))],
    payees: past === null ? NO_PAYEES : await readPayeeBook(() => past.payees.list(batch.account)),
    payAtMs: payTimeMs({ ...options, releasedAtMs: null, submittedAtMs: clock.nowMs() }),
    signal: interrupted,
  });
  return findingsWith(await past?.batches.sameContent({ ...batch, ...summary }));
}

function factsOf(planned: PlannedFile): PlanFacts | null {
  const { account, batchId, reading, options, findings, rules } = planned;
  const { summary, chunks } = reading;
  if (account === null || (summary.refusedRows > 0 && !options.skipInvalid)) return null;
  const batch = { account, batchId, generation: 0 };
  return planFacts({ batch, summary, options, findings, rules, chunks });
}

/** The reasons that would stop this plan; `refusals`: the files about refused rows. */
export function problemsOfPlan(
  { reading, options, source, findings, unlisted, rules }: LocalPlan,
  refusals: Readonly<{ nack: string }> | null,
): BursarError[] {
  const { summary } = reading;
  const names = { file: source.shownName, nack: refusals?.nack ?? '' };
  const isRefused = ({ code }: Finding) => code === 'UNKNOWN_NETWORK' && unlisted.length > 0;
  const judged = findings.filter((finding) => !isRefused(finding));
  return [
    ...unlisted.map(notListed),
    ...problemsOf({ summary, choices: options, ...names }, judged, rules.findings),
  ];
}

/** The error of a currency that Bursar does not have and the service does not list. */
export const notListed = (currency: string): BursarError =>
  new BursarError('CURRENCY_NOT_LISTED', { currency, meant: meantBy(currency) });

/** Hex digits of the file's hash at the end of a generated id. */
const HASH_DIGITS = 8;

/** The id of a batch that was given none: `<file stem>-<first 8 hex digits of the file's SHA-256>`. */
export function derivedBatchId(fileName: string, sha256: string): string {
  const hash = sha256.slice(0, HASH_DIGITS);
  const stem = basename(fileName)
    .replace(/(\.csv|\.xlsx)?(\.gz)?$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, BATCH_ID_LENGTH_MAX - HASH_DIGITS - 1);
  return `${stem === '' ? 'batch' : stem}-${hash}`;
}
