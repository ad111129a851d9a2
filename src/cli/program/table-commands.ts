import type { Command } from 'commander';
import type { OperationSection } from '../operation-table/operation.ts';
import type { AddCommands, RunCommand } from './add-commands.ts';
import { addLater } from './later-commands.ts';

/** The groups whose commands are rows of a table. */
export const addTableCommands: AddCommands = (program, run) => {
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
  addRows(
    sandbox,
    run,
    async () => (await import('../commands/sandbox/table.ts')).SANDBOX_OPERATIONS,
  );
  const api = program
    .command('api')
    .helpCommand(false)
    .summary('call one operation of the service, signed')
    .description(
      [
        'Calls one operation of the service, signed. Every call is made once.',
        'A payload is given by flags, or whole as JSON, or - to read the JSON from standard input.',
      ].join('\n'),
    );
  addRows(api, run, async () => (await import('../commands/api/table.ts')).API_OPERATIONS);
};

/** Loads a table when the command line names its group. */
function addRows(
  group: Command,
  run: RunCommand,
  load: () => Promise<readonly OperationSection[]>,
): void {
  addLater(group, async () => {
    const { addOperations } = await import('../operation-table/add-operations.ts');
    addOperations(group, await load(), run);
  });
}
