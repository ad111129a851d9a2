import { actionOf, type AddCommands } from './add-commands.ts';

/** The command that shows the claims on an account. */
export const addFundsCommands: AddCommands = (program, run) => {
  program.commandsGroup('Looking:');
  program
    .command('funds')
    .option('--account <id>', 'another account than that of the settings')
    .option('--ahead <duration>', 'count runs of schedules so far ahead (31d by default)')
    .description('show what an account holds, who wants it, and when it will fall short')
    .action(actionOf(run, async () => (await import('../commands/funds.ts')).funds));
};
