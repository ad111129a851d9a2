import type { CancelFlags } from '../commands/cancel.ts';
import type { AddCommands } from './add-commands.ts';

const REASON = ['--reason <text>', 'why; it stands in the report'] as const;

/** The commands by which a person changes the course of a batch. */
export const addOperatorCommands: AddCommands = (program, run) => {
  program.commandsGroup('Deciding:');
  program
    .command('cancel')
    .argument('<batch>', 'id of the batch')
    .requiredOption(...REASON)
    .description('send nothing more of a batch; what was sent is settled and reported')
    .action((batch: string, flags: Omit<CancelFlags, 'batch'>) =>
      run(async () => (await import('../commands/cancel.ts')).cancel, { batch, ...flags }),
    );
  program
    .command('resolve')
    .argument('<batch>', 'id of the batch')
    .argument('<chunk>', 'number of the chunk')
    .argument('<answer>', 'adopt, not-created or abandon')
    .argument('[id]', 'the mass payout to adopt')
    .requiredOption(...REASON)
    .summary('answer for a chunk that needs an operator')
    .description(
      [
        'Answers for a chunk that needs an operator:',
        '  adopt ID      the service has it: ID is its mass payout',
        '  not-created   the service does not have it: send it again',
        '  abandon       give it up: its rows are UNKNOWN for ever',
      ].join('\n'),
    )
    .action((...given: [string, string, string, string | undefined, { reason: string }]) => {
      const [batch, chunk, answer, massPayoutId, { reason }] = given;
      const named = massPayoutId === undefined ? {} : { massPayoutId };
      return run(async () => (await import('../commands/resolve.ts')).resolve, {
        ...{ batch, chunk, answer, reason },
        ...named,
      });
    });
};
