import type { AddCommands, Run } from './add-commands.ts';
import { addSandboxLookingCommands } from './sandbox/looking-commands.ts';
import { addSandboxEventCommands } from './sandbox/event-commands.ts';
import { addSandboxPayoutCommands } from './sandbox/payout-commands.ts';
import { addSandboxRuleCommands } from './sandbox/rule-commands.ts';
import { addSandboxPlayCommands } from './sandbox/play-commands.ts';

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
  const runWithUrl: Run = (load, flags) => run(load, { ...flags, ...sandbox.opts<object>() });
  for (const add of [
    addSandboxLookingCommands,
    addSandboxPayoutCommands,
    addSandboxRuleCommands,
    addSandboxEventCommands,
    addSandboxPlayCommands,
  ]) {
    add(sandbox, runWithUrl);
  }
};
