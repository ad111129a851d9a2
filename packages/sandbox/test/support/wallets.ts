import { good } from './admin.ts';
import { type Client, type Fields, json, type Reply } from './client.ts';

export type WalletJson = Readonly<{
  name: string;
  address: string;
  blockchain: string;
  balances: readonly Readonly<{ currency: string; amount: number; token: boolean }>[];
}>;

export type TransactionJson = Readonly<{
  amount: number;
  currency: string;
  opCode: string;
  serviceFee: number;
  serviceFeeCurrency: string;
  networkFee: number;
  networkFeeCurrency: string;
  transactionHash: string;
  createdDate: string;
  addressTo?: string;
}>;

export type PageJson<Item> = Readonly<{
  result: readonly Item[];
  page: number;
  size: number;
  total: number;
  totalElements: number;
}>;

/** The payload of a list as JSON text; `fields` replace or add fields. */
export const listWallets = (client: Client, fields: Fields = {}): Promise<Reply> =>
  client.call('WALLET_LIST', { payload: json({ properties: '"name"', ...fields }) });

export const wallets = async (client: Client, fields: Fields = {}): Promise<PageJson<WalletJson>> =>
  good(await listWallets(client, fields));

export const listTransactions = (client: Client, fields: Fields = {}): Promise<Reply> =>
  client.call('TRANSACTION_LIST', { payload: json({ properties: '"createdDate"', ...fields }) });

export const transactions = async (
  client: Client,
  fields: Fields = {},
): Promise<PageJson<TransactionJson>> => good(await listTransactions(client, fields));

export const createWallet = async (
  client: Client,
  name: string,
  blockchain = 'TRON',
): Promise<WalletJson> => {
  const payload = JSON.stringify({ name, blockchain });
  return good(await client.call('WALLET_CREATE', { payload }));
};
