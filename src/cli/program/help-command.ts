import type { Command } from 'commander';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import type { AddCommands } from './add-commands.ts';
import { loadSubcommands } from './later-commands.ts';

/** `bursar help`: of the program, of a command, or about a topic. */
export const addHelpCommand: AddCommands = (program, run) => {
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
    if (next === undefined) throw flagInvalid('help', `there is no topic "${topics.join(' ')}"`);
    found = next;
  }
  await loadSubcommands(found);
  return found;
}
