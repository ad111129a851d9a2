import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { AdminEndpoint } from './admin/index.ts';
import { AdminRefused, callAdmin } from './call-admin.ts';
import { durationMs } from './durations.ts';

/** Exit codes, as every program of Bursar has them. */
const EXIT_USAGE = 2;
const EXIT_NOT_FOUND = 5;
const EXIT_UNREACHABLE = 6;

const STATUS_NOT_FOUND = 404;
const STATUS_FAILED = 500;

/** The arguments, or a file that they name, cannot be used. */
export class ArgumentsInvalid extends Error {}

/** A command that makes one request to the admin API of a running sandbox. */
type AdminCommand = Readonly<{
  /** Its words, and the name of its argument in capitals. */
  usage: string;
  help: string;
  endpoint: AdminEndpoint;
  inputOf?(argument: string): object;
}>;

const named = (id: string): object => ({ id });

const ADMIN_COMMANDS: readonly AdminCommand[] = [
  { usage: 'fates list', help: 'the rules of fates', endpoint: 'GET /fates' },
  {
    usage: 'fates set FILE',
    help: 'replace them by a JSON list of rules',
    endpoint: 'PUT /fates',
    inputOf: (file) => ({ fates: rulesIn(readJson(file)) }),
  },
  {
    usage: 'fates reset',
    help: 'the settings decide again',
    endpoint: 'PUT /fates',
    inputOf: () => ({ fates: null }),
  },
  {
    usage: 'seed FILE',
    help: 'add a mass payout in any state',
    endpoint: 'POST /mass-payouts',
    inputOf: readJson,
  },
  { usage: 'reset', help: 'start afresh', endpoint: 'POST /reset' },
  { usage: 'snapshots list', help: 'the snapshots', endpoint: 'GET /snapshots' },
  { usage: 'snapshots take', help: 'keep the whole state in memory', endpoint: 'POST /snapshots' },
  {
    usage: 'snapshots restore ID',
    help: 'return to a snapshot',
    endpoint: 'POST /snapshots/restore',
    inputOf: named,
  },
  {
    usage: 'snapshots remove ID',
    help: 'remove a snapshot',
    endpoint: 'DELETE /snapshots',
    inputOf: named,
  },
  {
    usage: 'clock advance TIME',
    help: 'let time pass on a virtual clock, such as 30h',
    endpoint: 'POST /clock/advance',
    inputOf: (time) => ({ ms: readTimeMs(time) }),
  },
  {
    usage: 'case export',
    help: 'all that happened; needs the mode bodies=kept',
    endpoint: 'GET /case',
  },
];

const USAGE = `Usage: bursar-sandbox                              start a sandbox
       bursar-sandbox COMMAND [--url URL] [--json]

Without --url the sandbox of the settings is called. FILE may be - for standard input.

${ADMIN_COMMANDS.map(({ usage, help }) => `  ${usage.padEnd(22)} ${help}`).join('\n')}
  case replay FILE       repeat a case in a fresh sandbox; 1: an answer differs
  --help                 print this

Exit codes: 0 done; 2 wrong usage, or the sandbox refused it; 5 not found; 6 no sandbox there.
`;

/** The arguments of the program. `url`: the sandbox to call, where it is given. */
export type ProgramCommand =
  | Readonly<{ kind: 'start' }>
  | Readonly<{ kind: 'help'; text: string }>
  | Readonly<{ kind: 'replay'; file: string; isJson: boolean }>
  | Readonly<{ kind: 'admin'; url?: string; endpoint: AdminEndpoint; input: object }>;

const refused = (problem: string) => new ArgumentsInvalid(`${problem}\n\n${USAGE.trimEnd()}`);

/** Reads the arguments, and the file that they name. Throws ArgumentsInvalid. */
export function readCommand(args: readonly string[]): ProgramCommand {
  if (args.length === 0) return { kind: 'start' };
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: 'help', text: USAGE };
  const [first, second, file, ...rest] = positionals;
  if (first === 'case' && second === 'replay' && file !== undefined && rest.length === 0) {
    return { kind: 'replay', file, isJson: values.json };
  }
  const typed = positionals.join(' ');
  const command = ADMIN_COMMANDS.find(({ usage }) => isTyped(usage, positionals));
  if (command === undefined) throw refused(`there is no such command: ${typed || args.join(' ')}`);
  const { endpoint, inputOf = () => ({}) } = command;
  const input = inputOf(positionals.at(-1) ?? '');
  return { kind: 'admin', endpoint, input, ...(values.url && { url: originOf(values.url) }) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw refused((error as Error).message);
  }
}

/** Whether the words are those of a command. A word in capitals stands for any argument. */
function isTyped(usage: string, words: readonly string[]): boolean {
  const wanted = usage.split(' ');
  const isSame = (word: string, at: number): boolean => /^[A-Z]+$/.test(word) || word === words[at];
  return wanted.length === words.length && wanted.every(isSame);
}

function originOf(url: string): string {
  if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url).origin;
  throw refused(`--url ${url} is not an address such as http://127.0.0.1:8788`);
}

/** Reads a file, or standard input for `-`. Throws ArgumentsInvalid. */
function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ArgumentsInvalid(`${file} cannot be read (${code})`);
  }
}

/** Reads a JSON object or list from a file. Throws ArgumentsInvalid. */
export function readJson(file: string): object {
  const text = readInput(file);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, as any other value.
  }
  throw new ArgumentsInvalid(`${file} is no JSON object or list`);
}

function readTimeMs(time: string): number {
  try {
    return durationMs(time);
  } catch (error) {
    throw refused((error as Error).message);
  }
}

/** A list of rules, as in the setting, or the answer of `fates list`. */
const rulesIn = (value: object): unknown => ('fates' in value ? value.fates : value);

/** Makes the request, and prints its answer as JSON. Returns the exit code. */
export async function callSandbox(
  url: string,
  { endpoint, input }: Extract<ProgramCommand, { kind: 'admin' }>,
): Promise<number> {
  try {
    const answer = await callAdmin(url, endpoint, input);
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return 0;
  } catch (error) {
    const status = error instanceof AdminRefused ? error.status : STATUS_FAILED;
    const isThere = status < STATUS_FAILED;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = `The sandbox at ${url} cannot be reached (${code ?? message}).`;
    process.stderr.write(`${isThere ? message : reason}\n`);
    if (status === STATUS_NOT_FOUND) return EXIT_NOT_FOUND;
    return isThere ? EXIT_USAGE : EXIT_UNREACHABLE;
  }
}
