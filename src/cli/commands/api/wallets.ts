import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type PagingFlags, readPaging } from '../../../operations/input/paging.ts';
import { walletList } from '../../print/api-wallet-text.ts';
import { text } from './fields.ts';
import { pageFields } from './page-fields.ts';
import { readPayload } from './payload.ts';
import { runList } from './run-list.ts';

export type WalletsFlags = PagingFlags &
  Readonly<{ json?: string; blockchain?: string; currency?: string; search?: string }>;

const Payload = z.strictObject({
  blockchain: text.exactOptional(),
  currency: text.exactOptional(),
  nameOrAddress: text.exactOptional(),
  ...pageFields,
});

/** `bursar api wallets`: a page of the settlement wallets with their balances, or all of them. */
export async function wallets(flags: WalletsFlags, context: Context): Promise<number> {
  const typed = {
    blockchain: ['--blockchain', flags.blockchain],
    currency: ['--currency', flags.currency],
    nameOrAddress: ['--search', flags.search],
    ...readPaging(flags),
  } as const;
  const filter = await readPayload(Payload, { json: flags.json, typed }, context);
  return runList(
    {
      filter,
      all: flags.all,
      readPage: (api, asked) => api.listWallets(asked),
      eachItem: (api, asked, walk) => api.eachWallet(asked, walk),
      output: walletList(),
    },
    context,
  );
}
