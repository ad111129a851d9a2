import { BursarError } from '../domain/errors/bursar-error.ts';
import { withHash } from './hashed.ts';
import type { ObjectEngine, OpenObject } from './objects.ts';
import { refuseWrittenPath } from './paths.ts';

/** A file that is published. `read` may be called again after a failure. */
export type PublishedFile = Readonly<{
  name: string;
  sha256: string;
  read(): AsyncIterable<Buffer>;
}>;

/** The list of the files of a prefix, with their hashes. It is written first, and claims the prefix. */
const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = 1_000_000;

/**
 * Publishes files under a prefix that never changes again. The same files may be published again: what a lost program
 * left out is added.
 * @throws PUBLISHED_ALREADY when the prefix has other files, and FILES_PATH_REFUSED.
 */
export async function publish(
  engine: ObjectEngine,
  prefix: string,
  files: readonly PublishedFile[],
): Promise<void> {
  refuseWrittenPath(prefix);
  for (const { name } of files) {
    refuseWrittenPath(name);
    if (name === MANIFEST || name.includes('/')) {
      throw new BursarError('FILES_PATH_REFUSED', { path: name });
    }
  }
  await claim(engine, prefix, manifestOf(files));
  for (const { name, sha256, read } of files) {
    // Another publisher of the same files may have written it. Readers compare its hash.
    await engine.write(`${prefix}/${name}`, withHash(sha256, read()), 'once');
  }
}

const manifestOf = (files: readonly PublishedFile[]): Buffer => {
  const entries = files.map(({ name, sha256 }) => [name, sha256] as const);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(`${JSON.stringify(Object.fromEntries(sorted))}\n`);
};

async function claim(engine: ObjectEngine, prefix: string, manifest: Buffer): Promise<void> {
  const path = `${prefix}/${MANIFEST}`;
  if (await engine.write(path, once(manifest), 'once')) return;
  const found = await readSmall(engine, path);
  if (found?.equals(manifest) !== true) throw new BursarError('PUBLISHED_ALREADY', { prefix });
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The hash of a published file; undefined when the prefix has no such file. */
export async function publishedHash(
  engine: ObjectEngine,
  prefix: string,
  name: string,
): Promise<string | undefined> {
  const manifest = await readSmall(engine, `${prefix}/${MANIFEST}`);
  if (manifest === undefined) return undefined;
  const hashes = JSON.parse(manifest.toString('utf8')) as Record<string, string>;
  return Object.hasOwn(hashes, name) ? hashes[name] : undefined;
}

async function readSmall(engine: ObjectEngine, path: string): Promise<Buffer | undefined> {
  const object = await engine.read(path);
  return object === undefined ? undefined : readWhole(object, path);
}

async function readWhole(object: OpenObject, path: string): Promise<Buffer> {
  try {
    if (object.sizeBytes > MANIFEST_BYTES_MAX) throw new Error(`${path} is too large`);
    const blocks: Buffer[] = [];
    for await (const block of object.blocks) blocks.push(block);
    return Buffer.concat(blocks);
  } finally {
    await object.close();
  }
}
