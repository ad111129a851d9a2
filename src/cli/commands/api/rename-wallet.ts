import { z } from 'zod';
import type { Context } from '../../context.ts';
import { assumedWalletText } from '../../print/api-wallet-text.ts';
import { text } from './fields.ts';
import { payloadOr, readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type RenameWalletFlags = Readonly<{ addressOrJson?: string; name?: string }>;

const Payload = z.strictObject({ address: text, name: text });

/** `bursar api rename-wallet`: another name for a settlement wallet. */
export async function renameWallet(flags: RenameWalletFlags, context: Context): Promise<number> {
  const { json, it: address } = payloadOr(flags.addressOrJson);
  const typed = { address: ['ADDRESS', address], name: ['--name', flags.name] } as const;
  const rename = await readPayload(Payload, { json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-rename-wallet/v1',
      call: (api) => api.renameWallet(rename),
      lookedFor: `address ${rename.address}`,
      text: assumedWalletText,
    },
    context,
  );
}
