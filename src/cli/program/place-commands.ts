import { actionOf, type AddCommands } from './add-commands.ts';

/** The commands that show where commands work, and with which settings. */
export const addPlaceCommands: AddCommands = (program, run) => {
  program.commandsGroup('Maintaining:');
  program
    .command('whoami')
    .option('--check', 'test the connections to the service, the store and Temporal')
    .summary('show service, account, store, Temporal and user')
    .description(
      'Shows service, account, store and user of commands. Without --check it uses no network.',
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
