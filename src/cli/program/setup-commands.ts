import { Option } from 'commander';
import { actionOf, type AddCommands } from './add-commands.ts';
import { readingOptions } from './file-commands.ts';
import { PASSPHRASE } from './key-option.ts';

/** The commands by which a person begins with Bursar. */
export const addSetupCommands: AddCommands = (program, run) => {
  program.commandsGroup('Running:');
  program
    .command('init')
    .option('--url <url>', 'address of the service; without it a sandbox of your own')
    .option('--account <id>', 'account that batches are paid from')
    .option('--api-key <key>', 'public API key (its secret is never a flag)')
    .option('--secret-file <file>', 'file with only the secret (bursar-secret by default)')
    .addOption(
      new Option('--environment <environment>', 'what commands show').choices(['live', 'sandbox']),
    )
    .option('--new-key <name>', 'make a key that signs for this person')
    .option(...PASSPHRASE)
    .option('--no-passphrase', 'use no passphrase for the key')
    .option('--force', 'replace an existing bursar.toml')
    .summary('write a first bursar.toml')
    .description(
      'Writes a bursar.toml with comments, and has git ignore secrets. On a terminal it asks for missing flags.',
    )
    .action(actionOf(run, async () => (await import('../commands/init.ts')).init));
  program
    .command('env')
    .summary('print the variables of the local stack for a shell')
    .description('Prints the variables for the local stack of this folder: eval "$(bursar env)"')
    .action(actionOf(run, async () => (await import('../commands/env.ts')).env));
  readingOptions(
    program
      .command('drill')
      .argument('<file>', 'your .csv, .csv.gz or .xlsx file; it stays on this machine'),
  )
    .option('--faults <names>', 'only these faults, with commas; all by default')
    .option('--skip-invalid', 'leave refused rows out and pay the others')
    .option('--keep', 'keep the folder of the drill, with its report and logs')
    .summary('pay your file on a sandbox with faults')
    .description(
      [
        'Pays a file on its own sandbox while answers, requests and webhooks are lost, and counts the results.',
        'It uses none of your settings, stores and services. Exit code 0: each row has an outcome, and none was paid twice.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/drill.ts')).drill));
};
