import { z } from 'zod';
import type { Context } from '../../context.ts';
import { assumedWalletText } from '../../print/api-wallet-text.ts';
import { text } from './fields.ts';
import { payloadOr, readPayload } from './payload.ts';
import { runApi } from './run.ts';

export type AddressFlags = Readonly<{ addressOrJson?: string }>;

const Payload = z.strictObject({ address: text });

/** `bursar api address`: what belongs to an address. */
export async function address(flags: AddressFlags, context: Context): Promise<number> {
  const { json, it } = payloadOr(flags.addressOrJson);
  const typed = { address: ['ADDRESS', it] } as const;
  const payload = await readPayload(Payload, { json, typed }, context);
  return runApi(
    {
      schema: 'bursar.api-address/v1',
      call: (api) => api.lookupAddress(payload),
      lookedFor: `address ${payload.address}`,
      text: assumedWalletText,
    },
    context,
  );
}
