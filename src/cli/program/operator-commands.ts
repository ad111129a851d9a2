import { actionOf, type AddCommands } from './add-commands.ts';
import { KEY, PASSPHRASE } from './key-option.ts';

const REASON = ['--reason <text>', 'the reason; the report shows it'] as const;

/** The commands by which a person changes the course of a batch. */
export const addOperatorCommands: AddCommands = (program, run) => {
  program.commandsGroup('Deciding:');
  program
    .command('cancel')
    .argument('<batch>', 'id of the batch')
    .requiredOption(...REASON)
    .description('send nothing more of a batch; the report has the results of sent payments')
    .action(actionOf(run, async () => (await import('../commands/stop-batch.ts')).cancel));
  program
    .command('pause')
    .argument('<batch>', 'id of the batch')
    .requiredOption(...REASON)
    .description('send nothing of a batch until a person resumes it; sent payments continue')
    .action(actionOf(run, async () => (await import('../commands/stop-batch.ts')).pause));
  program
    .command('resume')
    .argument('<batch>', 'id of the batch')
    .requiredOption(...REASON)
    .option(
      '--hold <number>',
      'the hold to lift, by its number in "status"; without it you choose one',
    )
    .option(...KEY)
    .option(...PASSPHRASE)
    .description('resume a batch that is paused or on hold')
    .action(actionOf(run, async () => (await import('../commands/resume.ts')).resume));
  program
    .command('resolve')
    .argument('<batch>', 'id of the batch')
    .argument('<chunk>', 'number of the chunk')
    .argument('<answer>', 'adopt, not-created or abandon')
    .argument('[id]', 'the mass payout to adopt')
    .requiredOption(...REASON)
    .option(
      '--attempts <number>',
      'with not-created: the number of attempts that "status" printed; refused when there are more',
    )
    .option(...KEY)
    .option(...PASSPHRASE)
    .summary('answer for a chunk that needs an operator')
    .description(
      [
        'Answers for a chunk that needs an operator:',
        '  adopt ID      the service has it; ID is its mass payout',
        '  not-created   the service does not have it: send it again',
        '  abandon       give up: its rows stay unknown',
      ].join('\n'),
    )
    .action(actionOf(run, async () => (await import('../commands/resolve.ts')).resolve));
};
