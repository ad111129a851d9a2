import type { Command } from 'commander';
import type { CreatePayoutFlags } from '../../commands/api/create-payout.ts';
import type { ReferenceFlags } from '../../commands/api/reference.ts';
import type { AddCommands } from '../add-commands.ts';
import { given } from './payload-argument.ts';

/** Operations on payouts and mass payouts. */
export const addPayoutCommands: AddCommands = (api, run) => {
  api.commandsGroup('Payouts:');
  reference(api.command('lookup').description('find a payout or a mass payout')).action(
    (json: string | undefined, flags: Omit<ReferenceFlags, 'json'>) =>
      run(
        async () => (await import('../../commands/api/lookup.ts')).lookup,
        given('json', json, flags),
      ),
  );
  reference(api.command('payout').description('read a mass payout and its state')).action(
    (json: string | undefined, flags: Omit<ReferenceFlags, 'json'>) =>
      run(
        async () => (await import('../../commands/api/payout.ts')).payout,
        given('json', json, flags),
      ),
  );
  api
    .command('create-payout')
    .argument('<json>', 'payload as JSON, or - for standard input')
    .option('--confirm <total>', 'confirm what is paid: TOTAL:CURRENCY')
    .summary("create a mass payout, without the engine's protection")
    .description(
      [
        'Creates a mass payout by one call, without the protection of "bursar submit":',
        'addresses and balance are not checked, nothing is written down or reported.',
        '',
        'The payload: {"currency":"USDT_TRC20","idempotencyKey":"<uuid>",',
        '  "massAddresses":[{"depositAddress":"T...","amount":"12.5"}]}',
        'It may have name, comment, executionDate and externalId, and each recipient',
        'a comment. Amounts are text. Choose the idempotencyKey yourself, write it down',
        'before the call, and use it for nothing else.',
      ].join('\n'),
    )
    .action((json: string, flags: Omit<CreatePayoutFlags, 'json'>) =>
      run(async () => (await import('../../commands/api/create-payout.ts')).createPayout, {
        json,
        ...flags,
      }),
    );
};

const reference = (command: Command): Command =>
  command
    .argument('[json]', 'payload: {"id":"..."} or {"idempotencyKey":"..."}')
    .option('--id <id>', 'id that the service gave')
    .option('--key <uuid>', 'idempotency key that was chosen at creation');
