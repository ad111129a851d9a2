import type { Command } from 'commander';
import type { AddFaultFlags } from '../../commands/sandbox/faults.ts';
import type { AddCommands, Run } from '../add-commands.ts';
import { defaultCommand } from './options.ts';

/** How the sandbox plays the service. */
export const addSandboxPlayCommands: AddCommands = (sandbox, run) => {
  sandbox.commandsGroup('Playing:');
  addFaultCommands(sandbox, run);
  addModeCommands(sandbox, run);
  sandbox
    .command('clock')
    .argument('[offset]', 'such as 5m, -90s or 250ms; 0; or reset: as the settings say')
    // So that -90s is an argument and no flag.
    .allowUnknownOption()
    .description('show or set how far the clock that the service shows is off')
    .action((offset: string | undefined) =>
      run(
        async () => (await import('../../commands/sandbox/clock.ts')).clock,
        offset === undefined ? {} : { offset },
      ),
    );
  sandbox
    .command('fixtures')
    .argument('<file>', 'JSON file: {"steps":[{"do":"top-up", ...}, ...]}')
    .description('run the steps of a file; src/cli/README.md lists them')
    .action((file: string) =>
      run(async () => (await import('../../commands/sandbox/fixtures.ts')).fixtures, { file }),
    );
};

function addFaultCommands(sandbox: Command, run: Run): void {
  const faults = sandbox
    .command('faults')
    .helpCommand(false)
    .description('list, add and clear what goes wrong on purpose');
  defaultCommand(faults, 'list')
    .description('list the faults and how often they fired (the default)')
    .action(() => run(async () => (await import('../../commands/sandbox/faults.ts')).faults, {}));
  faults
    .command('add')
    .argument('<kind>', 'such as accept-then-drop; packages/sandbox/README.md lists them')
    .requiredOption('--target <target>', 'operation, such as MASS_CREATE, or WEBHOOK')
    .option('--account <account>', 'only requests that name this account')
    .option('--key <uuid>', 'only requests with this idempotency key')
    .option('--skip <number>', 'leave that many requests alone first')
    .option('--next <number>', 'fire at most so often')
    .option('--probability <number>', 'fire with this chance, from 0 to 1')
    .option('--seed <number>', 'what the chance is drawn from')
    .option('--delay-ms <number>', 'how late, in milliseconds')
    .option('--timestamp-at <moment>', 'when a late request is checked: arrival or acceptance')
    .option('--status <status>', 'HTTP status of the answer')
    .option('--page <page>', 'body of that answer: json, html or empty')
    .option('--retry-after-s <seconds>', 'its header Retry-After')
    .option('--location <url>', 'its header Location')
    .option('--size-bytes <bytes>', 'size of an answer that is too large')
    .option('--copies <number>', 'how often each webhook is sent')
    .description('make something go wrong')
    .action((kind: string, flags: Omit<AddFaultFlags, 'kind'>) =>
      run(async () => (await import('../../commands/sandbox/faults.ts')).addOneFault, {
        kind,
        ...flags,
      }),
    );
  faults
    .command('clear')
    .argument('[id]', 'one fault; without it all of them')
    .description('take faults away')
    .action((id: string | undefined) =>
      run(
        async () => (await import('../../commands/sandbox/faults.ts')).clear,
        id === undefined ? {} : { id },
      ),
    );
}

function addModeCommands(sandbox: Command, run: Run): void {
  const modes = sandbox
    .command('modes')
    .helpCommand(false)
    .description('show and change how the service is played');
  defaultCommand(modes, 'show')
    .description('show every mode (the default)')
    .action(() => run(async () => (await import('../../commands/sandbox/modes.ts')).showModes, {}));
  modes
    .command('set')
    .argument('<name=value...>', 'such as idempotency=reject-409 lookupLagMs=5000')
    .description('change some modes and leave the others')
    .action((pairs: string[]) =>
      run(async () => (await import('../../commands/sandbox/modes.ts')).changeModes, { pairs }),
    );
  modes
    .command('reset')
    .argument('[name...]', 'some modes; without them all of them')
    .description('give modes back to the settings')
    .action((names: string[]) =>
      run(async () => (await import('../../commands/sandbox/modes.ts')).resetModes, { names }),
    );
}
