import { CommanderError } from 'commander';
import { type ErrorNote, isBursarError, noteOf } from '../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../domain/errors/exit-codes.ts';
import { maskedUrl } from '../domain/text/masked-url.ts';
import type { Context, World } from './context.ts';
import { printError } from './print/error.ts';
import { createProgram, type GlobalFlags } from './program/program.ts';
import { ask, askSecret } from './terminal/ask.ts';
import { createColours } from './terminal/colours.ts';
import { createTalk } from './terminal/terminal.ts';

/** Runs one command line and answers with its exit code; nothing is thrown. */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram(world, async (load, flags) => {
    const command = await load();
    exitCode = await command(flags, createContext(world, program.opts<GlobalFlags>()));
  });
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return fail(error, world, program.opts<GlobalFlags>());
  }
}

function createContext(world: World, flags: GlobalFlags): Context {
  const { terminal, env, interrupted } = world;
  const talk = createTalk(terminal.err);
  const mayColour = flags.color !== false && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const answered = async (typed: Promise<string | undefined>): Promise<string | undefined> => {
    const answer = await typed;
    interrupted.throwIfAborted();
    return answer;
  };
  return {
    ...world,
    ...talk,
    format: flags.json ? 'json' : (flags.output ?? 'text'),
    colours: createColours(mayColour && terminal.out.isTty && terminal.err.isTty),
    mayAsk: flags.input !== false && terminal.input.isTty && terminal.err.isTty,
    ask: (question) => answered(ask(terminal, question, interrupted)),
    askSecret: (question) => answered(askSecret(terminal, question, interrupted)),
    stdin: terminal.input,
    print(text) {
      talk.clear();
      terminal.out.write(`${text}\n`);
    },
  };
}

function fail(error: unknown, world: World, flags: GlobalFlags): number {
  const context = createContext(world, flags);
  if (error instanceof CommanderError) return failUsage(error, context);
  if (world.interrupted.aborted && !isBursarError(error)) {
    context.say('Interrupted.');
    return EXIT.interrupted;
  }
  if (flags.debug)
    context.say(maskedUrl(error instanceof Error ? String(error.stack) : String(error)));
  const note = noteOfError(error);
  printError(context, note);
  return exitCodeOfError(note);
}

const noteOfError = (error: unknown): ErrorNote =>
  isBursarError(error)
    ? error.note
    : noteOf('INTERNAL', { message: error instanceof Error ? error.message : String(error) });

/** A request for help is no error. Help that is shown for a missing argument needs no further text. */
function failUsage({ code, exitCode, message }: CommanderError, context: Context): number {
  if (exitCode === 0) return EXIT.done;
  if (code !== 'commander.help') {
    const problem = message
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      .replace(/\.$/, '');
    printError(context, noteOf('FLAG_INVALID', { flag: 'bursar', problem }));
  }
  return EXIT.usage;
}
