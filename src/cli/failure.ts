import { CommanderError } from 'commander';
import { type ErrorNote, isBursarError, noteOf } from '../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../domain/errors/exit-codes.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';
import type { Context } from './context.ts';
import { codeText, printError } from './print/error.ts';

/** `usage`: how the command is typed that the command line names. */
type FailureFacts = Readonly<{ isDebug: boolean; usage: () => string }>;

/** Prints the error of a command. Returns the exit code. */
export function fail(error: unknown, context: Context, { isDebug, usage }: FailureFacts): number {
  if (error instanceof CommanderError) return failUsage(error, usage, context);
  if (context.interrupted.aborted && !isBursarError(error)) {
    context.say('Interrupted.');
    return EXIT.interrupted;
  }
  if (isDebug) context.say(maskedUrl(error instanceof Error ? String(error.stack) : String(error)));
  const note = noteOfError(error);
  printError(context, note);
  return exitCodeOfError(note);
}

const noteOfError = (error: unknown): ErrorNote =>
  isBursarError(error)
    ? error.note
    : noteOf('INTERNAL', { message: error instanceof Error ? error.message : String(error) });

const MISSING_ARGUMENT = /^missing required argument '([^']+)'$/;

/** Help that is shown for a missing argument needs no further text. A missing argument is asked for by its name. */
function failUsage(
  { code, message }: CommanderError,
  usage: () => string,
  context: Context,
): number {
  if (code !== 'commander.help') {
    const problem = message
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      .replace(/\.$/, '');
    const note = noteOf('FLAG_INVALID', { flag: 'bursar', problem });
    const [, argument] = MISSING_ARGUMENT.exec(problem) ?? [];
    if (argument === undefined || context.format !== 'text') printError(context, note);
    else context.say(`${codeText(note, context)}: Which ${argument}?`);
    if (context.format === 'text') context.say(`  Usage: ${usage()}`);
  }
  return EXIT.usage;
}
