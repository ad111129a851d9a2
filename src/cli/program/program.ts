import { Argument, Command, Option } from 'commander';
import { nearest } from '../../domain/text/nearest.ts';
import { FORMATS, type World } from '../context.ts';
import { actionOf, type AddCommands, type RunCommand } from './add-commands.ts';
import { addApprovalCommands } from './approval-commands.ts';
import { addBatchCommands } from './batch-commands.ts';
import { exampleText, wordsOf } from './examples.ts';
import { addFileCommands } from './file-commands.ts';
import { addLocalCommands } from './local-commands.ts';
import { addMendingCommands } from './mending-commands.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { addTableCommands } from './table-commands.ts';
import { addUpkeepCommands } from './upkeep-commands.ts';
import { addPayeeCommands } from './payee-commands.ts';
import { addPlaceCommands } from './place-commands.ts';
import { addSetupCommands } from './setup-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { loadSubcommands } from './later-commands.ts';
import { SHELLS } from './shells.ts';

/** Flags that every command takes. */
export type GlobalFlags = Readonly<{
  output?: (typeof FORMATS)[number];
  json?: boolean;
  color?: boolean;
  input?: boolean;
  debug?: boolean;
  accountName?: string;
  profile?: string;
  server?: string;
}>;

/** Every command with its arguments, flags and help. Mistakes on the command line are thrown as CommanderError. */
export function createProgram({ terminal, version }: World, run: RunCommand) {
  const program = new Command('bursar');
  program
    .description('Pays many people from one file, exactly once, and proves it.')
    .version(version)
    .addOption(new Option('-o, --output <format>', 'form of the data').choices([...FORMATS]))
    .addOption(new Option('--json', 'the same as -o json').conflicts('output'))
    .option('--account-name <name>', 'one of [accounts.NAME] in bursar.toml (as BURSAR_ACCOUNT)')
    .option('--profile <name>', 'one of [profiles.NAME] in bursar.toml (as BURSAR_PROFILE)')
    .option('--server <url>', 'run it at a server of "bursar serve" (as BURSAR_SERVER)')
    .option('--no-color', 'write without colours (as NO_COLOR does)')
    .option('--no-input', 'never ask')
    .option('--debug', 'show where an error comes from')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: optionsOfGroups,
      commandDescription: (command) => asSentence(command.description()),
    })
    .addHelpText('beforeAll', ({ command }) => refuseUnknownCommand(command))
    .addHelpText('afterAll', ({ command }) => exampleText(wordsOf(command)))
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
    })
    .exitOverride();
  for (const add of [
    addFileCommands,
    addMendingCommands,
    addBatchCommands,
    addOperatorCommands,
    addApprovalCommands,
    addPayeeCommands,
    addUpkeepCommands,
    addPlaceCommands,
    addScheduleCommands,
    addSetupCommands,
    addLocalCommands,
    addTableCommands,
    addCompletionCommand,
    addHelpCommand,
  ]) {
    add(program, run);
  }
  return program;
}

/** The description of a command in its own help: `pay a file` of a list becomes `Pay a file.` */
const asSentence = (description: string): string =>
  /^[a-z]/.test(description)
    ? `${description.charAt(0).toUpperCase()}${description.slice(1)}.`
    : description;

/** The options of the groups around a command. Those of the program stand in its own help alone. */
function optionsOfGroups(command: Command): Option[] {
  const options: Option[] = [];
  for (let group = command.parent; group?.parent; group = group.parent) {
    options.push(...group.options.filter(({ hidden }) => !hidden));
  }
  return options;
}

/** Commander shows the help of a group before it looks at the name of the command. Throws CommanderError. */
function refuseUnknownCommand(group: Command): string {
  const [name] = group.args;
  const isCommand = group.commands.some((command) => command.name() === name);
  if (group.commands.length === 0 || name === undefined || name.startsWith('-') || isCommand) {
    return '';
  }
  return group.error(`error: unknown command '${name}'${suggestion(name, group)}`);
}

function suggestion(name: string, group: Command): string {
  const visible = group.createHelp().visibleCommands(group);
  const meant = nearest(
    name,
    visible.map((command) => command.name()),
  );
  return meant === undefined ? '' : ` (Did you mean ${meant}?)`;
}

const addCompletionCommand: AddCommands = (program, run) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'whose completion').choices([...SHELLS]))
    .summary('print a script that completes commands and flags')
    .description(
      'Prints a completion script. For bash: source <(bursar completion bash), also in ~/.bashrc',
    )
    .action(
      actionOf(run, async () => (await import('../commands/completion.ts')).completionOf(program)),
    );
};

/** `bursar help`: of the program, of a command, or about a topic. */
const addHelpCommand: AddCommands = (program, run) => {
  program
    .command('help')
    .argument('[topic...]', 'a command, or one of: exit-codes, errors')
    .description('show help about a command, "exit-codes" or "errors"')
    .action(async (topics: string[]) => {
      const topic = topics.join(' ');
      if (topic === 'exit-codes') {
        return run(async () => (await import('../commands/help.ts')).helpExitCodes, {});
      }
      if (topic === 'errors') {
        return run(async () => (await import('../commands/help.ts')).helpErrors, {});
      }
      return (await findCommand(program, topics)).outputHelp();
    });
};

async function findCommand(program: Command, topics: readonly string[]): Promise<Command> {
  let found = program;
  for (const topic of topics) {
    await loadSubcommands(found);
    const next = found.commands.find((command) => command.name() === topic);
    if (next === undefined) throw await unknownTopic(topics.join(' '), suggestion(topic, found));
    found = next;
  }
  await loadSubcommands(found);
  return found;
}

async function unknownTopic(topic: string, hint: string): Promise<Error> {
  const { flagInvalid } = await import('../../operations/input/flag-error.ts');
  return flagInvalid('help', `there is no topic "${topic}"${hint}`);
}
