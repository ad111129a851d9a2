import type { Command } from 'commander';
import type { SetAccountFlags } from '../../commands/sandbox/accounts.ts';
import type { SetTariffFlags } from '../../commands/sandbox/tariffs.ts';
import type { AddCommands, Run } from '../add-commands.ts';
import { defaultCommand, ONE_ACCOUNT } from './options.ts';

/** What a merchant agrees with the service: who confirms, and what it costs. */
export const addSandboxRuleCommands: AddCommands = (sandbox, run) => {
  sandbox.commandsGroup('Paying:');
  addAccountCommands(sandbox, run);
  addTariffCommands(sandbox, run);
};

function addAccountCommands(sandbox: Command, run: Run): void {
  const accounts = sandbox
    .command('accounts')
    .helpCommand(false)
    .description('list the accounts, and set how many people confirm a mass payout');
  defaultCommand(accounts, 'list')
    .description('list the accounts, and how many people must confirm (the default)')
    .action(() =>
      run(async () => (await import('../../commands/sandbox/accounts.ts')).accounts, {}),
    );
  accounts
    .command('set')
    .argument('<people>', '0 for none; or reset: as the settings say')
    .option(...ONE_ACCOUNT)
    .description('set how many people must confirm each mass payout from now on')
    .action((people: string, flags: Pick<SetAccountFlags, 'account'>) =>
      run(async () => (await import('../../commands/sandbox/accounts.ts')).setAccount, {
        people,
        ...flags,
      }),
    );
}

function addTariffCommands(sandbox: Command, run: Run): void {
  const tariffs = sandbox
    .command('tariffs')
    .helpCommand(false)
    .description('list and change the tariffs of single currencies');
  defaultCommand(tariffs, 'list')
    .description('list the currencies with a tariff of their own (the default)')
    .action(() => run(async () => (await import('../../commands/sandbox/tariffs.ts')).tariffs, {}));
  tariffs
    .command('set')
    .argument('<currency>', 'such as USDT_TRC20')
    .option('--percent <decimal>', 'share of each withdrawal, such as 0.5')
    .option('--fix <decimal>', 'fixed part')
    .option('--min <decimal>', 'least of both together')
    .description('set what a currency costs from now on; a part that is left out is 0')
    .action((currency: string, flags: Omit<SetTariffFlags, 'currency'>) =>
      run(async () => (await import('../../commands/sandbox/tariffs.ts')).setTariff, {
        currency,
        ...flags,
      }),
    );
  tariffs
    .command('reset')
    .argument('<currency>', 'such as USDT_TRC20')
    .description('give a currency back to the settings')
    .action((currency: string) =>
      run(async () => (await import('../../commands/sandbox/tariffs.ts')).resetTariff, {
        currency,
      }),
    );
}
