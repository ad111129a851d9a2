import { actionOf, type AddCommands } from './add-commands.ts';

const BATCH = ['<batch>', 'id of the batch'] as const;

/** The commands that read batches, and the account that they are paid from. */
export const addBatchCommands: AddCommands = (program, run) => {
  program.commandsGroup('Looking:');
  program
    .command('status')
    .argument(...BATCH)
    .description('show the state of a batch')
    .action(actionOf(run, async () => (await import('../commands/watch.ts')).status));
  program
    .command('watch')
    .argument(...BATCH)
    .option('--timeout <duration>', 'watch at most this long: 30s, 15m, 2h, 3d (exit code 8)')
    .description('follow a batch to its end')
    .action(actionOf(run, async () => (await import('../commands/watch.ts')).watch));
  program
    .command('list')
    .option('--limit <number>', 'at most this number (50 by default)')
    .option('--state <states>', 'only batches in these states, with commas')
    .description('list the batches, the newest first')
    .action(actionOf(run, async () => (await import('../commands/list.ts')).list));
  program
    .command('rows')
    .argument(...BATCH)
    .option('--outcome <outcomes>', 'only rows with these outcomes, with commas')
    .option('--limit <number>', 'at most this number')
    .description('list the rows of a batch with their outcomes')
    .action(actionOf(run, async () => (await import('../commands/rows.ts')).rows));
  program
    .command('explain')
    .argument(...BATCH)
    .argument('<row>', 'line of the row in the file')
    .description('show the whole history of one row')
    .action(actionOf(run, async () => (await import('../commands/explain.ts')).explain));
  program
    .command('find')
    .argument('<word>', 'reference, address, payee name, id, key, hash or row tag')
    .description('find a payment by reference, address, payee name, id, key or hash')
    .action(actionOf(run, async () => (await import('../commands/find.ts')).find));
  program
    .command('report')
    .argument(...BATCH)
    .option('--refresh', 'read changes since the end from the service first')
    .option('--out <dir>', 'copy the newest report into this new or empty folder')
    .option('--xlsx', 'with --out: also copy the rows of each CSV file as an Excel workbook')
    .description('write the report of a batch again, or copy it')
    .action(actionOf(run, async () => (await import('../commands/report.ts')).report));
  program
    .command('funds')
    .option('--account <id>', 'another account than that of the settings')
    .option('--ahead <duration>', 'include runs of schedules for this time (31d by default)')
    .description('show the balance of an account, the batches that need it, and when it is too low')
    .action(actionOf(run, async () => (await import('../commands/funds.ts')).funds));
  program
    .command('reconcile')
    .argument('<batch>', 'id of the batch')
    .option('--from <instant>', 'transactions from this time on (by default the first create)')
    .option('--to <instant>', 'transactions up to this time (by default now)')
    .option('--out <file>', 'write the statement to FILE.json and FILE.csv')
    .option('--save', 'keep hashes and fees of the rows, for "report", "rows" and "explain"')
    .summary('compare a batch with the wallet')
    .description(
      'Compares file, engine, mass payouts and transactions of the wallet, and shows every difference (exit code 14).',
    )
    .action(actionOf(run, async () => (await import('../commands/reconcile.ts')).reconcile));
};
