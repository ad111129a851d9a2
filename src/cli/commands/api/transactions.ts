import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readNames } from '../../../operations/input/names.ts';
import { type PagingFlags, readPaging } from '../../../operations/input/paging.ts';
import { transactionList } from '../../print/api-wallet-text.ts';
import { text, texts } from './fields.ts';
import { pageFields } from './page-fields.ts';
import { readPayload } from './payload.ts';
import { runList } from './run-list.ts';

export type TransactionsFlags = PagingFlags &
  Readonly<{
    json?: string;
    wallet?: string;
    recipient?: string;
    opcodes?: string;
    currency?: string;
  }>;

const Payload = z.strictObject({
  walletAddress: text.exactOptional(),
  addressTo: text.exactOptional(),
  opcodes: texts.exactOptional(),
  currency: text.exactOptional(),
  ...pageFields,
});

/** `bursar api transactions`: a page of the transactions of the wallets, or all of them. */
export async function transactions(flags: TransactionsFlags, context: Context): Promise<number> {
  const typed = {
    walletAddress: ['--wallet', flags.wallet],
    addressTo: ['--recipient', flags.recipient],
    opcodes: ['--opcodes', flags.opcodes === undefined ? undefined : readNames(flags.opcodes)],
    currency: ['--currency', flags.currency],
    ...readPaging(flags),
  } as const;
  const filter = await readPayload(Payload, { json: flags.json, typed }, context);
  return runList(
    {
      filter,
      all: flags.all,
      readPage: (api, asked) => api.listTransactions(asked),
      eachItem: (api, asked, walk) => api.eachTransaction(asked, walk),
      output: transactionList(context),
    },
    context,
  );
}
