import type { Client, Reply } from './client.ts';

export const ADMIN = '/sandbox/mass-payouts';

export type MassPayoutLine = Readonly<{
  n: number;
  id: string;
  account: string;
  state: string;
  confirmations: number;
  totalAmount: string;
  totalFee: string;
  endedDate: string | null;
  nextStepDate: string | null;
}>;

/**
 * Does an action of a person in the service's own interface: confirm, decline, resend, end-waiting.
 */
export const act = (client: Client, kind: string, fields: object): Promise<Reply> =>
  client.admin('POST', `${ADMIN}/${kind}`, fields);

export const needConfirmations = (client: Client, confirmations: number | null): Promise<Reply> =>
  client.admin('POST', '/sandbox/accounts', { confirmations });

/** Returns the JSON of an answer. Throws unless its status is 200. */
export function good<Value>({ status, text }: Reply): Value {
  if (status !== 200) throw new Error(`The sandbox answered ${status}: ${text}`);
  return JSON.parse(text) as Value;
}

export const massPayoutLines = async (client: Client, query = ''): Promise<MassPayoutLine[]> =>
  good<{ massPayouts: MassPayoutLine[] }>(await client.get(`${ADMIN}${query}`)).massPayouts;
