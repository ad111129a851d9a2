import { actionOf, type AddCommands } from './add-commands.ts';

/** The command that compares a batch with the service and the wallet. */
export const addReconcileCommands: AddCommands = (program, run) => {
  program.commandsGroup('Looking:');
  program
    .command('reconcile')
    .argument('<batch>', 'id of the batch')
    .option('--from <instant>', 'transactions from then on (by default: the first create)')
    .option('--to <instant>', 'transactions up to then (by default: now)')
    .option('--out <file>', 'where the statement goes: FILE.json, and FILE.csv beside it')
    .option('--save', 'keep hashes and fees of the rows, for "report", "rows" and "explain"')
    .summary('hold a batch against the wallet')
    .description(
      'Puts file, engine, mass payouts and transactions of the wallet side by side, and names every difference (exit code 14).',
    )
    .action(actionOf(run, async () => (await import('../commands/reconcile.ts')).reconcile));
};
