import { type Command, Option } from 'commander';
import type { DecisionFlags } from '../commands/approve.ts';
import type { AuditFlags } from '../commands/audit.ts';
import type { InboxFlags } from '../commands/inbox.ts';
import type { KeyRingFlags } from '../commands/key-ring.ts';
import type { PassphraseFlags } from '../../operations/prompts/passphrase.ts';
import type { NewKeyFlags } from '../commands/keys.ts';
import type { VerifyFlags } from '../commands/verify.ts';
import type { AddCommands, RunCommand } from './add-commands.ts';
import { PASSPHRASE } from './key-option.ts';

const BATCH = ['<batch>', 'id of the batch'] as const;
const KEY = ['--key <file>', 'your private key, as "bursar keys new" made it'] as const;
const AS = ['--as <name>', 'your name in the policy; with --key it is known'] as const;

type OfDecision = Omit<DecisionFlags, 'batch'>;

/** The commands by which people approve, and read decisions. */
export const addApprovalCommands: AddCommands = (program, run) => {
  program.commandsGroup('Approving:');
  program
    .command('inbox')
    .option('--for <name>', 'only what this person can do something about')
    .description('list what waits for whom: approvals, holds, operators, top-ups')
    .action((flags: InboxFlags) =>
      run(async () => (await import('../commands/inbox.ts')).inbox, flags),
    );
  program
    .command('approve')
    .argument(...BATCH)
    .option(...KEY)
    .option(...PASSPHRASE)
    .option(...AS)
    .option('--reason <text>', 'why; it is signed, and stands in the report')
    .option('--confirm <totals>', 'TOTAL:CURRENCY of the batch, instead of typing it')
    .description('approve the plan of a batch, or that it goes on after a hold')
    .action((batch: string, flags: OfDecision) =>
      run(async () => (await import('../commands/approve.ts')).approve, { batch, ...flags }),
    );
  program
    .command('refuse')
    .argument(...BATCH)
    .option(...KEY)
    .option(...PASSPHRASE)
    .option(...AS)
    .requiredOption('--reason <text>', 'why; it is signed, and stands in the report')
    .description('refuse a batch as an approver: one refusal stops it')
    .action((batch: string, flags: OfDecision) =>
      run(async () => (await import('../commands/approve.ts')).refuse, { batch, ...flags }),
    );
  addKeyCommands(program, run);
  program
    .command('audit')
    .argument('[batch]', 'id of a batch; all by default')
    .option('--all', 'the steps of the engine too: what was sent, answered and settled')
    .description('list who decided or tried what, and check that the log is as it was written')
    .action((batch: string | undefined, flags: Omit<AuditFlags, 'batch'>) =>
      run(async () => (await import('../commands/audit.ts')).audit, {
        ...flags,
        ...(batch === undefined ? {} : { batch }),
      }),
    );
  program
    .command('verify')
    .argument(...BATCH)
    .option('--report <dir>', 'where its report is; by default where Bursar writes it')
    .option('--head <number:hash>', 'an entry of the audit log that you kept')
    .summary('prove that nothing of a batch was changed')
    .description(
      'Holds log, records, file, rows, plan, totals and report of a batch against each other, without Temporal and the service (exit code 15: something was changed).',
    )
    .action((batch: string, flags: Omit<VerifyFlags, 'batch'>) =>
      run(async () => (await import('../commands/verify.ts')).verify, { batch, ...flags }),
    );
};

function addKeyCommands(program: Command, run: RunCommand): void {
  const keys = program
    .command('keys')
    .helpCommand(false)
    .description('make keys to sign approvals with, and to encrypt with');
  keys
    .command('new')
    .argument('[name]', 'your name in the policy; your user name by default')
    .option('--out <file>', 'where to write it; bursar-NAME.key by default')
    .option(...PASSPHRASE)
    .option('--no-passphrase', 'do not ask for a passphrase')
    .description('make a key in a new file that only you can read')
    .action((name: string | undefined, flags: Omit<NewKeyFlags, 'name'>) =>
      run(async () => (await import('../commands/keys.ts')).newKey, {
        ...flags,
        ...(name === undefined ? {} : { name }),
      }),
    );
  keys
    .command('show')
    .argument('<file>', 'a file that "bursar keys new" made')
    .option(...PASSPHRASE)
    .description('show the public half of a key')
    .action((file: string, flags: PassphraseFlags) =>
      run(async () => (await import('../commands/keys.ts')).showKey, { file, ...flags }),
    );
  keys
    .command('ring')
    .option('--file <file>', 'the key ring; temporal.key_ring_file by default')
    .addOption(new Option('--rotate', 'add a key and encrypt with it').conflicts(['add', 'use']))
    .addOption(new Option('--add', 'add a key that only decrypts yet').conflicts('use'))
    .option('--use <id>', 'encrypt with this key of the ring')
    .description('make the keys that encrypt what Temporal keeps, or list and change them')
    .action((flags: KeyRingFlags) =>
      run(async () => (await import('../commands/key-ring.ts')).keyRing, flags),
    );
}
