import { randomUUID } from 'node:crypto';
import {
  PAGE_NUMBER_DEFAULT,
  PAGE_SIZE_DEFAULT,
  WALLET_NAME_LENGTH_MAX,
} from '../../src/spec/limits.ts';
import { OPERATION_CODES } from '../../src/spec/wallets.ts';
import { all, broken, type Check, met, type Verdict } from '../check.ts';
import type { Answer, Service } from '../service.ts';
import { eachHasFields, fieldOf, hasFields, is, isError, recordOf, succeeded } from '../shape.ts';

const PAGING = {
  pageNumber: PAGE_NUMBER_DEFAULT,
  pageSize: PAGE_SIZE_DEFAULT,
  sort: 'ASC',
};

/** ASSUMED: names by which lists can be sorted. */
const WALLETS_BY = { ...PAGING, properties: 'name' };
const TRANSACTIONS_BY = { ...PAGING, properties: 'createdDate' };

const PAGE = {
  result: is.list,
  page: is.integer,
  size: is.integer,
  total: is.integer,
  totalElements: is.integer,
};

const WALLET = { name: is.text, address: is.text, blockchain: is.text, balances: is.list };

const walletsOf = (answer: Answer): unknown[] => {
  const result = fieldOf(recordOf(answer, 'result'), 'result');
  return Array.isArray(result) ? result : [];
};

const create = (service: Service, name: string, blockchain: string) =>
  service.send('WALLET_CREATE', { payload: { name, blockchain } });

/** ASSUMED: a blockchain on which the account has a wallet is one on which it can have another. */
async function blockchainOf(service: Service): Promise<string> {
  const [wallet] = walletsOf(await service.send('WALLET_LIST', { payload: WALLETS_BY }));
  const blockchain = fieldOf(wallet, 'blockchain');
  return typeof blockchain === 'string' ? blockchain : 'TRON';
}

export const walletChecks: readonly Check[] = [
  {
    id: 'wallet-page',
    section: 'Settlement wallets',
    sentence: 'A wallet list is a page of wallets: result, page, size, total, totalElements.',
    needs: ['WALLET_LIST'],
    leaves: 'nothing',
    try: async (service) => {
      const answer = await service.send('WALLET_LIST', { payload: WALLETS_BY });
      return all(
        () => succeeded(answer),
        () => hasFields(recordOf(answer, 'result'), PAGE),
        () => eachHasFields(walletsOf(answer), WALLET),
        ...walletsOf(answer).map(
          (wallet) => () =>
            eachHasFields(fieldOf(wallet, 'balances'), {
              currency: is.text,
              amount: is.number,
              token: is.boolean,
            }),
        ),
      );
    },
  },
  {
    id: 'wallet-name-length',
    section: 'Limits',
    sentence: 'A wallet name has 0 to 100 characters.',
    needs: ['WALLET_CREATE', 'WALLET_LIST'],
    leaves: 'objects',
    try: async (service) => {
      const blockchain = await blockchainOf(service);
      const longest = 'n'.repeat(WALLET_NAME_LENGTH_MAX);
      return all(
        async () => succeeded(await create(service, '', blockchain)),
        async () => succeeded(await create(service, longest, blockchain)),
        async () => isError(await create(service, `${longest}n`, blockchain)),
      );
    },
  },
  {
    id: 'wallet-create-rename',
    section: 'Settlement wallets',
    sentence: 'A wallet that is created, and then renamed, is listed with its name and address.',
    needs: ['WALLET_CREATE', 'WALLET_RENAME', 'WALLET_LIST'],
    leaves: 'objects',
    try: async (service) => {
      const made = await create(
        service,
        `conformance ${randomUUID()}`,
        await blockchainOf(service),
      );
      const address = fieldOf(recordOf(made, 'address'), 'address');
      const name = `renamed ${randomUUID()}`;
      const payload = { ...WALLETS_BY, nameOrAddress: name };
      return all(
        () => succeeded(made),
        () => hasFields(recordOf(made, 'address'), WALLET),
        async () => succeeded(await service.send('WALLET_RENAME', { payload: { address, name } })),
        async () => onlyOne(walletsOf(await service.send('WALLET_LIST', { payload })), address),
      );
    },
  },
  {
    id: 'transaction-page',
    section: 'Settlement wallets',
    sentence: 'A transaction list is a page of transactions with all required fields.',
    needs: ['TRANSACTION_LIST'],
    leaves: 'nothing',
    try: async (service) => {
      const answer = await service.send('TRANSACTION_LIST', { payload: TRANSACTIONS_BY });
      return all(
        () => succeeded(answer),
        () => hasFields(recordOf(answer, 'result'), PAGE),
        () =>
          eachHasFields(walletsOf(answer), {
            amount: is.number,
            currency: is.text,
            opCode: is.oneOf(OPERATION_CODES),
            serviceFee: is.number,
            serviceFeeCurrency: is.text,
            networkFee: is.number,
            networkFeeCurrency: is.text,
            transactionHash: is.text,
            createdDate: is.dateTime,
            addressTo: is.optional(is.text),
          }),
      );
    },
  },
  {
    id: 'operation-codes',
    section: 'Settlement wallets',
    sentence: 'opCodes are operation codes that the specification names.',
    needs: ['OPCODES'],
    leaves: 'nothing',
    try: async (service) => {
      const answer = await service.send('OPCODES');
      const codes = fieldOf(recordOf(answer, 'opCodes'), 'opCodes');
      return all(
        () => succeeded(answer),
        () =>
          Array.isArray(codes) && codes.every(is.oneOf(OPERATION_CODES))
            ? met(`${codes.length} codes`)
            : broken('no list of documented codes'),
      );
    },
  },
  {
    id: 'address-required',
    section: 'Settlement wallets',
    sentence: 'A lookup by address needs an address.',
    needs: ['LOOKUP_ADDRESS'],
    leaves: 'nothing',
    try: async (service) => isError(await service.send('LOOKUP_ADDRESS', { payload: {} })),
  },
];

const onlyOne = (wallets: readonly unknown[], address: unknown): Verdict =>
  wallets.length === 1 && fieldOf(wallets[0], 'address') === address
    ? met()
    : broken(`${wallets.length} wallets have the new name`);
