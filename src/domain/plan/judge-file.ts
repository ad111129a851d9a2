import { BursarError, isBursarError } from '../errors/bursar-error.ts';
import { checkControlTotals, type ControlTotals, IN_CONTROL_LINE } from './control-totals.ts';
import { type Finding, openFindings } from './finding.ts';
import { CHUNKS_MAX } from './limits.ts';
import type { IngestSummary } from '../rows/staging.ts';

/** What the submitter said about the file. `accept`: codes of findings. */
export type FileChoices = ControlTotals &
  Readonly<{ skipInvalid: boolean; accept: readonly string[] }>;

type Judged = Readonly<{
  summary: IngestSummary;
  choices: FileChoices;
  file: string;
  /** Where the refused rows are listed. */
  nack: string;
}>;

/** Everything for which a file is rejected on its own, before other batches are looked at. */
export function problemsOf({ summary, choices, file, nack }: Judged): BursarError[] {
  return [
    ...refusedRowsProblem(summary, choices.skipInvalid, { file, nack }),
    ...tooManyChunksProblem(summary, file),
    ...problemOf(() => checkControlTotals(choices, summary)),
    ...problemOf(() => checkControlLine(summary)),
    ...findingsProblem(summary, choices),
  ];
}

/** The findings of a file; rows that are skipped are one of them, so that nobody overlooks them. */
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

function problemOf(check: () => void): BursarError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (isBursarError(error)) return [error];
    throw error;
  }
}

function findingsProblem(
  summary: IngestSummary,
  { skipInvalid, accept }: FileChoices,
): BursarError[] {
  const open = openFindings(findingsOf(summary, skipInvalid), accept);
  if (open.length === 0) return [];
  const codes = open.map(({ code }) => code).join(', ');
  return [new BursarError('FINDINGS_NOT_ACCEPTED', { codes })];
}
