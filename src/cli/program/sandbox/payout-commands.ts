import type { ActName } from '../../commands/sandbox/act.ts';
import type { PayoutsFlags } from '../../commands/sandbox/payouts.ts';
import type { TopUpFlags } from '../../commands/sandbox/top-up.ts';
import type { AddCommands } from '../add-commands.ts';
import { ACCOUNT, ONE_ACCOUNT, tail } from './options.ts';

const ID = ['<id>', 'id of the mass payout'] as const;

const ACTS: readonly Readonly<{ name: ActName; does: string }>[] = [
  { name: 'confirm', does: 'confirm a mass payout in PENDING_CONFIRMATION, as one person' },
  { name: 'decline', does: 'decline a mass payout in PENDING_CONFIRMATION' },
  { name: 'resend', does: 'send failed withdrawals again' },
  { name: 'end-waiting', does: 'end a mass payout in WAITING_COMPLETION_ERRORS' },
];

/** Mass payouts, and what people do with them and with money in the service's own interface. */
export const addSandboxPayoutCommands: AddCommands = (sandbox, run) => {
  sandbox.commandsGroup('Paying:');
  tail(sandbox.command('payouts'))
    .argument('[id]', 'one mass payout, with its withdrawals')
    .option(...ACCOUNT)
    .option('--state <state>', 'only mass payouts in this state')
    .description('list the mass payouts, or the withdrawals of one, the latest last')
    .action((id: string | undefined, flags: Omit<PayoutsFlags, 'id'>) =>
      run(async () => (await import('../../commands/sandbox/payouts.ts')).payouts, {
        ...flags,
        ...(id === undefined ? {} : { id }),
      }),
    );
  for (const { name, does } of ACTS) {
    const command = sandbox
      .command(name)
      .argument(...ID)
      .description(does);
    if (name === 'resend') {
      command.option('--positions <numbers>', 'only these withdrawals, with commas');
    }
    command.action((id: string, flags: { positions?: string }) =>
      run(async () => (await import('../../commands/sandbox/act.ts')).act, {
        act: name,
        id,
        ...flags,
      }),
    );
  }
  sandbox
    .command('top-up')
    .argument('<amount>', 'such as 12.5')
    .argument('<currency>', 'such as USDT_TRC20')
    .option(...ONE_ACCOUNT)
    .option('--opcode <code>', 'SETTLEMENT_TOP_UP (the default) or TOP_UP')
    .description('add money to a balance')
    .action((...given: [string, string, Pick<TopUpFlags, 'account' | 'opcode'>]) => {
      const [amount, currency, flags] = given;
      return run(async () => (await import('../../commands/sandbox/top-up.ts')).addMoney, {
        amount,
        currency,
        ...flags,
      });
    });
};
