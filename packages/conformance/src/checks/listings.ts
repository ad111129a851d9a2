import { OPERATION_CODES } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met } from '../check.ts';
import { demand, demandEqual, demandFor, fieldOf, listOf, own, recordOf } from '../expect.ts';
import * as kinds from '../kinds.ts';
import type { CheckRun } from '../run.ts';
import { readItems, readPage, someTransactions } from '../scenarios/lists.ts';
import type { ServiceAnswer } from '../service.ts';
import { filterCheck, type ListDescription, listChecks } from './every-list.ts';

const WALLETS: ListDescription = {
  id: 'wallets.list',
  operation: 'WALLET_LIST',
  words: 'Wallet list',
  needs: [],
  filters: {
    blockchain: { kind: kinds.text, sample: 'TRON' },
    currency: { kind: kinds.text, sample: 'TRX' },
    nameOrAddress: { kind: kinds.text, sample: 'conformance' },
  },
  prepare: async () => {},
};

const CODE = kinds.oneOf('operation code', OPERATION_CODES);

const TRANSACTIONS: ListDescription = {
  id: 'transactions.list',
  operation: 'TRANSACTION_LIST',
  words: 'Transaction list',
  needs: ['payments'],
  filters: {
    walletAddress: { kind: kinds.text, sample: 'no-address' },
    addressTo: { kind: kinds.text, sample: 'no-address' },
    opcodes: {
      kind: kinds.listOfEach('array of operation codes', CODE),
      sample: ['FEE'],
    },
    currency: { kind: kinds.text, sample: 'TRX' },
  },
  prepare: someTransactions,
};

/** Returns the value of a field of the first object that has one. */
const firstOf =
  (name: string) =>
  (items: readonly unknown[]): unknown =>
    items.map((item) => fieldOf(item, name)).find((value) => value !== undefined);

const hasField =
  (name: string) =>
  (item: unknown, value: unknown): boolean =>
    fieldOf(item, name) === value;

const currenciesOf = (wallet: unknown): unknown[] =>
  listOf(fieldOf(wallet, 'balances')).map((balance) => fieldOf(balance, 'currency'));

const walletFilters: readonly ConformanceCheck[] = [
  filterCheck(WALLETS, 'blockchain', {
    choose: firstOf('blockchain'),
    fits: hasField('blockchain'),
  }),
  filterCheck(WALLETS, 'currency', {
    choose: (wallets) => wallets.flatMap(currenciesOf)[0],
    fits: (wallet, currency) => currenciesOf(wallet).includes(currency),
  }),
  ...(['name', 'address'] as const).map((name) => {
    const check = filterCheck(WALLETS, 'nameOrAddress', {
      choose: (wallets) => wallets.map((each) => fieldOf(each, name)).find((text) => text !== ''),
      fits: (wallet, text) =>
        [fieldOf(wallet, 'name'), fieldOf(wallet, 'address')].some((value) =>
          String(value).includes(String(text)),
        ),
    });
    return {
      ...check,
      id: `${check.id}.${name}`,
      sentence: check.sentence.replace(
        'nameOrAddress',
        `nameOrAddress with ${name === 'name' ? 'a name' : 'an address'}`,
      ),
    };
  }),
];

/** The most wallets whose transactions the check counts. With more wallets the check fails. */
const WALLETS_MAX = 100;

const countOf = async (run: CheckRun, walletAddress: unknown): Promise<number> => {
  const page = await readPage(run, 'TRANSACTION_LIST', {
    walletAddress,
    pageSize: 1,
  });
  return Number(fieldOf(page, 'totalElements'));
};

const transactionFilters: readonly ConformanceCheck[] = [
  {
    id: 'transactions.list.filter.walletAddress',
    section: 'Settlement wallets',
    sentence:
      'Transaction list: the optional filter walletAddress lets through those of one wallet.',
    needs: ['TRANSACTION_LIST', 'WALLET_LIST', 'payments'],
    try: async (run) => {
      await someTransactions(run);
      let sum = await countOf(run, 'no-such-address');
      demandEqual('transactions of no wallet', sum, 0);
      const wallets = await readItems(run, 'WALLET_LIST', {
        pageSize: WALLETS_MAX,
      });
      for (const wallet of wallets) sum += await countOf(run, fieldOf(wallet, 'address'));
      demandEqual('transactions of all wallets', sum, await countOf(run, undefined));
      return met(`${sum} transactions`);
    },
  },
  filterCheck(TRANSACTIONS, 'addressTo', {
    choose: firstOf('addressTo'),
    fits: hasField('addressTo'),
  }),
  filterCheck(TRANSACTIONS, 'opcodes', {
    choose: (items) => items.slice(0, 1).map((item) => fieldOf(item, 'opCode')),
    fits: (item, codes) => listOf(codes).includes(fieldOf(item, 'opCode')),
  }),
  filterCheck(TRANSACTIONS, 'currency', {
    choose: firstOf('currency'),
    fits: hasField('currency'),
  }),
];

const CODES = { words: 'the operation codes', checkedBy: 'opcodes.answer.opCodes' };

const opcodes = (run: CheckRun): Promise<ServiceAnswer> =>
  run.once('operation codes', async () => demandFor(await run.service.send('OPCODES'), CODES));

const opcodeChecks: readonly ConformanceCheck[] = [
  ...answerFields({
    id: 'opcodes.answer',
    section: 'Settlement wallets',
    record: 'Operation codes',
    needs: ['OPCODES'],
    read: async (run) => [recordOf(await opcodes(run), 'opCodes')],
    fields: {
      opCodes: {
        ...kinds.listOfEach('array of operation codes', CODE),
        words: `array of operation codes: ${OPERATION_CODES.join(', ')}`,
      },
    },
  }),
  {
    id: 'opcodes.as-filters',
    section: 'Settlement wallets',
    sentence: 'Every operation code is accepted in opcodes of the transaction list.',
    needs: ['TRANSACTION_LIST'],
    try: async (run) => {
      const page = await own(readPage(run, 'TRANSACTION_LIST', { opcodes: OPERATION_CODES }));
      demand(page !== undefined, 'a page', page);
      return met(`${OPERATION_CODES.length} codes`);
    },
  },
];

export const listingChecks: readonly ConformanceCheck[] = [
  ...listChecks(WALLETS),
  ...walletFilters,
  ...listChecks(TRANSACTIONS),
  ...transactionFilters,
  ...answerFields({
    id: 'transactions.record',
    section: 'Settlement wallets',
    record: 'Transaction',
    needs: ['TRANSACTION_LIST'],
    read: someTransactions,
    fields: {
      amount: kinds.number,
      currency: kinds.text,
      opCode: CODE,
      serviceFee: kinds.number,
      serviceFeeCurrency: kinds.text,
      networkFee: kinds.number,
      networkFeeCurrency: kinds.text,
      transactionHash: kinds.text,
      createdDate: kinds.dateTime,
      addressTo: kinds.optional(kinds.text),
    },
  }),
  ...opcodeChecks,
];
