import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Methods, methodsIn } from './app/methods.ts';
import { csvLine } from './domain/files/csv.ts';
import { COLUMNS } from './domain/rows/row.ts';
import { packageRoot } from './local-stack/package-root.ts';
import { readUser, readVersion, realOpeners, systemClock } from './openers.ts';
import type { OperationContext } from './operations/context.ts';
import { type UploadedFile, uploadFile } from './operations/file/stored-file.ts';
import { openReportFile, type ReportFile } from './operations/report/report-files.ts';
import { keepOpen } from './operations/keep-open.ts';

export type { LazyList } from './app/methods.ts';
export { BursarError, type ErrorNote } from './domain/errors/bursar-error.ts';

/** All of them are optional. Settings are those of the command line: `bursar.toml` in `cwd`, and `BURSAR_...` in `env`. */
export type BursarOptions = Readonly<{
  /** Default: the folder of the process. */
  cwd?: string;
  /** Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Who submits, stops and answers, in the audit log; `operator.name` of the settings wins. Default: the user of the process. */
  user?: string;
  /** Receives the lines that the command line shows on standard error. Default: none. */
  onProgress?(line: string): void;
  /** Ends every operation that runs. */
  signal?: AbortSignal;
}>;

/** A file of payments: a path, the bytes of a file, or rows. `name`: that of bytes and rows in batch and report. */
export type FileToUpload =
  | Readonly<{ path: string }>
  | Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }>
  | Readonly<{ name: string; rows: AsyncIterable<PaymentRow> | Iterable<PaymentRow> }>;

/** A row of a file (docs/payout-file.md). `amount`: decimal text, never a number. */
export type PaymentRow = Readonly<{
  address: string;
  amount: string;
  currency: string;
  comment?: string;
  reference?: string;
  /** Of the payee. It is shown and found, and never sent. */
  name?: string;
}>;

/**
 * The operations of the command line, as functions, by their names. Results are its JSON. Each throws BursarError, with
 * the code, and with what happened, why, and how to mend it in `note`.
 */
export type Bursar = Methods &
  AsyncDisposable &
  Readonly<{
    /** Copies a file to where the workers read it. The result is the `file` of `planFile` and `submitFile`. */
    uploadFile(file: FileToUpload): Promise<UploadedFile>;
    /**
     * Opens a file of the newest report of an ended batch, such as `report.csv`, or its rows as a workbook, such as `report.xlsx`;
     * `listReportFiles` has their names.
     */
    openReportFile(file: Readonly<{ batchId: string; name: string }>): Promise<ReportFile>;
    /** Closes the store and the connection to Temporal. A batch that was started goes on. */
    close(): Promise<void>;
  }>;

/** Opens nothing yet: store and Temporal are opened by the first operation that needs them, and shared by all. */
export function createBursar({
  cwd = process.cwd(),
  env = process.env,
  user = readUser(env),
  onProgress = () => undefined,
  signal = new AbortController().signal,
}: BursarOptions = {}): Bursar {
  const open = keepOpen(realOpeners);
  const context: OperationContext = {
    cwd,
    env,
    user,
    open,
    clock: systemClock,
    version: readVersion(packageRoot()),
    nodeVersion: process.version,
    temporaryDir: tmpdir(),
    interrupted: signal,
    say: onProgress,
    show: () => undefined,
    clear: () => undefined,
    mayAsk: false,
    ask: async () => undefined,
    askSecret: async () => undefined,
    stdin: { stream: Readable.from([]), isTty: false },
  };
  const close = (): Promise<void> => open.close();
  return {
    ...methodsIn(context),
    uploadFile: async (file) => uploadFile(contentOf(file, cwd), context),
    openReportFile: async (file) => openReportFile(file, context),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function contentOf(file: FileToUpload, cwd: string): Readonly<{ name: string; bytes: Readable }> {
  if ('path' in file) {
    const path = resolve(cwd, file.path);
    return { name: basename(path), bytes: createReadStream(path) };
  }
  const { name } = file;
  return { name, bytes: Readable.from('bytes' in file ? file.bytes : csvOf(file.rows)) };
}

async function* csvOf(
  rows: AsyncIterable<PaymentRow> | Iterable<PaymentRow>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${csvLine(COLUMNS)}\n`);
  for await (const row of rows) {
    yield Buffer.from(`${csvLine(COLUMNS.map((column) => row[column] ?? ''))}\n`);
  }
}
