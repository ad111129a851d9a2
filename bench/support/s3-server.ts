import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** Installed by scripts/install-s3-server.sh, which has the same version. */
const PYTHON = join(homedir(), '.cache', 'bursar', 'moto-5.2.1', 'bin', 'python');
export const INSTALL_S3 = 'scripts/install-s3-server.sh';

/** Each program needs them in its environment, where the SDK reads them. The server takes any. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' } as const;

const READY_MS_MAX = 60_000;
const TRY_AGAIN_MS = 100;

export type S3Process = Readonly<{
  endpoint: string;
  /** Ends the server. It keeps its objects in memory, so they are lost. */
  stop(): void;
}>;

export const isS3Installed = (): boolean => existsSync(PYTHON);

/** Starts an S3 server (moto) that only this machine reaches, and that ends with this process. Throws when it is not installed. */
export function startS3Process(port: number): S3Process {
  if (!isS3Installed()) throw new Error(`there is no S3 server: run ${INSTALL_S3}`);
  const options = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const child = spawn(PYTHON, options, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () => void child.kill('SIGKILL'),
  };
}

/** A client with the keys of this process, which are those above where it has none. */
export function s3ClientOf(endpoint: string): S3Client {
  for (const [name, value] of Object.entries(S3_KEYS)) process.env[name] ??= value;
  return new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
}

/** Makes a bucket on a server that may still be starting. Throws when it does not start. */
export async function makeBucket(endpoint: string, bucket: string): Promise<void> {
  const client = s3ClientOf(endpoint);
  try {
    for (const sinceMs = performance.now(); ; await pause(TRY_AGAIN_MS)) {
      try {
        return void (await client.send(new CreateBucketCommand({ Bucket: bucket })));
      } catch (cause) {
        if (performance.now() - sinceMs < READY_MS_MAX) continue;
        throw new Error(`the S3 server at ${endpoint} does not start`, { cause });
      }
    }
  } finally {
    client.destroy();
  }
}

/** The address of a folder in a bucket. */
export const bucketUrl = (bucket: string, endpoint: string): string =>
  `s3://${bucket}/copies?region=us-east-1&endpoint=${endpoint}&pathStyle=true`;
