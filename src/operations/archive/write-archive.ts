import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../domain/audit/chain.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Files, PublishedFile } from '../../files/index.ts';
import { hashOfFile } from '../../report/hash-of-file.ts';
import { verifyBatch } from '../../report/verify/verify-batch.ts';
import { REPORT_FILES } from '../../report/write-report-files.ts';
import type { Store, StoreParts } from '../../store/index.ts';
import { AUDIT_FILE, SUBMITTED_FILE } from './archive-files.ts';

/** An archive that was written. */
export type WrittenArchive = Readonly<{
  batchId: string;
  /** The place of the archive, and its folder there. */
  url: string;
  folder: string;
  /** SHA-256 by the name of the file. */
  files: Readonly<Record<string, string>>;
}>;

export type ArchiveParts = Readonly<{ store: Store }> & Places;

type Places = Readonly<{ blobs: Files; to: Files; reportDir: string }>;
type Moment = Readonly<{ store: StoreParts }> & Places;

/**
 * Copies the submitted file, the newest report and the audit log of an ended batch into a folder of its own, which never changes
 * again. Memory does not grow with the rows.
 * @throws BATCH_NOT_FOUND, BATCH_OPEN, BATCH_PRUNED, ARCHIVE_UNPROVEN, PUBLISHED_ALREADY, FILES_UNAVAILABLE
 */
export const writeArchive = (parts: ArchiveParts, batchId: string): Promise<WrittenArchive> =>
  // The log is read twice, for its hash and for its lines, and another program may write it.
  parts.store.snapshot((moment) => archiveNow({ ...parts, store: moment }, batchId));

async function archiveNow(parts: Moment, batchId: string): Promise<WrittenArchive> {
  const { store, blobs, to, reportDir } = parts;
  const { fileSha256 } = await endedBatch(parts, batchId);
  const files: PublishedFile[] = [
    { name: SUBMITTED_FILE, sha256: fileSha256, read: () => copyOf(blobs, fileSha256) },
    {
      name: AUDIT_FILE,
      sha256: await hashOf(auditLines(store, batchId)),
      read: () => auditLines(store, batchId),
    },
  ];
  for (const name of REPORT_FILES) {
    const path = join(reportDir, name);
    const sha256 = await hashOfFile(path).catch(missing);
    if (sha256 !== undefined) files.push({ name, sha256, read: () => createReadStream(path) });
  }
  await to.publish(batchId, files);
  const hashes = Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
  return { batchId, url: to.url, folder: batchId, files: hashes };
}

/** The batch, when it has ended and everything of it is as it was stored. */
async function endedBatch({ store, blobs, reportDir }: Moment, batchId: string) {
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  if (batch.endState === null) {
    throw new BursarError('BATCH_OPEN', { batchId, state: 'it is under way' });
  }
  if (batch.prunedAtMs !== null) throw new BursarError('BATCH_PRUNED', { batchId });
  const found = await verifyBatch({ store, blobs }, { batchId, reportDir, head: null });
  if (found.problemCount > 0) throw new BursarError('ARCHIVE_UNPROVEN', { batchId });
  return batch;
}

async function* auditLines(store: StoreParts, batchId: string): AsyncGenerator<Buffer> {
  for await (const { entry } of store.audit.walk([batchId])) {
    if (entry !== null) yield Buffer.from(`${canonicalJson(entry)}\n`, 'utf8');
  }
}

async function hashOf(blocks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of blocks) hash.update(block);
  return hash.digest('hex');
}

async function* copyOf(blobs: Files, sha256: string): AsyncGenerator<Buffer> {
  const copy = await blobs.open(sha256);
  try {
    yield* copy.blocks;
  } finally {
    await copy.close();
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
