import type { AssumedWallet, Transaction, Wallet } from '@bursar/merchant-api';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { moneyText } from '../../../domain/text/money-text.ts';
import { loadSettings, withStoreIfAny } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { type ListView, render, tableText } from '../../operation-table/printout.ts';
import { flag, operation, optionalFlag } from '../../operation-table/operation.ts';
import { balancesText, openText } from '../../print/record-text.ts';
import { withService } from '../../../operations/service/preflight.ts';
import { printable } from '../../terminal/printable.ts';
import { namesFlag, text } from './fields.ts';
import { apiList, apiRecord, withApi } from './operations.ts';
import { ask } from '../../../operations/service/ask.ts';

const WALLET_VIEW: ListView<Wallet> = {
  schema: 'bursar.api-wallets/v1',
  array: 'wallets',
  lineSchema: 'bursar.api-wallet/v1',
  columns: [
    { title: 'NAME', width: 20, cell: (of) => of.name },
    { title: 'BLOCKCHAIN', width: 10, cell: (of) => of.blockchain },
    { title: 'ADDRESS', width: 44, cell: (of) => of.address },
    { title: 'BALANCES', width: 0, cell: (of) => balancesText(of.balances) },
  ],
};

/** One wallet, for people. */
const walletText = (wallet: Wallet, context: Context): string =>
  tableText(WALLET_VIEW.columns, [wallet], context);

const TRANSACTION_VIEW: ListView<Transaction> = {
  schema: 'bursar.api-transactions/v1',
  array: 'transactions',
  lineSchema: 'bursar.api-transaction/v1',
  columns: [
    { title: 'AMOUNT', width: 16, right: true, cell: (of) => of.amount },
    { title: 'CURRENCY', width: 11, cell: (of) => of.currency },
    { title: 'OPERATION CODE', width: 26, cell: (of) => of.opCode },
    {
      title: 'SERVICE FEE',
      width: 16,
      cell: (of) => feeText(of.serviceFee, of.serviceFeeCurrency),
    },
    {
      title: 'NETWORK FEE',
      width: 16,
      cell: (of) => feeText(of.networkFee, of.networkFeeCurrency),
    },
    { title: 'RECIPIENT', width: 34, cell: (of) => of.addressTo },
    { title: 'HASH', width: 64, cell: (of) => of.transactionHash },
    { title: 'CREATED', width: 0, cell: (of) => ({ moment: of.createdDate }) },
  ],
};

const feeText = (fee: string | undefined, currency: string | undefined): string | undefined =>
  fee === undefined ? undefined : moneyText(fee, currency ?? '').trimEnd();

/** The service may answer with something that is no wallet. */
function assumedWalletText(answer: AssumedWallet, context: Context): string {
  return answer.kind === 'wallet' ? walletText(answer, context) : openText(answer.content);
}

/** Operations on settlement wallets and their transactions. */
export const WALLET_OPERATIONS = [
  apiList({
    name: 'wallets',
    summary: 'list the settlement wallets with their balances',
    fields: {
      blockchain: optionalFlag('--blockchain <name>', 'only wallets on it', text),
      currency: optionalFlag('--currency <currency>', 'only wallets with this currency', text),
      nameOrAddress: optionalFlag(
        '--search <text>',
        'only wallets with this in their name or address',
        text,
      ),
    },
    payload: 'payload: blockchain, currency, nameOrAddress, and the page',
    view: WALLET_VIEW,
    readPage: (api, filter) => api.listWallets(filter),
    eachItem: (api, filter, walk) => api.eachWallet(filter, walk),
  }),
  apiList({
    name: 'transactions',
    summary: 'list the transactions of the settlement wallets',
    fields: {
      walletAddress: optionalFlag('--wallet <address>', 'only those of this wallet', text),
      addressTo: optionalFlag('--recipient <address>', 'only those to this address', text),
      opcodes: namesFlag('--opcodes <codes>', 'only those with these operation codes, with commas'),
      currency: optionalFlag('--currency <currency>', 'only those in this currency', text),
    },
    payload: 'payload: walletAddress, addressTo, opcodes, currency, and the page',
    view: TRANSACTION_VIEW,
    readPage: (api, filter) => api.listTransactions(filter),
    eachItem: (api, filter, walk) => api.eachTransaction(filter, walk),
  }),
  operation({
    name: 'create-wallet',
    summary: 'create a settlement wallet',
    fields: {
      name: flag('--name <name>', 'up to 100 characters', text),
      blockchain: flag('--blockchain <name>', 'where the wallet is to be', text),
    },
    payload: 'payload: name, blockchain',
    async run(wallet, context) {
      const settings = await loadSettings(context);
      return withStoreIfAny(settings, context, (store) =>
        withService(settings, context, async (service) => {
          const made = await ask(service, {
            call: (api) => api.createWallet(wallet),
            look: 'bursar api wallets --all',
          });
          // Printed first: when the store fails, the person still sees the new wallet.
          const schema = 'bursar.api-wallet/v1';
          await render({ schema, record: made, text: walletText(made, context) }, context);
          // From now on the store counts the new address among the own wallets of the account.
          await store?.ownWallets.add(service.account, made.address, context.clock.nowMs());
          return EXIT.done;
        }),
      );
    },
  }),
  apiRecord({
    name: 'rename-wallet',
    summary: 'give a settlement wallet another name',
    fields: {
      address: flag('[address]', 'address of the wallet, or the payload: address, name', text),
      name: flag('--name <name>', 'its new name, up to 100 characters', text),
    },
    payloadIn: 'address',
    schema: 'bursar.api-rename-wallet/v1',
    call: (api, rename) => api.renameWallet(rename),
    lookedFor: ({ address }) => `address ${address}`,
    text: assumedWalletText,
  }),
  apiRecord({
    name: 'address',
    summary: 'find what belongs to an address',
    fields: { address: flag('[address]', 'an address, or the payload: address', text) },
    payloadIn: 'address',
    schema: 'bursar.api-address/v1',
    call: (api, given) => api.lookupAddress(given),
    lookedFor: ({ address }) => `address ${address}`,
    text: assumedWalletText,
  }),
  operation({
    name: 'opcodes',
    summary: 'list the operation codes that transactions may have',
    run: (_given, context) =>
      withApi(context, async (service) => {
        const opCodes = await ask(service, { call: (api) => api.listOperationCodes() });
        if (context.format !== 'jsonl') {
          const codes = opCodes.map(printable).join('\n');
          return { schema: 'bursar.api-opcodes/v1', record: { opCodes }, text: codes };
        }
        const schema = 'bursar.api-opcode/v1';
        for (const opCode of opCodes) context.print(JSON.stringify({ schema, opCode }));
        return EXIT.done;
      }),
  }),
];
