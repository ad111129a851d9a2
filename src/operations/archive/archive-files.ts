import { resolve } from 'node:path';
import { filesPlaceOf } from '../../domain/store/files-url.ts';
import { createFiles, type Files } from '../../files/index.ts';
import { REPORT_FILES } from '../../report/write-report-files.ts';
import { flagInvalid } from '../input/flag-error.ts';

/** The files of an archive beside its manifest: the submitted file, the entries of the audit log, and the newest report. */
export const SUBMITTED_FILE = 'submitted-file';
export const AUDIT_FILE = 'audit.jsonl';
export const ARCHIVE_FILES: readonly string[] = [SUBMITTED_FILE, AUDIT_FILE, ...REPORT_FILES];

/** The files of a folder, or of an `s3:` address. Throws FLAG_INVALID. */
export function archivePlace(flag: string, text: string, cwd: string): Files {
  const url = text.startsWith('s3:') ? text : `file:${resolve(cwd, text)}`;
  if (filesPlaceOf(url) !== undefined) return createFiles(url);
  throw flagInvalid(flag, `"${text}" is neither a folder nor s3://BUCKET/PREFIX`);
}
