import { type Command, Option } from 'commander';
import { actionOf, type AddCommands, type RunCommand } from './add-commands.ts';
import { PASSPHRASE } from './key-option.ts';

const BATCH = ['<batch>', 'id of the batch'] as const;
const KEY = ['--key <file>', 'your private key, as "bursar keys new" made it'] as const;
const AS = ['--as <name>', 'your name in the policy; not needed with --key'] as const;

/** The commands by which people approve, and read decisions. */
export const addApprovalCommands: AddCommands = (program, run) => {
  program.commandsGroup('Approving:');
  program
    .command('inbox')
    .option('--for <name>', 'only items that this person can decide')
    .description('list what waits for people: approvals, holds, questions, top-ups')
    .action(actionOf(run, async () => (await import('../commands/inbox.ts')).inbox));
  program
    .command('approve')
    .argument(...BATCH)
    .option(...KEY)
    .option(...PASSPHRASE)
    .option(...AS)
    .option('--reason <text>', 'the reason; it is signed, and the report shows it')
    .option('--confirm <totals>', 'TOTAL:CURRENCY of the batch, instead of the question')
    .description('approve the plan of a batch, or lift a hold')
    .action(actionOf(run, async () => (await import('../commands/approve.ts')).approve));
  program
    .command('refuse')
    .argument(...BATCH)
    .option(...KEY)
    .option(...PASSPHRASE)
    .option(...AS)
    .requiredOption('--reason <text>', 'the reason; it is signed, and the report shows it')
    .description('refuse a batch as an approver; one refusal stops it')
    .action(actionOf(run, async () => (await import('../commands/approve.ts')).refuse));
  addKeyCommands(program, run);
  program
    .command('audit')
    .argument('[batch]', 'id of a batch; all by default')
    .option('--all', 'also the steps of the engine: requests, answers and outcomes')
    .description('list the decisions of people, and check that the log was not changed')
    .action(actionOf(run, async () => (await import('../commands/audit.ts')).audit));
  program
    .command('verify')
    .argument(...BATCH)
    .option('--report <dir>', 'the folder of its report; by default that of the settings')
    .option('--head <number:hash>', 'an entry of the audit log that you kept')
    .option('--archive <place>', 'check what "bursar archive" wrote there, without the store')
    .summary('prove that nothing of a batch was changed')
    .description(
      'Compares log, records, file, rows, plan, totals and report of a batch, without Temporal and the service (exit code 15: something was changed).',
    )
    .action(actionOf(run, async () => (await import('../commands/verify.ts')).verify));
};

function addKeyCommands(program: Command, run: RunCommand): void {
  const keys = program
    .command('keys')
    .helpCommand(false)
    .description('make keys that sign approvals, and keys that encrypt');
  keys
    .command('new')
    .argument('[name]', 'your name in the policy; your user name by default')
    .option('--out <file>', 'where to write it; bursar-NAME.key by default')
    .option(...PASSPHRASE)
    .option('--no-passphrase', 'use no passphrase')
    .description(
      'make a key in a new file that only you can read; in the web app you make a passkey instead',
    )
    .action(actionOf(run, async () => (await import('../commands/keys.ts')).newKey));
  keys
    .command('show')
    .argument('<file>', 'a file that "bursar keys new" made')
    .option(...PASSPHRASE)
    .description('show the public half of a key')
    .action(actionOf(run, async () => (await import('../commands/keys.ts')).showKey));
  keys
    .command('ring')
    .option('--file <file>', 'the key ring; temporal.key_ring_file by default')
    .addOption(new Option('--rotate', 'add a key and encrypt with it').conflicts(['add', 'use']))
    .addOption(new Option('--add', 'add a key that does not encrypt yet').conflicts('use'))
    .option('--use <id>', 'encrypt with this key of the ring')
    .description('make the keys that encrypt the data of Temporal, or list and change them')
    .action(actionOf(run, async () => (await import('../commands/key-ring.ts')).keyRing));
}
