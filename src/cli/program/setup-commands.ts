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
    .option('--api-key <key>', 'public API key; its secret is no flag')
    .option('--secret-file <file>', 'file that holds the secret alone (bursar-secret by default)')
    .addOption(
      new Option('--environment <environment>', 'what commands show').choices(['live', 'sandbox']),
    )
    .option('--new-key <name>', 'make a key that signs for this person')
    .option(...PASSPHRASE)
    .option('--no-passphrase', 'use no passphrase for the key')
    .option('--force', 'replace the bursar.toml that is there')
    .summary('write a first bursar.toml')
    .description(
      'Writes a bursar.toml with comments, and has git ignore secrets. On a terminal it asks for what no flag says.',
    )
    .action(actionOf(run, async () => (await import('../commands/init.ts')).init));
  program
    .command('env')
    .summary('print the variables of the local stack for a shell')
    .description(
      'Prints the variables by which commands use the local stack of this folder: eval "$(bursar env)"',
    )
    .action(actionOf(run, async () => (await import('../commands/env.ts')).env));
  readingOptions(
    program
      .command('drill')
      .argument('<file>', 'your .csv, .csv.gz or .xlsx file; nothing of it leaves this machine'),
  )
    .option('--faults <names>', 'only these faults, with commas; all by default')
    .option('--skip-invalid', 'leave refused rows out and pay the others')
    .option('--keep', 'keep the folder of the drill, with its report and logs')
    .summary('pay your file on a sandbox while things go wrong')
    .description(
      [
        'Pays a file on a sandbox of its own while answers, requests and webhooks are lost, and counts what came of it.',
        'It uses no setting, store or service of yours. Exit code 0: every row is accounted for, and none was paid twice.',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/drill.ts')).drill));
};
