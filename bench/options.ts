import { parseArgs } from 'node:util';

export const PART_NAMES = [
  'ingest',
  'findings',
  'plan',
  'batch',
  'memory',
  'control',
  'recovery',
  'sandbox',
] as const;
export type PartName = (typeof PART_NAMES)[number];

export type Options = Readonly<{
  parts: readonly PartName[];
  rows: number | undefined;
  runs: number;
  json: boolean;
  help: boolean;
  profileDir: string | undefined;
}>;

const RUNS_DEFAULT = 3;

export const USAGE = `Usage: npm run bench -- [PART...] [OPTION...]

Parts: ingest, findings, plan, batch, memory, control, recovery, sandbox; without any, all of them.

  --rows N        rows of each part, instead of its own number; the aims are meant for that one
  --runs N        how often each thing is measured (ingest, findings, plan, batch, control, recovery, sandbox); the median counts (default ${RUNS_DEFAULT})
  --profile DIR   write CPU profiles of workers and servers into DIR; makes them slower
  --json          print JSON instead of a table
  --help          print this
`;

export class UsageError extends Error {}

/** Reads the command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  return {
    parts: positionals.length === 0 ? PART_NAMES : PART_NAMES.filter(isIn(positionals)),
    rows: values.rows === undefined ? undefined : wholeNumber('--rows', values.rows),
    runs: values.runs === undefined ? RUNS_DEFAULT : wholeNumber('--runs', values.runs),
    json: values.json ?? false,
    help: values.help ?? false,
    profileDir: values.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rows: { type: 'string' },
        runs: { type: 'string' },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function isIn(positionals: readonly string[]): (part: PartName) => boolean {
  const unknown = positionals.find((name) => !PART_NAMES.some((part) => part === name));
  if (unknown !== undefined) throw new UsageError(`There is no part "${unknown}".`);
  return (part) => positionals.includes(part);
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} takes a whole number from 1 up.`);
}
