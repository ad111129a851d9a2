import { idempotencyKeyOf, sha256Hex } from '../sending/identity.ts';
import type { FileForm } from '../rows/file-form.ts';
import type { IngestSummary } from '../rows/staging.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Finding } from './finding.ts';
import type { HouseRules } from './rules.ts';

/** Everything that the submitter chose. Instants are ISO 8601 or null, amounts decimal text, durations milliseconds. */
export type PlanChoices = Readonly<{
  currency: string | null;
  at: string | null;
  executionDate: string | null;
  fundsWaitMs: number | null;
  beforeScheduled: boolean;
  skipInvalid: boolean;
  expectCount: number | null;
  expectTotals: readonly string[];
  rowTag: string;
  canaryRows: number;
  stopLoss: readonly string[];
  /** Missing: nothing was stated about the file, and the digest is that of older versions. */
  form?: FileForm;
}>;

/** A chunk of a plan. `total` is canonical decimal text. */
export type DigestedChunk = Readonly<{
  chunk: number;
  currency: string;
  rowCount: number;
  total: string;
  rowsSha256: string;
}>;

/** The batch of a plan. */
type PlanIdentity = Readonly<{ batchId: string; generation: number }>;

/** The choices of the submitter, and the codes of the findings that they accept. */
type SubmitterDecisions = Readonly<{ choices: PlanChoices; accepted: readonly string[] }>;

/** Everything that a batch decides before money moves. */
export type PlanFacts = PlanIdentity &
  SubmitterDecisions &
  Readonly<{
    account: string;
    fileSha256: string;
    contentSha256: string;
    rows: number;
    refusedRows: number;
    findings: readonly Finding[];
    rules: HouseRules;
    chunks: readonly (DigestedChunk & Readonly<{ idempotencyKey: string }>)[];
  }>;

/** The input of a plan. */
export type PlanSources = Readonly<{
  batch: PlanIdentity & Readonly<{ account: string }>;
  summary: IngestSummary;
  options: PlanChoices & Readonly<{ accept: readonly string[] }>;
  findings: readonly Finding[];
  rules: HouseRules;
  chunks: readonly DigestedChunk[];
}>;

/** Puts a plan together, with the key of each chunk. */
export const planFacts = ({
  batch,
  summary,
  options,
  findings,
  rules,
  chunks,
}: PlanSources): PlanFacts => ({
  account: batch.account,
  batchId: batch.batchId,
  generation: batch.generation,
  fileSha256: summary.fileSha256,
  contentSha256: summary.contentSha256,
  rows: summary.rows,
  refusedRows: summary.refusedRows,
  choices: choicesOf(options),
  accepted: options.accept,
  findings,
  rules,
  chunks: chunks.map((chunk) => ({
    ...chunk,
    idempotencyKey: idempotencyKeyOf({ ...batch, chunk: chunk.chunk }),
  })),
});

/** What else a batch is started with (how many chunks side by side, how often it polls) changes nothing that is paid. */
const choicesOf = (options: PlanChoices): PlanChoices => ({
  currency: options.currency,
  at: options.at,
  executionDate: options.executionDate,
  fundsWaitMs: options.fundsWaitMs,
  beforeScheduled: options.beforeScheduled,
  skipInvalid: options.skipInvalid,
  expectCount: options.expectCount,
  expectTotals: options.expectTotals,
  rowTag: options.rowTag,
  canaryRows: options.canaryRows,
  stopLoss: options.stopLoss,
  ...(options.form === undefined ? {} : { form: options.form }),
});

/** The parts of a plan. Each part has a hash of its own, so that a differing plan can name the part. */
const CONTENT_OF = {
  account: (plan) => [plan.account],
  batch: (plan: PlanIdentity) => [plan.batchId, plan.generation],
  file: (plan) => [plan.fileSha256],
  rows: (plan) => [plan.contentSha256, plan.rows, plan.refusedRows],
  choices: (plan: SubmitterDecisions) => [plan.choices],
  accepted: (plan: SubmitterDecisions) => [...new Set(plan.accepted)].sort(),
  findings: (plan) => plan.findings.map(findingContent).sort(),
  approval: (plan) => [plan.rules.approval],
  findingRules: ({ rules: { findings, historyDays, payees } }) =>
    payees === undefined ? [findings, historyDays] : [findings, historyDays, payees],
  limits: (plan) => [plan.rules.limits],
  feeRules: (plan) => [plan.rules.fees],
  chunks: (plan) => plan.chunks.map(chunkContent),
} as const satisfies Record<string, (plan: PlanFacts) => readonly unknown[]>;

export type PlanPart = keyof typeof CONTENT_OF;

export const PLAN_PARTS = Object.keys(CONTENT_OF) as readonly PlanPart[];

/** A hash (SHA-256, lowercase hex) of each part of a plan. */
export type PlanParts = Readonly<Record<PlanPart, string>>;

/**
 * The rows that a finding names belong to it: an acceptance for one row is none for another. Its wording does not, for
 * it may contain the present state of another batch.
 */
const findingContent = ({ code, count, examples }: Finding): string =>
  canonicalJson([code, count, examples.map(({ row }) => row)]);

const chunkContent = (chunk: PlanFacts['chunks'][number]): readonly unknown[] => [
  chunk.chunk,
  chunk.currency,
  chunk.rowCount,
  chunk.total,
  chunk.rowsSha256,
  chunk.idempotencyKey,
];

export const partsOf = (plan: PlanFacts): PlanParts =>
  Object.fromEntries(
    PLAN_PARTS.map((part) => [part, partHash(part, CONTENT_OF[part](plan))]),
  ) as PlanParts;

/** The part of a plan that comes from flags and settings alone. */
export type Chosen = PlanIdentity & Readonly<{ options: PlanSources['options'] }>;

/** The parts that follow from flags and settings alone. */
export function chosenPartsOf({ options, ...batch }: Chosen) {
  const decisions = { choices: choicesOf(options), accepted: options.accept };
  return {
    batch: partHash('batch', CONTENT_OF.batch(batch)),
    choices: partHash('choices', CONTENT_OF.choices(decisions)),
    accepted: partHash('accepted', CONTENT_OF.accepted(decisions)),
  } satisfies Partial<PlanParts>;
}

const partHash = (part: PlanPart, content: readonly unknown[]): string =>
  sha256Hex([part, ...content.map(canonicalJson)].join('\n'));

/** Names a plan: the same plan has the same digest, and any change of its payments changes it. */
export const digestOf = (plan: PlanFacts): string => digestOfParts(partsOf(plan));

export const digestOfParts = (parts: PlanParts): string =>
  `sha256:${sha256Hex(['bursar.plan/v2', ...PLAN_PARTS.map((part) => `${part} ${parts[part]}`)].join('\n'))}`;
