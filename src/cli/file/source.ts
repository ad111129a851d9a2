import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { FILE_SIZE_BYTES_MAX } from '../../ingest/limits.ts';
import type { Context } from '../context.ts';

const STDIN = '-';
const STDIN_NAME = 'stdin.csv';

/** A merchant's file that can be read more than once. */
export type Source = Readonly<{
  /** The name that stands in batch and report: without folders. */
  fileName: string;
  /** What errors call it: as it was typed. */
  shownName: string;
  path: string;
}>;

export const isStdin = (file: string): boolean => file === STDIN;

/** Runs `use` with the file that is named, or with a copy of standard input that is removed afterwards. */
export async function withSource<Result>(
  file: string,
  context: Pick<Context, 'terminal' | 'cwd' | 'interrupted' | 'say'>,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  if (!isStdin(file)) {
    return use({ fileName: basename(file), shownName: file, path: resolve(context.cwd, file) });
  }
  const { terminal, interrupted, say } = context;
  if (terminal.input.isTty) say('Reading the file from standard input; end it with Ctrl-D.');
  const folder = await mkdtemp(join(tmpdir(), 'bursar-'));
  try {
    const path = join(folder, STDIN_NAME);
    await copy(terminal.input.stream, path, interrupted);
    return await use({ fileName: STDIN_NAME, shownName: 'standard input', path });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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

const tooLarge = (sizeBytes: number): BursarError =>
  new BursarError('FILE_TOO_LARGE', {
    file: 'standard input',
    sizeBytes,
    maxBytes: FILE_SIZE_BYTES_MAX,
  });
