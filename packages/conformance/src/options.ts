import { readFileSync, statSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
  DEFAULT_ENDPOINTS,
  type Endpoints,
  OPERATIONS,
  readEndpoint,
  type ShapeChoices,
} from '@bursar/merchant-api/spec';
import type { TestPayment } from './run.ts';
import { readShapes } from './shape-options.ts';

export const USAGE = `Usage: bursar-conformance [OPTION...]
       bursar-conformance diff BEFORE.json AFTER.json [--format text|json]
In a clone of Bursar: npm run conformance -- [OPTION...]

Checks a running service against the sentences of the specification, and prints the results.
Without --base-url it starts the sandbox and checks that.

  --base-url URL           the service
  --key KEY                public API key
  --secret-file FILE       file with the secret key, readable only by you
  --account ID             account, 0x and 40 hexadecimal digits
  --endpoint OPERATION=/P  path of an operation without a documented path, or METHOD /P; empty: no such operation (repeatable)
  --shape NAME=VALUE       how operations are called, see docs/shapes.md (repeatable; without it the run finds out)
  --make                   allow the run to make wallets and webhook subscriptions
  --pay CUR:AMOUNT:ADDRESS allow the run to pay this amount to this address, about twenty times
  --payments-max N         the most payments (default 40)
  --failing-address ADDR   an address to which a withdrawal fails
  --invalid-address ADDR   an address that fails the validation before creation on the network
  --webhook-url URL        the address of this computer for the service
  --webhook-port PORT      port to listen on for webhooks (default: any)
  --admin-url URL          admin API of a sandbox, to confirm, decline, resend and unblock
  --speed N                how many times faster than real time the sandbox runs (default 1)
  --patience SECONDS       how long a payout or a webhook may take (default 60)
  --slow                   also run checks that take longer by the specification: up to 92 hours
  --only ID                only this check, or the checks whose ids begin with it and a dot (repeatable)
  --each                   also print a line for each check as it ends
  --format text|json|markdown
  --into FILE              also write the Markdown table between the markers of this file
  --help                   print this

diff compares the results of two runs, each printed with --format json.

Exit codes: 0 no check is broken, or no difference; 1 some are; 2 wrong usage, or no run.
`;

export class UsageError extends Error {}

export type TestTarget = Readonly<{
  baseUrl: string;
  key: string;
  secret: string;
  account: string;
  endpoints: Endpoints;
  /** The shapes that are stated. The run finds out the others. */
  shapes: ShapeChoices;
}>;

export type ConformanceOptions = Readonly<{
  /** Null: the sandbox, which the program starts itself. */
  target: TestTarget | null;
  mayMake: boolean;
  payment: TestPayment | null;
  paymentsMax: number;
  webhook: Readonly<{ publicUrl: string | null; port: number }>;
  adminUrl: string | null;
  speed: number;
  patienceMs: number;
  isSlow: boolean;
  /** Whether to print a line for each check as it ends. */
  isEach: boolean;
  only: readonly string[];
  format: (typeof FORMATS)[number];
  into: string | null;
}>;

const FORMATS = ['text', 'json', 'markdown'] as const;

/** The permission bits of a file for other users than its owner. */
const OTHERS = 0o077;

const FLAGS = {
  'base-url': { type: 'string' },
  key: { type: 'string' },
  'secret-file': { type: 'string' },
  account: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  shape: { type: 'string', multiple: true },
  make: { type: 'boolean', default: false },
  pay: { type: 'string' },
  'payments-max': { type: 'string', default: '40' },
  'failing-address': { type: 'string' },
  'invalid-address': { type: 'string' },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string', default: '0' },
  'admin-url': { type: 'string' },
  speed: { type: 'string', default: '1' },
  patience: { type: 'string', default: '60' },
  slow: { type: 'boolean', default: false },
  each: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  format: { type: 'string', default: 'text' },
  into: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** The files of two runs to compare. */
export type DiffOptions = Readonly<{ before: string; after: string; format: 'text' | 'json' }>;

type Command =
  | Readonly<{ kind: 'help' }>
  | (Readonly<{ kind: 'diff' }> & DiffOptions)
  | Readonly<{ kind: 'check'; options: ConformanceOptions }>;

/** Reads the command line. Throws UsageError. */
export function readCommand(args: readonly string[]): Command {
  const [first, ...rest] = args;
  if (first === 'diff') return { kind: 'diff', ...readDiff(rest) };
  if (args.includes('--help')) return { kind: 'help' };
  return { kind: 'check', options: readOptions(args) };
}

function readDiff(args: readonly string[]): DiffOptions {
  const { values, positionals } = parsed({
    args: [...args],
    allowPositionals: true,
    options: { format: { type: 'string', default: 'text' } },
  });
  const { format } = values;
  const [before, after, ...more] = positionals;
  const isFormat = format === 'text' || format === 'json';
  if (before === undefined || after === undefined || more.length > 0 || !isFormat) {
    throw new UsageError('diff takes two files, and --format text or json');
  }
  return { before, after, format };
}

/** Reads the options of a run. Throws UsageError. */
export function readOptions(args: readonly string[]): ConformanceOptions {
  const flags = parseFlags(args);
  const format = FORMATS.find((known) => known === flags.format);
  if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);
  return {
    target: readTarget(flags),
    mayMake: flags.make,
    payment: readPayment(flags),
    paymentsMax: count('payments-max', flags),
    webhook: {
      publicUrl: flags['webhook-url'] ?? null,
      port: count('webhook-port', flags),
    },
    adminUrl: flags['admin-url'] ?? null,
    speed: Math.max(1, count('speed', flags)),
    patienceMs: count('patience', flags) * 1_000,
    isSlow: flags.slow,
    isEach: flags.each,
    only: flags.only ?? [],
    format,
    into: flags.into ?? null,
  };
}

type Flags = ReturnType<typeof parseFlags>;

const parseFlags = (args: readonly string[]) => parsed({ args: [...args], options: FLAGS }).values;

function parsed<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readTarget(flags: Flags): TestTarget | null {
  const baseUrl = flags['base-url'];
  if (baseUrl === undefined) return null;
  const { key, account, 'secret-file': secretFile } = flags;
  if (key === undefined || account === undefined || secretFile === undefined) {
    throw new UsageError('--base-url needs --key, --account and --secret-file');
  }
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new UsageError(`--base-url ${baseUrl} is not an address such as https://api.example`);
  }
  const secret = readSecret(secretFile);
  return {
    baseUrl,
    key,
    secret,
    account,
    endpoints: readEndpoints(flags.endpoint ?? []),
    shapes: statedShapes(flags.shape ?? []),
  };
}

function statedShapes(texts: readonly string[]): ShapeChoices {
  try {
    return readShapes(texts);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readSecret(path: string): string {
  try {
    if ((statSync(path).mode & OTHERS) === 0) return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UsageError(
      `--secret-file: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw new UsageError(`--secret-file: others can read ${path}; run: chmod 600 ${path}`);
}

function readEndpoints(texts: readonly string[]): Endpoints {
  const endpoints = { ...DEFAULT_ENDPOINTS };
  for (const text of texts) {
    const [name = '', path = ''] = text.split('=', 2);
    const operation = OPERATIONS.find((known) => known === name);
    if (operation === undefined || (path !== '' && readEndpoint(path) === undefined)) {
      throw new UsageError(`--endpoint ${text} is not OPERATION=/path or OPERATION=METHOD /path`);
    }
    endpoints[operation] = path;
  }
  return endpoints;
}

function readPayment(flags: Flags): TestPayment | null {
  const { pay: text, 'failing-address': failing, 'invalid-address': invalid } = flags;
  if (text === undefined) return null;
  const [currency = '', amount = '', address = '', ...rest] = text.split(':');
  const isWhole = currency !== '' && address !== '' && rest.length === 0;
  if (!isWhole || !/^\d{1,18}(\.\d{1,18})?$/.test(amount)) {
    throw new UsageError(`--pay ${text} is not CURRENCY:AMOUNT:ADDRESS`);
  }
  return {
    currency,
    amount,
    address,
    failingAddress: failing ?? null,
    invalidAddress: invalid ?? null,
  };
}

type CountFlag = 'payments-max' | 'webhook-port' | 'speed' | 'patience';

function count(flag: CountFlag, flags: Flags): number {
  const text = flags[flag];
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} ${text} is not a whole number`);
}
