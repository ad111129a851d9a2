import { type KeptHead, readKeptHead } from '../../domain/audit/kept-head.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import { filesPlaceOf } from '../../domain/store/files-url.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { createFiles, type Files } from '../../files/index.ts';
import { checkMark } from '../../report/verify/check-log.ts';
import { createProblems } from '../../report/verify/problems.ts';
import type { StoreParts } from '../../store/index.ts';

/** Heads that are compared: the newest ones. Each stands for all entries of the store chain before it. */
const HEADS_MAX = 1_000;
/** A head has about 200 bytes. A larger file is none. */
const HEAD_BYTES_MAX = 4_096;

/** The comparison of the log with the heads that are kept in a second place. */
export type KeptHeads = Readonly<{
  /** The place, without secrets. */
  url: string;
  /** Whether heads can be read there. A receiver of webhooks compares them itself. */
  isReadable: boolean;
  compared: number;
  problems: readonly ErrorNote[];
}>;

/**
 * Compares the audit log with the heads that workers kept at `url`. @throws FILES_UNAVAILABLE, and BLOB_DAMAGED when
 * a kept head was changed
 */
export async function checkKeptHeads(store: StoreParts, url: string): Promise<KeptHeads> {
  const shown = maskedUrl(url);
  if (filesPlaceOf(url) === undefined) {
    return { url: shown, isReadable: false, compared: 0, problems: [] };
  }
  const problems = createProblems();
  const { id } = await store.identity.read();
  let compared = 0;
  for await (const { storeId, seq: entries, hash } of newestHeads(createFiles(url))) {
    if (storeId !== id) continue;
    await checkMark(store.audit, { source: shown, entries, hash }, problems);
    compared += 1;
  }
  return { url: shown, isReadable: true, compared, problems: problems.listed() };
}

async function* newestHeads(files: Files): AsyncGenerator<KeptHead> {
  const found: { path: string; changedAtMs: number }[] = [];
  for await (const { path, sizeBytes, changedAtMs } of files.list('')) {
    if (sizeBytes <= HEAD_BYTES_MAX) found.push({ path, changedAtMs });
  }
  found.sort((a, b) => b.changedAtMs - a.changedAtMs);
  for (const { path } of found.slice(0, HEADS_MAX)) {
    const head = (await files.has(path)) ? readKeptHead(await textOf(files, path)) : undefined;
    if (head !== undefined) yield head;
  }
}

async function textOf(files: Files, sha256: string): Promise<string> {
  const copy = await files.open(sha256);
  try {
    const blocks: Buffer[] = [];
    for await (const block of copy.blocks) blocks.push(block);
    return Buffer.concat(blocks).toString('utf8');
  } finally {
    await copy.close();
  }
}
