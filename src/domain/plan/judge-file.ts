import { BursarError, isBursarError } from '../errors/bursar-error.ts';
import {
  checkControlTotals,
  checkTotalRow,
  type ControlTotals,
  IN_CONTROL_LINE,
} from './control-totals.ts';
import { type Finding, openFindings, type RaisedFindings, severityOf } from './finding.ts';
import { CHUNKS_MAX } from './limits.ts';
import type { IngestSummary } from '../rows/staging.ts';

/** The choices of the submitter about the file. `accept`: codes of findings. */
export type FileChoices = ControlTotals &
  Readonly<{ skipInvalid: boolean; accept: readonly string[] }>;

type Judged = Readonly<{
  summary: IngestSummary;
  choices: FileChoices;
  file: string;
  /** Where the refused rows are listed. */
  nack: string;
}>;

/** All errors that reject a file, apart from findings in its rows. */
export function problemsOfFile({ summary, choices, file, nack }: Judged): BursarError[] {
  return [
    ...refusedRowsProblem(summary, choices.skipInvalid, { file, nack }),
    ...tooManyChunksProblem(summary, file),
    ...problemOf(() => checkControlTotals(choices, summary)),
    ...problemOf(() => checkControlLine(summary)),
    ...problemOf(() => checkTotal(summary)),
  ];
}

/** All errors that reject a plan: those of its file, and findings that stop it. */
export const problemsOf = (
  judged: Judged,
  findings: readonly Finding[],
  raised: RaisedFindings,
): BursarError[] => [
  ...problemsOfFile(judged),
  ...problemsOfFindings(findings, judged.choices.accept, raised),
];

/** The findings of a file; skipped rows are one of them, so that no person overlooks them. */
export const findingsOf = (
  { findings, refusedRows }: IngestSummary,
  skipInvalid: boolean,
): readonly Finding[] =>
  skipInvalid && refusedRows > 0
    ? [...findings, { code: 'ROWS_SKIPPED', count: refusedRows, examples: [] }]
    : findings;

function refusedRowsProblem(
  { rows, refusedRows }: IngestSummary,
  skipInvalid: boolean,
  names: Readonly<{ file: string; nack: string }>,
): BursarError[] {
  if (refusedRows === 0 || (skipInvalid && refusedRows < rows)) return [];
  return [new BursarError('FILE_ROWS_REFUSED', { ...names, refused: refusedRows, rows })];
}

const tooManyChunksProblem = ({ chunks }: IngestSummary, file: string): BursarError[] =>
  chunks <= CHUNKS_MAX
    ? []
    : [new BursarError('FILE_TOO_MANY_CHUNKS', { file, chunks, max: CHUNKS_MAX })];

function checkControlLine({ controlTotals, ...found }: IngestSummary): void {
  if (controlTotals !== undefined) checkControlTotals(controlTotals, found, IN_CONTROL_LINE);
}

function checkTotal({ totalRow, ...found }: IngestSummary): void {
  if (totalRow !== undefined) checkTotalRow(totalRow, found);
}

function problemOf(check: () => void): BursarError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (isBursarError(error)) return [error];
    throw error;
  }
}

/** Why findings stop a batch: some cannot be accepted, or were not accepted. */
export function problemsOfFindings(
  findings: readonly Finding[],
  accepted: readonly string[],
  raised: RaisedFindings,
): BursarError[] {
  const open = openFindings(findings, accepted, raised).map(({ code }) => code);
  const blocking = open.filter((code) => severityOf(code, raised) === 'block');
  const waiting = open.filter((code) => !blocking.includes(code));
  return [
    ...(blocking.length === 0
      ? []
      : [new BursarError('FINDINGS_BLOCK', { codes: blocking.join(', ') })]),
    ...(waiting.length === 0
      ? []
      : [new BursarError('FINDINGS_NOT_ACCEPTED', { codes: waiting.join(', ') })]),
  ];
}
