import { BursarError } from '../errors/bursar-error.ts';
import {
  digestOfParts,
  PLAN_PARTS,
  type PlanFacts,
  type PlanPart,
  type PlanParts,
  partsOf,
} from './digest.ts';
import { withCommas } from '../text/counted.ts';
import type { Finding } from './finding.ts';

/** The confirmed plan: nothing else may be carried out. The parts show how another plan differs. */
export type ExpectedPlan = Readonly<{ digest: string; parts: PlanParts }>;

/** What people call the parts of a plan. */
export const PART_NAMES: Readonly<Record<PlanPart, string>> = {
  account: 'the account',
  batch: 'the id of the batch',
  file: 'the file',
  rows: 'the rows',
  choices: 'the choices',
  accepted: 'the accepted findings',
  findings: 'the findings',
  approval: 'the approval policy',
  findingRules: 'the rules for findings',
  limits: 'the limits',
  feeRules: 'the rules for fees',
  chunks: 'the chunks',
};

/** The parts in which two plans differ. */
export const changedParts = (before: PlanParts, after: PlanParts): PlanPart[] =>
  PLAN_PARTS.filter((part) => before[part] !== after[part]);

/**
 * Refuses a plan that is not the one that was confirmed; null: none was; missing in batches that are older than plans.
 * Throws PLAN_CHANGED.
 */
export function refuseOtherPlan(expected: ExpectedPlan | null | undefined, plan: PlanFacts): void {
  if (expected === null || expected === undefined) return;
  const parts = partsOf(plan);
  if (digestOfParts(parts) === expected.digest) return;
  const changed = changedParts(expected.parts, parts);
  const changes = changed.map((part) => `${PART_NAMES[part]}${nowText(part, plan)}`).join(', ');
  throw new BursarError('PLAN_CHANGED', {
    plan: expected.digest,
    changes: changes || 'its digest',
  });
}

/** The present value of a part, where few words are enough: only counts and codes, for they are in histories. */
function nowText(part: PlanPart, { rows, refusedRows, findings, chunks }: PlanFacts): string {
  if (part === 'rows')
    return ` (now ${withCommas(rows)}, of which ${withCommas(refusedRows)} refused)`;
  if (part === 'findings') return ` (now ${findingsText(findings)})`;
  return part === 'chunks' ? ` (now ${withCommas(chunks.length)})` : '';
}

/** Findings in few words: `DUPLICATE_ROW 2, ADDRESS_BURN 1`. */
export const findingsText = (findings: readonly Finding[]): string =>
  findings.map(({ code, count }) => `${code} ${withCommas(count)}`).join(', ') || 'none';
