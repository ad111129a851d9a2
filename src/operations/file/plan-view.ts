import type { PaymentOptions } from '../../contract/batch.ts';
import { approvalNeeds } from '../../domain/approval/policy-text.ts';
import type { BursarError } from '../../domain/errors/bursar-error.ts';
import { type DetailedNote, detailedNote } from '../../domain/errors/error-details.ts';
import type { ControlTotals } from '../../domain/plan/control-totals.ts';
import type { TotalRow } from '../../domain/rows/total-row.ts';
import {
  digestOfParts,
  type PlanFacts,
  type PlanParts,
  partsOf,
} from '../../domain/plan/digest.ts';
import type { Finding } from '../../domain/plan/finding.ts';
import { type RulesInWords, rulesInWords } from '../../domain/plan/rules-in-words.ts';
import type { ChunkHead } from '../../store/rows/staging.ts';
import { type FindingView, findingView } from './finding-view.ts';
import type { FundsLine } from './funds.ts';
import { type LocalPlan, notListed } from './plan-of.ts';

export const PLAN_SCHEMA = 'bursar.plan/v1';

/** The order in which a plan shows its choices. */
const CHOICES = [
  'currency',
  'at',
  'executionDate',
  'fundsWaitMs',
  'beforeScheduled',
  'skipInvalid',
  'expectCount',
  'expectTotals',
  'accept',
  'chunkRows',
  'rowTag',
  'canaryRows',
  'stopLoss',
  'form',
] as const satisfies readonly (keyof PaymentOptions)[];

/** The plan as `bursar plan` prints and writes it, and as `bursar submit` shows it before its question. */
export type PlanView = Readonly<{
  schema: typeof PLAN_SCHEMA;
  batchId: string;
  /** null when it is unknown here. */
  account: string | null;
  file: Readonly<{
    name: string;
    /** Where it is, as seen from the folder of the plan file; null where there is none, or the file came by standard input. */
    path: string | null;
    sha256: string;
    sizeBytes: number;
  }>;
  rows: Readonly<{ total: number; accepted: number; refused: number }>;
  currencies: readonly Readonly<{ currency: string; rows: number; total: string }>[];
  /** The balances of the account by currency; null without a read of the balance. */
  funds: readonly FundsLine[] | null;
  chunks: number;
  at: string | null;
  executionDate: string | null;
  choices: PaymentOptions;
  /** The control totals of the file; null when the file has none. */
  controlTotals: ControlTotals | null;
  /** The total in the last row of the file, which pays nothing; missing where there is none. */
  totalRow?: TotalRow;
  /** The sheet that was read; missing for a file that is no workbook. */
  sheet?: string;
  findings: readonly FindingView[];
  rules: RulesInWords;
  /** The approvals that this plan needs, in words. */
  approvalNeeded: readonly string[];
  /** Whether the rows were compared with earlier batches; false without a store or an account. */
  historyRead: boolean;
  /** null when the account is unknown here, or rows are refused. */
  digest: string | null;
  /** A hash of each part of the plan; the digest is made of them. */
  parts: PlanParts | null;
  /** Where refused rows are listed; null when there are none. */
  nack: string | null;
  /** The rows of the file with their reasons, to be corrected and submitted; missing when none is refused. */
  toCorrect?: string;
  /** The reasons that would reject this file. */
  problems: readonly DetailedNote[];
  /** Every create request; none while there is no digest. */
  chunkList: readonly ChunkView[];
}>;

export type ChunkView = Readonly<{
  chunk: number;
  currency: string;
  rows: number;
  total: string;
  firstRow: number;
  lastRow: number;
  rowsSha256: string;
  idempotencyKey: string;
}>;

/** The facts about a plan that are not part of it. */
export type PlanNotes = Readonly<{
  /** The files about refused rows; null when none is refused. */
  refusals: Readonly<{ nack: string; toCorrect: string }> | null;
  problems: readonly BursarError[];
  funds: readonly FundsLine[] | null;
}>;

export function planView(planned: LocalPlan, { refusals, problems, funds }: PlanNotes): PlanView {
  const { batchId, account, source, options, reading, findings, facts } = planned;
  const { fileSha256, sizeBytes, rows, refusedRows, currencies, chunks } = reading.summary;
  const { totalRow, sheet } = reading.summary;
  const parts = facts === null ? null : partsOf(facts);
  return {
    schema: PLAN_SCHEMA,
    batchId,
    account,
    file: { name: source.fileName, path: null, sha256: fileSha256, sizeBytes },
    rows: { total: rows, accepted: rows - refusedRows, refused: refusedRows },
    currencies: currencies.map(({ currency, rows: count, total }) => ({
      currency,
      rows: count,
      total,
    })),
    funds,
    chunks,
    at: options.at,
    executionDate: options.executionDate,
    choices: choicesView(options),
    controlTotals: reading.summary.controlTotals ?? null,
    ...(totalRow === undefined ? {} : { totalRow }),
    ...(sheet === undefined ? {} : { sheet }),
    findings: findings.map((finding) => findingIn(planned, finding)),
    rules: rulesInWords(planned.rules),
    approvalNeeded: approvalNeeds(planned.rules.approval, currencies),
    historyRead: planned.historyRead,
    digest: parts === null ? null : digestOfParts(parts),
    parts,
    nack: refusals?.nack ?? null,
    ...(refusals === null ? {} : { toCorrect: refusals.toCorrect }),
    problems: problems.map(detailedNote),
    chunkList: facts === null ? [] : chunkList(reading.chunks, facts),
  };
}

function findingIn({ options, rules, unlisted }: LocalPlan, finding: Finding): FindingView {
  const view = findingView(finding, { accept: options.accept, raised: rules.findings });
  const [first] = unlisted;
  if (finding.code !== 'UNKNOWN_NETWORK' || first === undefined) return view;
  return { ...view, severity: 'block', fix: notListed(first).note.fix };
}

const choicesView = (options: PaymentOptions): PaymentOptions =>
  Object.fromEntries(
    CHOICES.flatMap((choice) => (options[choice] === undefined ? [] : [[choice, options[choice]]])),
  ) as PaymentOptions;

const chunkList = (heads: readonly ChunkHead[], { chunks }: PlanFacts): ChunkView[] =>
  heads.map(({ chunk, currency, rowCount, total, firstRow, lastRow, rowsSha256 }, at) => ({
    chunk,
    currency,
    rows: rowCount,
    total,
    firstRow,
    lastRow,
    rowsSha256,
    idempotencyKey: chunks[at]?.idempotencyKey ?? '',
  }));
