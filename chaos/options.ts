import { parseArgs } from 'node:util';
import { MODE_VALUES } from '@bursar/sandbox';
import { type StackName, STACKS } from './stack/names.ts';

export type Options = Readonly<{
  minutes: number;
  rows: number;
  seed: number;
  idempotency: string;
  stack: StackName;
  /** Loses data and restores it, in place of all faults but cut answers of the service. */
  drill: DrillName | undefined;
  /** Names of faults that are left out. */
  without: readonly string[];
  json: boolean;
  help: boolean;
}>;

/** `store-lost`: the store. `region-lost`: the store, the database of Temporal and the copies of files. */
export const DRILLS = ['store-lost', 'region-lost'] as const;
export type DrillName = (typeof DRILLS)[number];

const STACK_NAMES = Object.keys(STACKS) as StackName[];

export const USAGE = `Usage: npm run chaos -- [OPTION...]

Pays batch after batch on real processes while they are killed, frozen, cut off and starved, and holds
everything against the ledger of the sandbox at the end. Needs Linux.

  --minutes N          how long things go wrong (default 2); up to five more for faults that have not happened by then
  --rows N             rows of all batches together (default 4000)
  --seed N             another seed, other draws (default: the time)
  --idempotency MODE   what the service makes of a repeated key (default ignores-key): ${MODE_VALUES.idempotency.join(', ')}
  --stack NAME         sqlite (default): the store is a file; two workers, one bridge
                       postgres: the store is a server; four workers, two bridges
                       cluster: as postgres, with files in a bucket and two nodes of Temporal's server on PostgreSQL; one
                       process of each kind and the server of the store are killed once a minute
  --drill NAME         one loss in place of the faults, on the stack postgres:
                       store-lost: the store, restored from a backup
                       region-lost: store, Temporal and copies of files, each restored from a copy of another age
  --without NAME       leaves out a fault, for example "disk full" where nothing can be mounted; may be repeated
  --json               print JSON instead of a table
  --help               print this
`;

export class UsageError extends Error {}

/** Reads the command line. Throws UsageError. */
export function readOptions(args: readonly string[], nowMs: number): Options {
  const values = parse(args);
  const { idempotency = 'ignores-key', without = [], json = false, help = false } = values;
  if (!(MODE_VALUES.idempotency as readonly string[]).includes(idempotency)) {
    throw new UsageError(`--idempotency: there is no mode "${idempotency}"`);
  }
  const stack = STACK_NAMES.find((name) => name === (values.stack ?? 'sqlite'));
  if (stack === undefined)
    throw new UsageError(`--stack: "${values.stack}" is not ${STACK_NAMES.join(' or ')}`);
  const drill = DRILLS.find((name) => name === values.drill);
  if (values.drill !== undefined && drill === undefined) {
    throw new UsageError(`--drill: "${values.drill}" is not ${DRILLS.join(' or ')}`);
  }
  if (drill !== undefined && stack !== 'postgres') {
    throw new UsageError('--drill needs --stack postgres');
  }
  return {
    stack,
    drill,
    minutes: wholeNumber('--minutes', values.minutes ?? '2'),
    rows: wholeNumber('--rows', values.rows ?? '4000'),
    seed: wholeNumber('--seed', values.seed ?? String(Math.trunc(nowMs / 1_000))),
    idempotency,
    without,
    json,
    help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        rows: { type: 'string' },
        seed: { type: 'string' },
        idempotency: { type: 'string' },
        stack: { type: 'string' },
        drill: { type: 'string' },
        without: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`${name}: "${text}" is not a whole number above 0`);
}
