import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { BucketPlace } from '../domain/store/files-url.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';
import type { ObjectEngine, ObjectEntry, OpenObject, WriteMode } from './objects.ts';

/** Bytes of one part of an upload. An object has 10,000 parts at most, and a file 2 GiB. */
const PART_BYTES = 8 * 1024 ** 2;
/** Parts of an object that are sent at once. Each is in memory meanwhile. */
const PARTS_IN_FLIGHT = 2;
/** Times in milliseconds: for a connection, and for the first byte of an answer. */
const CONNECT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 60_000;
/** Requests in all, before a failure is reported. */
const TRIES = 3;

type Bucket = Readonly<{ client: S3Client; place: BucketPlace; url: string }>;

/**
 * Objects of a bucket. The SDK finds credentials as other programs of the machine do: environment, profile, role.
 * @throws FILES_UNAVAILABLE from each function, when the object store does not answer or refuses.
 */
export function bucketEngine(place: BucketPlace, url: string): ObjectEngine {
  const bucket = { client: clientOf(place), place, url };
  return {
    write: (path, blocks, mode) => write(bucket, { path, blocks, mode }),
    read: (path) => read(bucket, path),
    sizeOf: (path) => sizeOf(bucket, path),
    remove: (path) => remove(bucket, path),
    list: (prefix) => list(bucket, prefix),
  };
}

const clientOf = ({ region, endpoint, pathStyle }: BucketPlace): S3Client =>
  new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: ANSWER_MS_MAX,
      throwOnRequestTimeout: true,
    },
    // Readers compare a SHA-256 of all bytes. Other checksums cost time, and some object stores refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

const keyOf = ({ place }: Bucket, path: string) => ({
  Bucket: place.bucket,
  Key: `${place.prefix}${path}`,
});

type NewObject = Readonly<{ path: string; blocks: AsyncIterable<Buffer>; mode: WriteMode }>;

/** An upload becomes an object by its last request, which is sent when `blocks` has come to its end without an error. */
async function write(bucket: Bucket, { path, blocks, mode }: NewObject): Promise<boolean> {
  const source = sourceErrors(blocks);
  const upload = new Upload({
    client: bucket.client,
    params: {
      ...keyOf(bucket, path),
      Body: Readable.from(source.blocks, { objectMode: false }),
      ...(mode === 'once' ? { IfNoneMatch: '*' } : {}),
    },
    partSize: PART_BYTES,
    queueSize: PARTS_IN_FLIGHT,
  });
  try {
    await upload.done();
    return true;
  } catch (error) {
    const [sourceError] = source.errors;
    if (sourceError !== undefined) throw sourceError;
    if (mode === 'once' && isRefusedAsThere(error)) return false;
    throw unavailable(bucket, `write ${path}`, error);
  }
}

/**
 * Keeps the errors of a source, so that they are not taken for those of the object store. An upload that fails throws into
 * the generator; that error is none of the source.
 */
function sourceErrors(source: AsyncIterable<Buffer>) {
  const errors: Error[] = [];
  const iterator = source[Symbol.asyncIterator]();
  async function next(): Promise<IteratorResult<Buffer>> {
    try {
      return await iterator.next();
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }
  async function* blocks(): AsyncGenerator<Buffer> {
    try {
      for (let block = await next(); block.done !== true; block = await next()) yield block.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { blocks: blocks(), errors };
}

/** The path has an object. At a 409 another write of the path has not ended yet, so the caller tries again. */
const isRefusedAsThere = (error: unknown): boolean =>
  statusOf(error) === 412 || (error as Error).name === 'PreconditionFailed';

async function read(bucket: Bucket, path: string): Promise<OpenObject | undefined> {
  const found = await orMissing(bucket, `read ${path}`, () =>
    bucket.client.send(new GetObjectCommand(keyOf(bucket, path))),
  );
  if (found === undefined) return undefined;
  const { Body: body, ContentLength: sizeBytes } = found;
  if (!(body instanceof Readable) || sizeBytes === undefined) {
    throw unavailable(bucket, `read ${path}`, new Error('the answer has no size or no body'));
  }
  return {
    sizeBytes,
    blocks: wholeBlocks(bucket, { path, body, sizeBytes }),
    close: async () => void body.destroy(),
  };
}

type Answer = Readonly<{ path: string; body: Readable; sizeBytes: number }>;

/** A connection that ends early is a failure of the network, and proves nothing about the bytes of the object. */
async function* wholeBlocks(
  bucket: Bucket,
  { path, body, sizeBytes }: Answer,
): AsyncGenerator<Buffer> {
  let bytesRead = 0;
  try {
    for await (const block of body as AsyncIterable<Buffer>) {
      bytesRead += block.length;
      yield block;
    }
  } catch (error) {
    throw unavailable(bucket, `read ${path}`, error);
  }
  if (bytesRead === sizeBytes) return;
  const cut = new Error(`the answer ended after ${bytesRead} of ${sizeBytes} bytes`);
  throw unavailable(bucket, `read ${path}`, cut);
}

async function sizeOf(bucket: Bucket, path: string): Promise<number | undefined> {
  const found = await orMissing(bucket, `find ${path}`, () =>
    bucket.client.send(new HeadObjectCommand(keyOf(bucket, path))),
  );
  return found?.ContentLength;
}

async function remove(bucket: Bucket, path: string): Promise<void> {
  await orMissing(bucket, `remove ${path}`, () =>
    bucket.client.send(new DeleteObjectCommand(keyOf(bucket, path))),
  );
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<ObjectEntry> {
  const { client, place } = bucket;
  const folder = prefix === '' ? place.prefix : `${place.prefix}${prefix}/`;
  const pages = paginateListObjectsV2(
    { client },
    { Bucket: place.bucket, Prefix: folder, Delimiter: '/' },
  );
  try {
    for await (const { Contents: objects = [] } of pages) {
      for (const { Key: key = '', Size: sizeBytes = 0, LastModified: changed } of objects) {
        const path = key.slice(place.prefix.length);
        const name = key.slice(folder.length);
        if (name === '' || name.startsWith('.')) continue;
        yield { path, sizeBytes, changedAtMs: changed?.getTime() ?? 0 };
      }
    }
  } catch (error) {
    throw unavailable(bucket, `list ${prefix}`, error);
  }
}

async function orMissing<Result>(
  bucket: Bucket,
  action: string,
  send: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await send();
  } catch (error) {
    const isBucketMissing = error instanceof Error && error.name === 'NoSuchBucket';
    if (statusOf(error) === 404 && !isBucketMissing) return undefined;
    throw unavailable(bucket, action, error);
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

function unavailable({ url }: Bucket, action: string, cause: unknown): unknown {
  if (cause instanceof BursarError) return cause;
  const { name, message } = cause as Error;
  const reason = maskedUrl(message === '' || message === name ? name : `${name}: ${message}`);
  return new BursarError('FILES_UNAVAILABLE', { url, action, reason }, { cause });
}
