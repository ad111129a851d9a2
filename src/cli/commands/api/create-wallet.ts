import { ask } from '../../../operations/service/ask.ts';
import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { loadSettings, withStoreIfAny } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { walletText } from '../../print/api-wallet-text.ts';
import { printResult } from '../../print/output.ts';
import { withService } from '../../../operations/service/preflight.ts';
import { text } from './fields.ts';
import { readPayload } from './payload.ts';

export type CreateWalletFlags = Readonly<{ json?: string; name?: string; blockchain?: string }>;

const Payload = z.strictObject({ name: text, blockchain: text });

/** `bursar api create-wallet`: a new settlement wallet. A store learns at once that its address is the account's own. */
export async function createWallet(flags: CreateWalletFlags, context: Context): Promise<number> {
  const { json, name, blockchain } = flags;
  const typed = { name: ['--name', name], blockchain: ['--blockchain', blockchain] } as const;
  const wallet = await readPayload(Payload, { json, typed }, context);
  const settings = await loadSettings(context);
  return withStoreIfAny(settings, context, (store) =>
    withService(settings, context, async (service) => {
      const made = await ask(service, {
        call: (api) => api.createWallet(wallet),
        look: 'bursar api wallets --all',
      });
      const document = { schema: 'bursar.api-wallet/v1', ...made };
      printResult(context, { json: document, text: walletText(made) });
      await store?.ownWallets.add(service.account, made.address, context.clock.nowMs());
      return EXIT.done;
    }),
  );
}
