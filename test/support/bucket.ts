import { join } from 'node:path';
import { type Files, filesOn } from '../../src/files/index.ts';
import { folderEngine } from '../../src/files/folder-engine.ts';

export const BUCKET_URL = 's3://payouts/files';

/** The folder that stands for the bucket. */
export const bucketFolder = (folder: string): string => join(folder, 'bucket');

/** Files with the address of a bucket, which are in a folder. Programs publish reports there as in a bucket. */
export const bucketIn = (folder: string): Files =>
  filesOn(folderEngine(bucketFolder(folder)), BUCKET_URL);
