/**
 * Imports files like a worker, and prints the result and the cost of each:
 * `node measure-reading.js [--steps] FILE...`. No measured value depends on the clock.
 */
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { isBursarError } from '../../../../src/domain/errors/bursar-error.ts';
import { ingestFile } from '../../../../src/ingest/index.ts';

/** The result and the cost of one import. */
export type MeasuredImport = Readonly<{
  /** `CODE line`, or `accepted refused` in rows. */
  outcome: string;
  /** Bytes read from disk. */
  bytesRead: number;
  /** Characters searched, cut or replaced by built-in functions. */
  charsSearched: number;
  /** Number of executed code blocks of Bursar and Papa Parse; 0 without `--steps`. */
  steps: number;
}>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'boolean', default: false } },
});

/**
 * The peak memory of this process. On Linux, `resourceUsage` returns at least the peak of the parent
 * process, so it is not used.
 */
function peakRssBytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '';
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kib ?? process.resourceUsage().maxRSS) * 1_024;
}

const STATUS = '/proc/self/status';

const counted = { bytesRead: 0, charsSearched: 0 };

/** Counts the characters that a built-in method processes. */
function watch<Name extends string>(
  prototype: object,
  name: Name,
  costOf: (given: Readonly<{ text: string; args: readonly unknown[]; result: unknown }>) => number,
): void {
  const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
  const imports = function imports(this: unknown, ...args: unknown[]): unknown {
    const result = original.apply(this, args);
    counted.charsSearched += costOf({ text: this as string, args, result });
    return result;
  };
  Object.defineProperty(prototype, name, { value: imports, writable: true, configurable: true });
}

function watchAll(): void {
  watch(String.prototype, 'indexOf', ({ text, args: [, from = 0], result }) => {
    const end = result === -1 ? text.length : Number(result);
    return Math.max(0, end - Number(from)) + 1;
  });
  for (const name of ['includes', 'split', 'replace', 'replaceAll']) {
    watch(String.prototype, name, ({ text }) => text.length + 1);
  }
  watch(RegExp.prototype, 'exec', ({ args: [text] }) => String(text).length + 1);
}

async function watchReads(path: string): Promise<void> {
  const handle = await open(path);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const original = Reflect.get(prototype, 'read') as (
    ...args: unknown[]
  ) => Promise<{ bytesRead: number }>;
  const read = async function read(this: unknown, ...args: unknown[]) {
    const result = await original.apply(this, args);
    counted.bytesRead += result.bytesRead;
    return result;
  };
  Object.defineProperty(prototype, 'read', { value: read });
}

/** Small blocks, so that work for each block that grows becomes visible. */
const OPTIONS = { chunkRows: 1_000, ...(values.steps ? { readBytes: 1_024 } : {}) };

async function outcomeOf(path: string): Promise<string> {
  const sink = { putChunk: async () => undefined, putRefused: async () => undefined };
  try {
    const { rows, refusedRows } = await ingestFile({ name: 'x.csv', path }, OPTIONS, sink);
    return `${rows - refusedRows} ${refusedRows}`;
  } catch (error) {
    if (!isBursarError(error)) throw error;
    const { line } = error.facts as { line?: number };
    return line === undefined ? error.code : `${error.code} ${line}`;
  }
}

/** Each call resets the counters. */
async function stepsOf(session: Session): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counts = result
    .filter(({ url }) => url.includes('/build/src/'))
    .flatMap(({ functions }) =>
      functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)),
    );
  return counts.reduce((sum, count) => sum + count, 0);
}

const session = new Session();
session.connect();
if (values.steps) {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
watchAll();
await watchReads(import.meta.filename);
const imports: MeasuredImport[] = [];
let startRssBytes = 0;
for (const path of positionals) {
  Object.assign(counted, { bytesRead: 0, charsSearched: 0 });
  if (values.steps) await stepsOf(session);
  const outcome = await outcomeOf(path);
  imports.push({ outcome, ...counted, steps: values.steps ? await stepsOf(session) : 0 });
  if (startRssBytes === 0) startRssBytes = process.memoryUsage.rss();
}
const grownBytes = peakRssBytes() - startRssBytes;
process.stdout.write(JSON.stringify({ imports, grownBytes }));
