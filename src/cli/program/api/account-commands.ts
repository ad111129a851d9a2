import type { FeesFlags } from '../../commands/api/fees.ts';
import type { ReportFlags } from '../../commands/api/report.ts';
import { FEE_OPERATION_TYPES, FEE_TYPES } from '@bursar/merchant-api/spec';
import type { AddCommands } from '../add-commands.ts';
import { given } from './payload-argument.ts';

/** Operations on the account as a whole. */
export const addAccountCommands: AddCommands = (api, run) => {
  api.commandsGroup('Account:');
  api
    .command('balance')
    .description('read the balances of the account')
    .action(() => run(async () => (await import('../../commands/api/balance.ts')).balance, {}));
  api
    .command('fees')
    .argument('[json]', 'payload, such as {"items":[{"baseAmount":"12.5","currency":"BTC"}]}')
    .option('--amount <amount>', 'amount to price')
    .option('--currency <currency>', 'its currency')
    .option('--op <type>', `one of ${FEE_OPERATION_TYPES.join(', ')}`)
    .option('--fee-type <type>', `one of ${FEE_TYPES.join(', ')}`)
    .description('ask what the service would charge')
    .action((json: string | undefined, flags: Omit<FeesFlags, 'json'>) =>
      run(
        async () => (await import('../../commands/api/fees.ts')).fees,
        given('json', json, flags),
      ),
    );
  api
    .command('report')
    .argument('[json]', 'payload: firstDate, lastDate, blockchainList, zone')
    .option('--from <instant>', 'first date and time, such as 2026-10-01T00:00:00+02:00')
    .option('--to <instant>', 'last date and time')
    .option('--blockchains <names>', 'one text; sent as it is typed')
    .option('--zone <zone>', 'an offset or a zone such as Europe/Berlin (yours by default)')
    .description('ask for a report over blockchains and dates')
    .action((json: string | undefined, flags: Omit<ReportFlags, 'json'>) =>
      run(
        async () => (await import('../../commands/api/report.ts')).report,
        given('json', json, flags),
      ),
    );
  api
    .command('user')
    .description('read whom the key belongs to, its accounts and its permissions')
    .action(() => run(async () => (await import('../../commands/api/user.ts')).user, {}));
};
