import type { AddCommands } from './add-commands.ts';
import { addLater } from './later-commands.ts';

/** Single operations of the service, signed, from the shell. */
export const addApiCommands: AddCommands = (program, run) => {
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
  addLater(api, async () => {
    const { addOperations } = await import('../command-table/add-operations.ts');
    const { API_OPERATIONS } = await import('../commands/api/table.ts');
    addOperations(api, API_OPERATIONS, run);
  });
};
