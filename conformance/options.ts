import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_ENDPOINTS, type Endpoints, OPERATIONS } from '../src/spec/endpoints.ts';
import type { Payment } from './given.ts';

export const USAGE = `Usage: npm run conformance -- [OPTION...]

Tries every sentence of the specification that can be tried against a running service, and prints what was found.
Without --base-url it starts the sandbox and tries that.

  --base-url URL           the service
  --key KEY                public API key
  --secret-file FILE       file that holds the secret key, and that nobody else can read
  --account ID             account, 0x and 40 hexadecimal digits
  --endpoint OPERATION=/P  path of an operation that the specification does not show; empty: there is none (repeatable)
  --make                   may make wallets and webhook subscriptions
  --pay CUR:AMOUNT:ADDRESS may pay this amount to this address, some ten times
  --failing-address ADDR   an address to which a withdrawal fails
  --webhook-url URL        how the service reaches this computer
  --webhook-port PORT      port to listen on for webhooks (default: any)
  --patience SECONDS       how long a payout or a webhook may take (default 60)
  --only ID                only this check (repeatable)
  --format text|json|markdown
  --help                   print this

Exit codes: 0 nothing is broken, 1 something is, 2 wrong usage.
`;

export class UsageError extends Error {}

export type Target = Readonly<{
  baseUrl: string;
  key: string;
  secret: string;
  account: string;
  endpoints: Endpoints;
}>;

export type Options = Readonly<{
  help: boolean;
  /** Null: the sandbox, started for this run. */
  target: Target | null;
  mayLeaveObjects: boolean;
  payment: Payment | null;
  webhook: Readonly<{ publicUrl: string | null; port: number }>;
  patienceMs: number;
  only: readonly string[];
  format: (typeof FORMATS)[number];
}>;

const FORMATS = ['text', 'json', 'markdown'] as const;
const PATIENCE_S_DEFAULT = '60';
/** Bits that let others than the owner read or write a file. */
const OTHERS = 0o077;

const FLAGS = {
  'base-url': { type: 'string' },
  key: { type: 'string' },
  'secret-file': { type: 'string' },
  account: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  make: { type: 'boolean', default: false },
  pay: { type: 'string' },
  'failing-address': { type: 'string' },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string', default: '0' },
  patience: { type: 'string', default: PATIENCE_S_DEFAULT },
  only: { type: 'string', multiple: true },
  format: { type: 'string', default: 'text' },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const flags = parseFlags(args);
  const format = FORMATS.find((known) => known === flags.format);
  if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`);
  return {
    help: flags.help,
    target: readTarget(flags),
    mayLeaveObjects: flags.make,
    payment: readPayment(flags.pay, flags['failing-address']),
    webhook: { publicUrl: flags['webhook-url'] ?? null, port: count('--webhook-port', flags) },
    patienceMs: count('--patience', flags) * 1_000,
    only: flags.only ?? [],
    format,
  };
}

type Flags = ReturnType<typeof parseFlags>;

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readTarget(flags: Flags): Target | null {
  const baseUrl = flags['base-url'];
  if (baseUrl === undefined) return null;
  const { key, account, 'secret-file': secretFile } = flags;
  if (key === undefined || account === undefined || secretFile === undefined) {
    throw new UsageError('--base-url needs --key, --account and --secret-file');
  }
  const secret = readSecret(secretFile);
  return { baseUrl, key, secret, account, endpoints: readEndpoints(flags.endpoint ?? []) };
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
    if (operation === undefined || !/^(\/|$)/.test(path)) {
      throw new UsageError(`--endpoint ${text} is not OPERATION=/path`);
    }
    endpoints[operation] = path;
  }
  return endpoints;
}

function readPayment(text: string | undefined, failingAddress: string | undefined): Payment | null {
  if (text === undefined) return null;
  const [currency = '', amount = '', address = ''] = text.split(':');
  if (currency === '' || address === '' || !/^\d{1,18}(\.\d{1,18})?$/.test(amount)) {
    throw new UsageError(`--pay ${text} is not CURRENCY:AMOUNT:ADDRESS`);
  }
  return { currency, amount, address, failingAddress: failingAddress ?? null };
}

function count(flag: '--patience' | '--webhook-port', flags: Flags): number {
  const text = flag === '--patience' ? flags.patience : flags['webhook-port'];
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} ${text} is not a whole number`);
}
