import type { AddCommands } from './add-commands.ts';
import { addAccountCommands } from './api/account-commands.ts';
import { addPayoutCommands } from './api/payout-commands.ts';
import { addWalletCommands } from './api/wallet-commands.ts';
import { addWebhookCommands } from './api/webhook-commands.ts';

/** Single operations of the service, signed, from the shell. */
export const addApiCommands: AddCommands = (program, run) => {
  const api = program
    .command('api')
    .helpCommand(false)
    .summary('call one operation of the service, signed')
    .description(
      [
        'Calls one operation of the service, signed. Every call is made once.',
        'A payload is given by flags, or whole as JSON, or - to read the JSON from standard input.',
      ].join('\n'),
    );
  for (const add of [
    addAccountCommands,
    addPayoutCommands,
    addWalletCommands,
    addWebhookCommands,
  ]) {
    add(api, run);
  }
};
