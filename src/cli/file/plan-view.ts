import type { BatchOptions } from '../../contract/batch.ts';
import type { BursarError, ErrorNote } from '../../domain/errors/bursar-error.ts';
import { FINDINGS, type Finding, type Severity, severityOf } from '../../domain/plan/finding.ts';
import type { RaisedFindings } from '../../domain/plan/rules.ts';
import type { FundsLine } from './funds.ts';
import { findingsOf } from '../../domain/plan/judge-file.ts';
import type { FileReading } from './read-file.ts';

/** What `bursar plan -o json` prints, and what `bursar submit` shows before it asks. */
export type PlanView = Readonly<{
  schema: 'bursar.plan/v1';
  batchId: string;
  file: Readonly<{ name: string; sha256: string; sizeBytes: number }>;
  rows: Readonly<{ total: number; accepted: number; refused: number }>;
  currencies: readonly Readonly<{ currency: string; rows: number; total: string }>[];
  chunks: number;
  at: string | null;
  executionDate: string | null;
  findings: readonly FindingView[];
  /** null when the account is not known here, or rows are refused. */
  digest: string | null;
  /** Where refused rows are listed; null when there are none. */
  nack: string | null;
  /** Why the file would be rejected as it stands. */
  problems: readonly ErrorNote[];
  /** What the account holds, by currency; null when the service was not asked. */
  funds: readonly FundsLine[] | null;
}>;

export type FindingView = Finding &
  Readonly<{ severity: Severity; accepted: boolean; what: string; why: string; fix: string }>;

export type PlanParts = Readonly<{
  batchId: string;
  fileName: string;
  reading: FileReading;
  options: BatchOptions;
  raised: RaisedFindings;
  digest: string | null;
  nack: string | null;
  problems: readonly BursarError[];
  funds: readonly FundsLine[] | null;
}>;

export function planView(parts: PlanParts): PlanView {
  const { batchId, fileName, options, digest, nack, problems, funds } = parts;
  const { fileSha256, sizeBytes, rows, refusedRows, currencies, chunks } = parts.reading.summary;
  return {
    schema: 'bursar.plan/v1',
    batchId,
    file: { name: fileName, sha256: fileSha256, sizeBytes },
    rows: { total: rows, accepted: rows - refusedRows, refused: refusedRows },
    currencies: currencies.map(({ currency, rows: count, total }) => ({
      currency,
      rows: count,
      total,
    })),
    chunks,
    at: options.at,
    executionDate: options.executionDate,
    findings: findingsOf(parts.reading.summary, options.skipInvalid).map((finding) => ({
      ...finding,
      severity: severityOf(finding.code, parts.raised),
      accepted: options.accept.includes(finding.code),
      what: FINDINGS[finding.code].what,
      why: FINDINGS[finding.code].why,
      fix: FINDINGS[finding.code].fix,
    })),
    digest,
    nack,
    problems: problems.map(({ note }) => note),
    funds,
  };
}
