import { BursarError } from '../errors/bursar-error.ts';
import {
  digestOf,
  digestOfParts,
  PLAN_PARTS,
  type PlanFacts,
  type PlanPart,
  type PlanParts,
  partsOf,
} from './digest.ts';
import { withCommas } from '../text/counted.ts';
import type { RowNumber } from '../rows/row.ts';
import {
  type Finding,
  FINDING_CODES,
  isFindingCode,
  type RaisedFindings,
  severityOf,
} from './finding.ts';

/** The confirmed plan: nothing else may be carried out. The parts show how another plan differs. */
export type ExpectedPlan = Readonly<{ digest: string; parts: PlanParts }>;

/** A finding of a confirmed plan that needs no acceptance (`info`), with the rows that it named. */
export type SeenNote = Readonly<{
  code: Finding['code'];
  count: number;
  rows: readonly RowNumber[];
}>;

/** A confirmed plan with the notes that a person saw. Missing: they are not known. */
export type SeenPlan = ExpectedPlan & Readonly<{ notes?: readonly SeenNote[] }>;

/** The findings that need no acceptance, without the texts of their rows. */
export const notesOf = (findings: readonly Finding[], raised: RaisedFindings): SeenNote[] =>
  findings
    .filter(({ code }) => severityOf(code, raised) === 'info')
    .map(({ code, count, examples }) => ({ code, count, rows: examples.map(({ row }) => row) }));

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

/** Findings of a plan as it was returned or written. */
export type WrittenFindings = readonly Readonly<{
  code: string;
  count: number;
  examples: readonly Readonly<{ row: RowNumber }>[];
}>[];

/** A plan as it was written, which its reader has confirmed. Findings that are no notes of the plan of now are left out there. */
export const seenPlanOf = ({
  digest,
  parts,
  findings = [],
}: ExpectedPlan & Readonly<{ findings?: WrittenFindings }>): SeenPlan => ({
  digest,
  parts,
  notes: findings.flatMap(({ code, count, examples }) =>
    isFindingCode(code) ? [{ code, count, rows: examples.map(({ row }) => row) }] : [],
  ),
});

/**
 * Returns the findings of the confirmed plan, where a plan of now differs from it only by notes that have become fewer;
 * undefined: it differs otherwise. The digest proves the notes, so no signature covers them.
 */
export function findingsAsSeen(
  { digest, notes = [] }: SeenPlan,
  plan: PlanFacts,
): readonly Finding[] | undefined {
  const raised = plan.rules.findings;
  const isNote = ({ code }: Readonly<{ code: Finding['code'] }>): boolean =>
    severityOf(code, raised) === 'info';
  const seen = notes.filter(isNote);
  const present = plan.findings.filter(isNote);
  if (!present.every((note) => isWithin(note, seen))) return undefined;
  const all = [
    ...plan.findings.filter((finding) => !isNote(finding)),
    ...seen.map((note) => asSeen(note, present)),
  ];
  const findings = all.toSorted((a, b) => placeOf(a) - placeOf(b));
  return digestOf({ ...plan, findings }) === digest ? findings : undefined;
}

const placeOf = ({ code }: Finding): number => FINDING_CODES.indexOf(code);

/** Whether a note may consist of rows of a seen one alone. That one does not name all of its rows. */
function isWithin({ code, count, examples }: Finding, notes: readonly SeenNote[]): boolean {
  const seen = notes.find((note) => note.code === code);
  if (seen === undefined || count > seen.count) return false;
  const unnamed = seen.count - seen.rows.length;
  return examples.filter(({ row }) => !seen.rows.includes(row)).length <= unnamed;
}

/** A seen note with the texts of the rows that it still has. */
function asSeen({ code, count, rows }: SeenNote, present: readonly Finding[]): Finding {
  const texts = present.find((note) => note.code === code)?.examples ?? [];
  const examples = rows.map((row) => texts.find((text) => text.row === row) ?? { row, detail: '' });
  return { code, count, examples };
}

/**
 * Returns the findings that a plan is to have. Refuses a plan that is not the one that was confirmed; null: none was; missing in
 * batches that are older than plans. Throws PLAN_CHANGED.
 */
export function confirmedFindings(
  expected: SeenPlan | null | undefined,
  plan: PlanFacts,
): readonly Finding[] {
  if (expected === null || expected === undefined) return plan.findings;
  const parts = partsOf(plan);
  if (digestOfParts(parts) === expected.digest) return plan.findings;
  const seen = findingsAsSeen(expected, plan);
  if (seen !== undefined) return seen;
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
