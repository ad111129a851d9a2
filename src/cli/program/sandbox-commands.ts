import type { AddCommands } from './add-commands.ts';
import { addLater } from './later-commands.ts';

/** The sandbox's own control, by its admin API. */
export const addSandboxCommands: AddCommands = (program, run) => {
  const sandbox = program
    .command('sandbox')
    .helpCommand(false)
    .option('--url <url>', 'address of the sandbox; by default that of the settings')
    .summary('start a sandbox of the service, and control it')
    .description(
      [
        'Starts a sandbox of the service, or controls one that runs, such as that of "bursar up".',
        'What the sandbox can do is described in packages/sandbox/src/README.md.',
      ].join('\n'),
    );
  addLater(sandbox, async () => {
    const { addOperations } = await import('../command-table/add-operations.ts');
    const { SANDBOX_OPERATIONS } = await import('../commands/sandbox/table.ts');
    addOperations(sandbox, SANDBOX_OPERATIONS, run);
  });
};
