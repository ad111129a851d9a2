import { z } from 'zod';
import type { Context } from '../../context.ts';
import { walletText } from '../../print/api-wallet-text.ts';
import { text } from './fields.ts';
import { readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type CreateWalletFlags = Readonly<{ json?: string; name?: string; blockchain?: string }>;

const Payload = z.strictObject({ name: text, blockchain: text });

/** `bursar api create-wallet`: a new settlement wallet. */
export async function createWallet(flags: CreateWalletFlags, context: Context): Promise<number> {
  const { json, name, blockchain } = flags;
  const typed = { name: ['--name', name], blockchain: ['--blockchain', blockchain] } as const;
  const wallet = await readPayload(Payload, { json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-wallet/v1',
      call: (api) => api.createWallet(wallet),
      look: 'bursar api wallets --all',
      text: walletText,
    },
    context,
  );
}
