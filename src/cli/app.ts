import { CommanderError } from 'commander';
import { EXIT } from '../domain/errors/exit.ts';
import type { KeptOpeners } from '../operations/keep-open.ts';
import type { CommandOpeners, Context, World } from './context.ts';
import { createProgram, type GlobalFlags } from './program/program.ts';
import { usageOf } from './program/usage.ts';
import { createColours } from './terminal/colours.ts';
import { createTalk } from './terminal/terminal.ts';

/** Runs one command line and answers with its exit code; nothing is thrown. */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  let exitCode: number = EXIT.done;
  let open: KeptOpeners<CommandOpeners> | undefined;
  const program = createProgram(world, async (load, flags) => {
    const command = await load();
    const globals = program.opts<GlobalFlags>();
    const { keepOpen } = await import('../operations/keep-open.ts');
    const place = await placeOf(world, globals);
    open = keepOpen(place.open);
    const context = createContext({ ...world, open }, globals);
    exitCode = await command(flags, { ...context, ...place.there });
  });
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // A request for help is no error, and loads nothing that prints one.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const { fail } = await import('./failure.ts');
    const flags = program.opts<GlobalFlags>();
    const isDebug = flags.debug === true;
    return fail(error, createContext(world, flags), { isDebug, usage: () => usageOf(program) });
  } finally {
    await open?.close();
  }
}

/** Where the operations of a command run: in this process, or at a server. */
async function placeOf(world: World, { server }: GlobalFlags) {
  const url = server ?? world.env['BURSAR_SERVER'];
  if (url === undefined || url === '') return { open: world.open, there: {} };
  const { closedHere, serverPlace } = await import('./server-place.ts');
  return { open: closedHere(world.open), there: { server: serverPlace(url, world.env) } };
}

/** Programs that a command starts get the account and the profile with its environment. */
const envFor = (env: World['env'], { accountName, profile }: GlobalFlags): World['env'] =>
  accountName === undefined && profile === undefined
    ? env
    : {
        ...env,
        ...(accountName === undefined ? {} : { BURSAR_ACCOUNT: accountName }),
        ...(profile === undefined ? {} : { BURSAR_PROFILE: profile }),
      };

function createContext(world: World, flags: GlobalFlags): Context {
  const { terminal, interrupted } = world;
  const env = envFor(world.env, flags);
  const talk = createTalk(terminal.err);
  const mayColour = flags.color !== false && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const answered = async (typed: Promise<string | undefined>): Promise<string | undefined> => {
    const answer = await typed;
    interrupted.throwIfAborted();
    return answer;
  };
  return {
    ...world,
    env,
    ...talk,
    format: flags.json ? 'json' : (flags.output ?? 'text'),
    colours: createColours(mayColour && terminal.out.isTty && terminal.err.isTty),
    mayAsk: flags.input !== false && terminal.input.isTty && terminal.err.isTty,
    ask: async (question) => {
      const { ask } = await import('./terminal/ask.ts');
      return answered(ask(terminal, question, interrupted));
    },
    askSecret: async (question) => {
      const { askSecret } = await import('./terminal/ask.ts');
      return answered(askSecret(terminal, question, interrupted));
    },
    stdin: terminal.input,
    print(text) {
      talk.clear();
      terminal.out.write(`${text}\n`);
    },
  };
}
