import { randomUUID } from 'node:crypto';
import { type Client, type Fields, json, type Reply } from './client.ts';

export type Row = Readonly<{ address: string; amount: string; comment?: string }>;

export const PLAIN_ADDRESS = '0x00000000000000000000000000000000000000aa';

export const row = (amount: string, address = PLAIN_ADDRESS): Row => ({ address, amount });

export const rowsJson = (rows: readonly Row[]): string =>
  `[${rows
    .map(({ address, amount, comment }) =>
      json({
        depositAddress: JSON.stringify(address),
        amount,
        comment: comment === undefined ? undefined : JSON.stringify(comment),
      }),
    )
    .join(',')}]`;

/** The payload of a create; `fields` replace or add fields, each as JSON text. */
export const createPayload = (rows: readonly Row[], fields: Fields = {}): string =>
  json({
    currency: '"USDT_TRC20"',
    massAddresses: rowsJson(rows),
    idempotencyKey: JSON.stringify(randomUUID()),
    ...fields,
  });

/** A mass payout in an answer, for tests that do not read its numbers. */
export type MassPayoutJson = Readonly<{
  id: string;
  idempotencyKey: string;
  state: string;
  errors?: Readonly<{
    withdrawalErrors: readonly Readonly<{
      withdrawalId: string;
      errors: readonly Readonly<{
        id: number;
        status: string;
        errorResolved: boolean;
        errorMessage: string;
      }>[];
    }>[];
  }>;
}>;

export const massPayoutOf = ({ status, text }: Reply): MassPayoutJson => {
  if (status !== 200) throw new Error(`The sandbox answered ${status}: ${text}`);
  return JSON.parse(text) as MassPayoutJson;
};

export const create = async (
  client: Client,
  rows: readonly Row[],
  fields: Fields = {},
): Promise<MassPayoutJson> =>
  massPayoutOf(await client.call('MASS_CREATE', { payload: createPayload(rows, fields) }));

export const read = async (client: Client, id: string): Promise<MassPayoutJson> =>
  massPayoutOf(await client.call('MASS_GET', { payload: json({ id: JSON.stringify(id) }) }));

export const lookUp = (client: Client, id: string): Promise<Reply> =>
  client.call('LOOKUP', { payload: json({ id: JSON.stringify(id) }) });

type LedgerJson = Readonly<{
  balances: readonly Readonly<{
    currency: string;
    opening: string;
    sum: string;
    balance: string;
    tiesOut: boolean;
  }>[];
  entries: readonly Readonly<{ kind: string; amount: string; withdrawalId: string | null }>[];
}>;

export const ledger = async (client: Client, query = ''): Promise<LedgerJson> =>
  JSON.parse((await client.get(`/sandbox/ledger${query}`)).text) as LedgerJson;

export async function balance(client: Client, currency = 'USDT_TRC20'): Promise<string> {
  const { balances } = await ledger(client, `?currency=${currency}`);
  return balances[0]?.balance ?? '0';
}

export type WithdrawalLine = Readonly<{
  withdrawalId: string;
  massPayoutId: string;
  idempotencyKey: string;
  currency: string;
  depositAddress: string;
  amount: string;
  fee: string;
  comment: string | null;
  state: string;
  massPayoutState: string;
}>;

export async function withdrawals(client: Client): Promise<WithdrawalLine[]> {
  const { text } = await client.get('/sandbox/payouts');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as WithdrawalLine);
}
