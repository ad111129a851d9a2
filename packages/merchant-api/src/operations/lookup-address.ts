import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import { type AssumedWallet, readAssumedWallet } from '../records/wallet.ts';
import { checkInput, requiredText } from '../request/check-input.ts';
import type { Answer } from '../response/conclude.ts';

const AddressSchema = z.strictObject({ address: requiredText });

/**
 * Finds what belongs to an address. Spec: "Settlement wallets"; its path and its answer are
 * ASSUMED.
 */
export const lookupAddress =
  (send: Send) =>
  async (
    input: Readonly<{ address: string }>,
    call: AccountCallOptions = {},
  ): Promise<Answer<AssumedWallet>> =>
    send(
      {
        operation: 'LOOKUP_ADDRESS',
        payloadText: writeJson(checkInput('LOOKUP_ADDRESS', AddressSchema, input)),
        anyShape: true,
        read: readAssumedWallet,
      },
      call,
    );
