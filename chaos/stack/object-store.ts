import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bucketUrl, S3_KEYS } from '../../bench/support/s3-server.ts';
import { type Child, startChild } from '../../src/local-stack/processes/child.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { untilReady } from '../../src/local-stack/processes/ready.ts';
import { findGoProgram } from './go-program.ts';
import { cleanEnv } from './settings.ts';
import type { TemporalGround } from './temporal-servers.ts';

const VERSION = 'v1.8.0';
const PROGRAM = {
  name: 'the S3 server versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: VERSION,
  path: `versitygw-${VERSION}`,
};
const LOOPBACK = '127.0.0.1';
const BUCKET = 'bursar-cluster';

/** Where objects lie as files, below the folder of the run. */
export const OBJECTS_FOLDER = 'objects';

export type ObjectStore = Readonly<{
  port: number;
  /** The address of the files of a run, through the server itself or through a proxy at another port. */
  urlAt(port: number): string;
  /** Starts the server, and waits until it answers. */
  start(log: string): Promise<Child>;
}>;

/** An S3 server with a bucket for the files of a run. It keeps objects as files, and survives its own end. Nothing runs yet. */
export async function objectStore(ground: TemporalGround): Promise<ObjectStore> {
  const program = await findGoProgram(PROGRAM, ground);
  const { folder, env } = ground;
  const objects = join(folder, OBJECTS_FOLDER);
  // A folder is a bucket.
  mkdirSync(join(objects, BUCKET), { recursive: true });
  const [port = 0] = await choosePorts([{ name: 'S3', host: LOOPBACK, port: 0 }], 'free');
  const endpoint = `http://${LOOPBACK}:${port}`;
  const keys = ['--access', S3_KEYS.AWS_ACCESS_KEY_ID, '--secret', S3_KEYS.AWS_SECRET_ACCESS_KEY];
  const options = [...keys, '--port', `${LOOPBACK}:${port}`, '--quiet', 'posix', objects];
  return {
    port,
    urlAt: (at) => bucketUrl(BUCKET, `http://${LOOPBACK}:${at}`),
    async start(log) {
      const command = [program, ...options] as const;
      const child = await startChild({
        name: 's3',
        command,
        env: cleanEnv(env),
        cwd: folder,
        log,
      });
      await untilReady(child, () => answers(endpoint));
      return child;
    },
  };
}

/** Any answer will do, a refusal as well. */
const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
