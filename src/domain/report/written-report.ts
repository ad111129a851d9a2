import { canonicalJson, type ChainedEntry } from '../audit/chain.ts';
import { sha256Hex } from '../sending/identity.ts';
import { filesPlaceOf } from '../store/files-url.ts';

/** The action of the audit entry that a written report gets. */
export const REPORT_WRITTEN = 'report';

/** The audit entry of a written report: its version, and the SHA-256 of each file by name. */
export type WrittenFiles = Readonly<{ version: number; files: Readonly<Record<string, string>> }>;

/** The files that an audit entry names. A malformed entry is a problem of its chain, and names none. */
export function writtenFilesOf({ detail }: ChainedEntry): WrittenFiles {
  const { version, files } = detail as Partial<WrittenFiles>;
  return { version: version ?? 0, files: files ?? {} };
}

/** The newest report: of the highest version the one that was written last; undefined: there is none. */
export const newestReport = (written: readonly WrittenFiles[]): WrittenFiles | undefined =>
  written.toSorted((a, b) => a.version - b.version).at(-1);

/** Characters of the hash in the prefix of a report. */
const HASH_LENGTH = 16;

/**
 * The prefix of a report in a bucket. It follows from the audit entry, so that the log names the newest report, and two reports
 * of one version have two prefixes.
 */
export const reportPrefix = (batchId: string, { version, files }: WrittenFiles): string =>
  `reports/${batchId}/v${version}-${sha256Hex(canonicalJson(files)).slice(0, HASH_LENGTH)}`;

/**
 * The address of a report in a bucket; undefined where `blob.url` is a folder: reports are in folders of machines then.
 * @example bucketReportUrl('s3://payouts/files?region=eu', 'june', written) // s3://payouts/files/reports/june/v1-...
 */
export function bucketReportUrl(
  blobUrl: string,
  batchId: string,
  written: WrittenFiles,
): string | undefined {
  const place = filesPlaceOf(blobUrl);
  if (place?.kind !== 'bucket') return undefined;
  return `s3://${place.bucket}/${place.prefix}${reportPrefix(batchId, written)}`;
}
