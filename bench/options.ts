import { parseArgs } from 'node:util';

/** The parts of a run that names none, in order. */
export const PART_NAMES = [
  'ingest',
  'findings',
  'plan',
  'commands',
  'many',
  'attempts',
  'chunk',
  'batch',
  'million',
  'memory',
  'control',
  'recovery',
  'sandbox',
] as const;

/** Parts that run only when they are named: they take long, or install packages. */
export const PARTS_ON_DEMAND = [
  'disturbed',
  'ten-million',
  'half-core',
  'losses',
  'postgres',
  'spread',
  'peers',
] as const;

const ALL_PARTS = [...PART_NAMES, ...PARTS_ON_DEMAND] as const;
export type PartName = (typeof ALL_PARTS)[number];

/** Prints the history of results instead of measuring. */
const HISTORY = 'history';

export type Options = Readonly<{
  parts: readonly PartName[];
  rows: number | undefined;
  runs: number;
  /** Of the part `peers`: how long a create takes; undefined: each of its scenarios. */
  delayMs: number | undefined;
  /** Of the part `peers`: the peers that are measured; empty: all. */
  peers: readonly string[];
  history: boolean;
  /** Whether the figures are added to the history. */
  record: boolean;
  json: boolean;
  help: boolean;
  profileDir: string | undefined;
}>;

const RUNS_DEFAULT = 3;

export const USAGE = `Usage: npm run bench -- [PART...] [OPTION...]
       npm run bench -- history

Parts: ${PART_NAMES.join(', ')}; without any, all of them.
Parts that must be named: ${PARTS_ON_DEMAND.join(', ')}.

  --rows N        rows of each part, instead of its own number; the aims are meant for that one
  --runs N        how often each thing is measured; the median counts (default ${RUNS_DEFAULT}; million, memory and ten-million: once)
  --delay-ms N    part peers: milliseconds of a create, instead of 0 and then 300
  --peer NAME     part peers: only this one, beside the bare loop and Bursar; may be repeated
  --record        add the figures to bench/history.jsonl, and draw the chart of the part peers;
                  a run of all parts at their own sizes is recorded without it
  --profile DIR   write CPU profiles of workers and servers into DIR; makes them slower
  --json          print JSON instead of a table
  --help          print this
`;

export class UsageError extends Error {}

/** Reads the command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const history = positionals[0] === HISTORY;
  const named = history ? positionals.slice(1) : positionals;
  const isFull =
    named.length === 0 && values.rows === undefined && values.profile === undefined && !history;
  return {
    parts: named.length === 0 ? PART_NAMES : ALL_PARTS.filter(isIn(named)),
    rows: values.rows === undefined ? undefined : wholeNumber('--rows', values.rows, 1),
    runs: values.runs === undefined ? RUNS_DEFAULT : wholeNumber('--runs', values.runs, 1),
    delayMs:
      values['delay-ms'] === undefined
        ? undefined
        : wholeNumber('--delay-ms', values['delay-ms'], 0),
    peers: values.peer ?? [],
    history,
    record: values.record ?? isFull,
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
        'delay-ms': { type: 'string' },
        peer: { type: 'string', multiple: true },
        record: { type: 'boolean' },
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
  const unknown = positionals.find((name) => !ALL_PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new UsageError(`There is no part "${unknown}".`);
  return (part) => positionals.includes(part);
}

function wholeNumber(flag: string, text: string, min: number): number {
  if (/^\d{1,8}$/.test(text) && Number(text) >= min) return Number(text);
  throw new UsageError(`${flag} takes a whole number from ${min} up.`);
}
