import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import type { S3Client } from '@aws-sdk/client-s3';
import {
  bucketUrl,
  INSTALL_S3,
  isS3Installed,
  makeBucket,
  s3ClientOf,
  startS3Process,
} from '../../../bench/support/s3-server.ts';
import { freePort } from '../../support/free-port.ts';

export type S3Server = Readonly<{
  endpoint: string;
  /** The address of files in a new bucket. */
  newUrl(): Promise<string>;
  client: S3Client;
  stop(): Promise<void>;
}>;

/** `describe` for tests on an S3 server. Without one they are skipped, and say so; where CI is set they run, and fail. */
export function describeWithS3(name: string, tests: () => void): void {
  if (!hasS3()) console.warn(`Skipped: ${name}. Run ${INSTALL_S3}.`);
  (hasS3() ? describe : describe.skip)(name, tests);
}

const hasS3 = (): boolean =>
  process.env['CI'] !== undefined || process.env['BURSAR_TEST_S3'] !== undefined || isS3Installed();

/** The server at BURSAR_TEST_S3, as in `http://127.0.0.1:9000`, or one that ends with the test. */
export async function startS3(): Promise<S3Server> {
  const given = process.env['BURSAR_TEST_S3'];
  const started = given === undefined ? startS3Process(await freePort()) : undefined;
  const endpoint = given ?? started?.endpoint ?? '';
  const client = s3ClientOf(endpoint);
  return {
    endpoint,
    client,
    async newUrl() {
      const bucket = `bursar-${randomUUID()}`;
      await makeBucket(endpoint, bucket);
      return bucketUrl(bucket, endpoint);
    },
    async stop() {
      client.destroy();
      started?.stop();
    },
  };
}
