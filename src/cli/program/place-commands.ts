import { actionOf, type AddCommands } from './add-commands.ts';

/** The commands that show where commands work, and with which settings. */
export const addPlaceCommands: AddCommands = (program, run) => {
  program.commandsGroup('Looking after it:');
  program
    .command('whoami')
    .option('--check', 'ask the service, the store and Temporal whether they answer')
    .summary('show service, account, store, Temporal and user')
    .description(
      'Shows where commands work and as whom. It asks nothing over the network unless --check is given.',
    )
    .action(actionOf(run, async () => (await import('../commands/whoami.ts')).whoami));
  program
    .command('config')
    .helpCommand(false)
    .summary('the settings that are used here')
    .description('The settings that commands and programs use in this folder.')
    .command('show')
    .argument('[name]', 'a setting or a section, such as api.base_url or api; all by default')
    .option('--origin', 'show where each value comes from')
    .description('show the settings, without secrets')
    .action(actionOf(run, async () => (await import('../commands/config-show.ts')).showSettings));
};
