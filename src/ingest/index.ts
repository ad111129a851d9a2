export type { EarlierBatch, PlanFindings, PlanFindingsInput } from './history/plan-findings.ts';
export { readPlanFindings } from './history/plan-findings.ts';
export type { ReadRowsByNumber } from './history/row-texts.ts';
export type { IngestOptions, IngestProgress, IngestSource } from './ingest-file.ts';
export { ingestFile } from './ingest-file.ts';
export { ingestRows, type RowsSource } from './ingest-rows.ts';
export { readRowsOfFile } from './ingest-file.ts';
export { NO_PAYEES, readPayeeBook } from './history/payee-book.ts';
export { readRawRows } from './raw-rows.ts';
