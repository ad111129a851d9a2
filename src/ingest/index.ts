export type {
  EarlierBatch,
  PlanFindings,
  PlanFindingsInput as PlanGrounds,
} from './history/plan-findings.ts';
export { readPlanFindings as findingsOfPlan } from './history/plan-findings.ts';
export type { IngestOptions, IngestProgress, IngestSource } from './ingest-file.ts';
export { ingestFile } from './ingest-file.ts';
export { ingestRows, type RowsSource } from './ingest-rows.ts';
export type { ReadRowsByNumber as RowsAt } from './history/row-texts.ts';
export { readRowsOfFile as rowsOfFile } from './read-rows-of-file.ts';
