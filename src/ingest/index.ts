export type { EarlierBatch, PlanFindings, PlanGrounds } from './history/findings-of-plan.ts';
export { findingsOfPlan } from './history/findings-of-plan.ts';
export type { IngestOptions, IngestProgress, IngestSource } from './ingest-file.ts';
export { ingestFile } from './ingest-file.ts';
export { ingestRows, type RowsSource } from './ingest-rows.ts';
export type { RowsAt } from './history/rows-in-words.ts';
export { rowsOfFile } from './rows-of-file.ts';
