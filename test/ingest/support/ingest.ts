import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RefusedRow } from '../../../src/domain/rows/refused-row.ts';
import { type Row, unpackRows } from '../../../src/domain/rows/row.ts';
import type { IngestSummary, StagedChunk } from '../../../src/domain/rows/staging.ts';
import { type IngestOptions, ingestFile } from '../../../src/ingest/index.ts';
import { buildUrl } from '../../support/child.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The results of one import. */
export type Ingested = Readonly<{
  summary: IngestSummary;
  chunks: readonly StagedChunk[];
  /** The rows of all chunks, in chunk order. */
  rows: readonly Row[];
  refused: readonly RefusedRow[];
}>;

const NAME = 'payouts.csv';

/** The compiled program of a thread that checks rows. */
export const BLOCK_THREAD = new URL(buildUrl('src/ingest/block-thread.js'));

/** Imports a file with this content. */
export function ingestText(
  content: string | Uint8Array,
  options: Partial<IngestOptions> = {},
): Promise<Ingested> {
  const path = join(temporaryFolder(), NAME);
  writeFileSync(path, content);
  return ingestPath(path, options);
}

export async function ingestPath(
  path: string,
  options: Partial<IngestOptions> = {},
): Promise<Ingested> {
  const chunks: StagedChunk[] = [];
  const refused: RefusedRow[] = [];
  const summary = await ingestFile(
    { name: NAME, path },
    { chunkRows: 1_000, threads: { module: BLOCK_THREAD }, ...options },
    {
      putChunk: async (chunk) => void chunks.push(chunk),
      putRefused: async (rows) => void refused.push(...rows),
    },
  );
  const rows = chunks.flatMap(({ currency, rows: packed }) =>
    unpackRows(packed).map((row) => ({ ...row, currency })),
  );
  return { summary, chunks, rows, refused };
}

/** Returns the refusal of a whole file: `CODE`, with the line if the error has one. */
export async function refusalOf(
  content: string | Uint8Array,
  options: Partial<IngestOptions> = {},
): Promise<string> {
  try {
    await ingestText(content, options);
  } catch (error) {
    const { code, facts } = error as { code?: string; facts?: { line?: number } };
    if (code === undefined) throw error;
    return facts?.line === undefined ? code : `${code} ${facts.line}`;
  }
  return 'accepted';
}

/** Returns `row column CODE` of every reason. */
export const reasonsOf = ({ refused }: Ingested): string[] =>
  refused.map(({ row, column, code }) => `${row} ${column} ${code}`);

/** Addresses with valid checksums, for files written by hand. */
export const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
export const TRON_2 = 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9';
export const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export const HEADER = 'address,amount,currency,comment,reference\n';
