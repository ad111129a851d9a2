/**
 * Reads files as a worker does and prints, for each, what became of it and what that took:
 * `node read-under-watch.js [--steps] FILE...`. Nothing that is measured depends on the clock.
 */
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { isBursarError } from '../../../../src/domain/errors/bursar-error.ts';
import { ingestFile } from '../../../../src/ingest/index.ts';

/** What reading a file gave and took. */
export type Watched = Readonly<{
  /** `CODE line`, or `accepted refused` in rows. */
  outcome: string;
  /** Bytes that were read from the disk. */
  bytesRead: number;
  /** Characters that were looked for, cut or replaced by the engine of JavaScript itself. */
  charsLookedAt: number;
  /** How often the blocks of our code and of Papa Parse ran; 0 without `--steps`. */
  steps: number;
}>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'boolean', default: false } },
});

/**
 * The most memory that this process has held. On Linux the figure of `resourceUsage` is at least that of the process that started this
 * one, however small this one is.
 */
function peakRssBytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '';
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kib ?? process.resourceUsage().maxRSS) * 1_024;
}

const STATUS = '/proc/self/status';

const counted = { bytesRead: 0, charsLookedAt: 0 };

/** Adds what a method of a built-in object costs to what is counted. */
function watch<Name extends string>(
  prototype: object,
  name: Name,
  costOf: (given: Readonly<{ text: string; args: readonly unknown[]; result: unknown }>) => number,
): void {
  const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
  const watched = function watched(this: unknown, ...args: unknown[]): unknown {
    const result = original.apply(this, args);
    counted.charsLookedAt += costOf({ text: this as string, args, result });
    return result;
  };
  Object.defineProperty(prototype, name, { value: watched, writable: true, configurable: true });
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

/** With small blocks there are many, so that what is done for each of them, and should not grow, shows. */
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

/** The counters start anew with every call. */
async function stepsOf(session: Session): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counts = result
    .filter(({ url }) => /\/build\/src\/|\/papaparse\//.test(url))
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
const watched: Watched[] = [];
let startRssBytes = 0;
for (const path of positionals) {
  Object.assign(counted, { bytesRead: 0, charsLookedAt: 0 });
  if (values.steps) await stepsOf(session);
  const outcome = await outcomeOf(path);
  watched.push({ outcome, ...counted, steps: values.steps ? await stepsOf(session) : 0 });
  if (startRssBytes === 0) startRssBytes = process.memoryUsage.rss();
}
const grownBytes = peakRssBytes() - startRssBytes;
process.stdout.write(JSON.stringify({ watched, grownBytes }));
