import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  bucketUrl,
  INSTALL_S3,
  isS3Installed,
  makeBucket,
  startS3Process,
} from '../../bench/support/s3-server.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { packageRoot } from '../../src/local-stack/package-root.ts';

const BUCKET = 'bursar-cluster';

export type ObjectStore = Readonly<{
  port: number;
  /** The address of the files of a run, through the server itself or through a proxy at another port. */
  urlAt(port: number): string;
  stop(): void;
}>;

/** Starts an S3 server with a bucket for the files of a run. It keeps objects in memory, so it must live until the run is judged. */
export async function startObjectStore(say: (line: string) => void): Promise<ObjectStore> {
  if (!isS3Installed()) install(say);
  const [port = 0] = await choosePorts([{ name: 'S3', host: '127.0.0.1', port: 0 }], 'free');
  const server = startS3Process(port);
  await makeBucket(server.endpoint, BUCKET);
  return {
    port,
    urlAt: (at) => bucketUrl(BUCKET, `http://127.0.0.1:${at}`),
    stop: () => server.stop(),
  };
}

function install(say: (line: string) => void): void {
  say('Installing an S3 server, which takes some minutes');
  const { status } = spawnSync(join(packageRoot(), INSTALL_S3), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${INSTALL_S3} ended with ${status}`);
}
