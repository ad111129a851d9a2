import { z } from 'zod';
import type { CallOptions, Send } from '../call.ts';
import { compact } from '../compact.ts';
import { decimal, idText, readRecord, text, unwrap } from '../records/fields.ts';
import type { Answer } from '../response/conclude.ts';

const BalancesRecord = z.object({
  account: idText,
  name: text,
  ownerId: text.exactOptional(),
  balances: z.array(z.object({ currency: idText, amount: decimal })),
});

/**
 * Every balance of one account; amounts are canonical decimal text. Spec: "Account and balances".
 */
export type Balances = Readonly<z.output<typeof BalancesRecord>>;

const readBalances = (json: unknown): Balances =>
  readRecord(BalancesRecord, unwrap(json, 'account'));

/**
 * Reads every balance of one account, by default the client's. Spec: "Endpoints", POST
 * /api/v1/account.
 */
export const readBalance =
  (send: Send) =>
  (
    { account }: Readonly<{ account?: string }> = {},
    call: CallOptions = {},
  ): Promise<Answer<Balances>> =>
    send({ operation: 'ACCOUNT', read: readBalances }, { ...call, ...compact({ account }) });
