import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

/** Installed by scripts/install-s3-server.sh, which has the same version. */
const PYTHON = join(homedir(), '.cache', 'bursar', 'moto-5.2.1', 'bin', 'python');

/** The SDK reads them; moto takes any. */
const KEYS = { accessKeyId: 'test', secretAccessKey: 'test' };

export type S3Server = Readonly<{
  endpoint: string;
  /** The address of files in a new bucket. */
  newUrl(): Promise<string>;
  client: S3Client;
  stop(): Promise<void>;
}>;

/** `describe` for tests on an S3 server. Without one they are skipped, and say so; where CI is set they run, and fail. */
export function describeWithS3(name: string, tests: () => void): void {
  if (!hasS3()) console.warn(`Skipped: ${name}. Run scripts/install-s3-server.sh.`);
  (hasS3() ? describe : describe.skip)(name, tests);
}

const hasS3 = (): boolean =>
  process.env['CI'] !== undefined ||
  process.env['BURSAR_TEST_S3'] !== undefined ||
  existsSync(PYTHON);

/** The server at BURSAR_TEST_S3, as in `http://127.0.0.1:9000`, or one that ends with the test. */
export async function startS3(): Promise<S3Server> {
  process.env['AWS_ACCESS_KEY_ID'] ??= KEYS.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] ??= KEYS.secretAccessKey;
  const given = process.env['BURSAR_TEST_S3'];
  const started = given === undefined ? await startMoto() : undefined;
  const endpoint = given ?? started?.endpoint ?? '';
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  return {
    endpoint,
    client,
    async newUrl() {
      const bucket = `bursar-${randomUUID()}`;
      await eventually('the S3 server makes a bucket', () =>
        client.send(new CreateBucketCommand({ Bucket: bucket })).catch(() => undefined),
      );
      return urlOf(bucket, endpoint);
    },
    async stop() {
      client.destroy();
      started?.child.kill('SIGKILL');
    },
  };
}

export const urlOf = (bucket: string, endpoint: string): string =>
  `s3://${bucket}/copies?region=us-east-1&endpoint=${endpoint}&pathStyle=true`;

async function startMoto(): Promise<Readonly<{ endpoint: string; child: ChildProcess }>> {
  if (!existsSync(PYTHON)) {
    throw new Error(
      'there is no S3 server: run scripts/install-s3-server.sh, or set BURSAR_TEST_S3',
    );
  }
  const port = await freePort();
  const options = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const child = spawn(PYTHON, options, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return { endpoint: `http://127.0.0.1:${port}`, child };
}
