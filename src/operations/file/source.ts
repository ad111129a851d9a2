import { createWriteStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type OpenFile, openFile } from '../../ingest/index.ts';
import { FILE_SIZE_BYTES_MAX } from '../../ingest/limits.ts';
import type { OperationContext } from '../context.ts';
import { refuserOf, withTemporaryFolder } from './temporary-folder.ts';

/** Names of standard input. The second is a link to the file or pipe that the shell has opened. */
const STDIN = ['-', '/dev/stdin'];
const STDIN_NAME = 'stdin.csv';

/** A merchant's file that can be read more than once. */
export type Source = Readonly<{
  /** The name in batch and report, without folders. */
  fileName: string;
  /** The path as it was typed, for errors. */
  shownName: string;
  path: string;
  /** Whether the path may be a symbolic link. */
  followLinks: boolean;
}>;

/** A file as a person names it, and whether a symbolic link is followed to it. */
export type NamedFile = Readonly<{ file: string; followLinks?: boolean }>;

export const isStdin = (file: string): boolean => STDIN.includes(file);

/** Runs `use` with the file that is named, or with a copy of standard input that is removed afterwards. */
export async function withSource<Result>(
  { file, followLinks = false }: NamedFile,
  context: OperationContext,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  if (!isStdin(file)) {
    const path = resolve(context.cwd, file);
    return use({ fileName: basename(file), shownName: file, path, followLinks });
  }
  const { stdin, temporaryDir, interrupted, say } = context;
  if (stdin.isTty) say('Reading the file from standard input; end it with Ctrl-D.');
  return withTemporaryFolder(temporaryDir, async (folder) => {
    const path = join(folder, STDIN_NAME);
    await copy(stdin.stream, path, interrupted).catch((cause: unknown) => {
      if (isOfWriting(cause)) refuserOf(temporaryDir)(cause);
      throw cause;
    });
    return use({ fileName: STDIN_NAME, shownName: 'standard input', path, followLinks });
  });
}

/** Bytes that are read at once. */
const READ_BYTES = 65_536;

/** Opens a file to copy it as it is. @throws FILE_NOT_FOUND, FILE_IS_LINK and the other errors of {@link openFile} */
export const openSource = ({ shownName: name, path, followLinks }: Source): Promise<OpenFile> =>
  openFile(
    { name, path, followLinks },
    { readBytes: READ_BYTES, sizeBytesMax: FILE_SIZE_BYTES_MAX },
  );

async function copy(input: Readable, path: string, signal: AbortSignal): Promise<void> {
  let sizeBytes = 0;
  const limited = async function* (parts: AsyncIterable<Buffer | string>) {
    for await (const part of parts) {
      sizeBytes += Buffer.byteLength(part);
      if (sizeBytes > FILE_SIZE_BYTES_MAX) throw tooLarge(sizeBytes);
      yield part;
    }
  };
  await pipeline(input, limited, createWriteStream(path, { mode: 0o600 }), { signal });
}

/** Standard input is open already, and only read. */
const isOfWriting = (cause: unknown): boolean =>
  cause instanceof Error && 'syscall' in cause && ['open', 'write'].includes(String(cause.syscall));

const tooLarge = (sizeBytes: number): BursarError =>
  new BursarError('FILE_TOO_LARGE', {
    file: 'standard input',
    sizeBytes,
    maxBytes: FILE_SIZE_BYTES_MAX,
  });
