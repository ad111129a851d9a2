import { actionOf, type AddCommands } from './add-commands.ts';

/** The commands that start processes on this machine. */
export const addLocalCommands: AddCommands = (program, run) => {
  program.commandsGroup('Running:');
  program
    .command('up')
    .option('--no-sandbox', 'start no sandbox; needs the settings of a real service')
    .option('--free-ports', 'take other ports where the usual ones are in use')
    .option('--encrypt', 'encrypt what Temporal keeps; makes the keys when there are none')
    .summary('start the whole local stack')
    .description('Starts Temporal, the bridge, the sandbox and a worker, until Ctrl-C.')
    .action(actionOf(run, async () => (await import('../commands/up.ts')).up));
  program
    .command('demo')
    .option('--keep', 'leave the stack running when everything is paid')
    .summary('pay the example files on a sandbox of their own')
    .description(
      'Starts a local stack of its own in .bursar/demo (emptied first), pays the example files on the sandbox, and ends with the worst of their exit codes.',
    )
    .action(actionOf(run, async () => (await import('../commands/demo.ts')).demo));
  program
    .command('run-temporal', { hidden: true })
    .description('start nothing but Temporal, in the foreground')
    .action(actionOf(run, async () => (await import('../commands/up.ts')).runTemporal));
};
