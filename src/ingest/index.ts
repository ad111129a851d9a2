export type { IngestOptions, IngestProgress, IngestSource } from './ingest-file.ts';
export { ingestFile } from './ingest-file.ts';
export { ingestRows, type RowsSource } from './ingest-rows.ts';
