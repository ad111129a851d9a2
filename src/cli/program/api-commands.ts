import type { Command } from 'commander';
import type { FeesFlags } from '../commands/api/fees.ts';
import type { ReferenceFlags } from '../commands/api/reference.ts';
import { FEE_OPERATION_TYPES, FEE_TYPES } from '../../spec/fees.ts';
import type { AddCommands } from './add-commands.ts';

/** Single operations of the service, signed, from the shell. */
export const addApiCommands: AddCommands = (program, run) => {
  const api = program
    .command('api')
    .helpCommand(false)
    .description('call one operation of the service, signed');
  api
    .command('balance')
    .description('read the balances of the account')
    .action(() => run(async () => (await import('../commands/api/balance.ts')).balance, {}));
  api
    .command('fees')
    .argument('[json]', 'payload, such as {"items":[{"baseAmount":"12.5","currency":"BTC"}]}')
    .option('--amount <amount>', 'amount to price')
    .option('--currency <currency>', 'its currency')
    .option('--op <type>', `one of ${FEE_OPERATION_TYPES.join(', ')}`)
    .option('--fee-type <type>', `one of ${FEE_TYPES.join(', ')}`)
    .description('ask what the service would charge')
    .action((json: string | undefined, flags: FeesFlags) =>
      run(async () => (await import('../commands/api/fees.ts')).fees, {
        ...flags,
        ...(json === undefined ? {} : { json }),
      }),
    );
  reference(api.command('lookup').description('find a payout or a mass payout')).action(
    (json: string | undefined, flags: ReferenceFlags) =>
      run(async () => (await import('../commands/api/lookup.ts')).lookup, {
        ...flags,
        ...(json === undefined ? {} : { json }),
      }),
  );
  reference(api.command('payout').description('read a mass payout and its state')).action(
    (json: string | undefined, flags: ReferenceFlags) =>
      run(async () => (await import('../commands/api/payout.ts')).payout, {
        ...flags,
        ...(json === undefined ? {} : { json }),
      }),
  );
};

const reference = (command: Command): Command =>
  command
    .argument('[json]', 'payload: {"id":"..."} or {"idempotencyKey":"..."}')
    .option('--id <id>', 'id that the service gave')
    .option('--key <uuid>', 'idempotency key that was chosen at creation');
