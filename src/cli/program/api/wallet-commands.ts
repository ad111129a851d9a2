import type { Command } from 'commander';
import type { CreateWalletFlags } from '../../commands/api/create-wallet.ts';
import type { RenameWalletFlags } from '../../commands/api/rename-wallet.ts';
import type { TransactionsFlags } from '../../commands/api/transactions.ts';
import type { WalletsFlags } from '../../commands/api/wallets.ts';
import type { AddCommands, Run } from '../add-commands.ts';
import { given } from './payload-argument.ts';

/** Operations on settlement wallets and what goes through them. */
export const addWalletCommands: AddCommands = (api, run) => {
  api.commandsGroup('Wallets:');
  addLists(api, run);
  api
    .command('create-wallet')
    .argument('[json]', 'payload: name, blockchain')
    .option('--name <name>', 'up to 100 characters')
    .option('--blockchain <name>', 'where the wallet is to be')
    .description('create a settlement wallet')
    .action((json: string | undefined, flags: Omit<CreateWalletFlags, 'json'>) =>
      run(
        async () => (await import('../../commands/api/create-wallet.ts')).createWallet,
        given('json', json, flags),
      ),
    );
  api
    .command('rename-wallet')
    .argument('[address]', 'address of the wallet, or the payload: address, name')
    .option('--name <name>', 'its new name, up to 100 characters')
    .description('give a settlement wallet another name')
    .action((address: string | undefined, flags: Pick<RenameWalletFlags, 'name'>) =>
      run(
        async () => (await import('../../commands/api/rename-wallet.ts')).renameWallet,
        given('addressOrJson', address, flags),
      ),
    );
  api
    .command('address')
    .argument('[address]', 'an address, or the payload: address')
    .description('find what belongs to an address')
    .action((address: string | undefined) =>
      run(
        async () => (await import('../../commands/api/address.ts')).address,
        given('addressOrJson', address, {}),
      ),
    );
  api
    .command('opcodes')
    .description('list the operation codes that transactions may have')
    .action(() => run(async () => (await import('../../commands/api/opcodes.ts')).opcodes, {}));
};

function addLists(api: Command, run: Run): void {
  paging(
    api
      .command('wallets')
      .argument('[json]', 'payload: blockchain, currency, nameOrAddress, and the page')
      .option('--blockchain <name>', 'only wallets on it')
      .option('--currency <currency>', 'only wallets with this currency')
      .option('--search <text>', 'only wallets with this in their name or address')
      .description('list the settlement wallets with their balances'),
  ).action((json: string | undefined, flags: Omit<WalletsFlags, 'json'>) =>
    run(
      async () => (await import('../../commands/api/wallets.ts')).wallets,
      given('json', json, flags),
    ),
  );
  paging(
    api
      .command('transactions')
      .argument('[json]', 'payload: walletAddress, addressTo, opcodes, currency, and the page')
      .option('--wallet <address>', 'only those of this wallet')
      .option('--recipient <address>', 'only those to this address')
      .option('--opcodes <codes>', 'only those with these operation codes, with commas')
      .option('--currency <currency>', 'only those in this currency')
      .description('list the transactions of the settlement wallets'),
  ).action((json: string | undefined, flags: Omit<TransactionsFlags, 'json'>) =>
    run(
      async () => (await import('../../commands/api/transactions.ts')).transactions,
      given('json', json, flags),
    ),
  );
}

const paging = (command: Command): Command =>
  command
    .option('--page <number>', 'which page (1 by default)')
    .option('--size <number>', 'how many on a page (10 by default)')
    .option('--sort <order>', 'ASC (the default) or DESC')
    .option('--by <property>', 'what they are sorted by')
    .option('--all', 'walk every page');
