import { readBridgeTokens, type Settings } from '../config.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { BridgeTemporalClient } from './temporal-client.ts';

export type BridgeCheckDeps = Readonly<{
  settings: Settings;
  temporal: Readonly<{ ping: BridgeTemporalClient['ping'] }>;
  refusal(): ErrorNote | null;
  /** Writes to the spool, and leaves nothing there. */
  probeWrite(): Promise<void>;
}>;

/**
 * The needs of the bridge: to take webhooks, and to pass them on. Without Temporal webhooks wait in the spool, so that
 * the bridge stays ready: where it is taken out of service, the webhooks are lost to it.
 */
export const bridgeChecks =
  ({ settings, temporal, refusal, probeWrite }: BridgeCheckDeps) =>
  () => [
    {
      name: 'store',
      fix: 'See to the file of the spool beside store.url: its disk, its rights, and locks on it.',
      async run(): Promise<void> {
        const note = refusal();
        if (note !== null) throw new Error(`${note.code}: ${note.what}`);
        await probeWrite();
      },
    },
    {
      name: 'temporal',
      fix: 'See to Temporal, its address in TEMPORAL_ADDRESS, and the network between.',
      isOptional: true,
      run: (): Promise<void> => temporal.ping(),
    },
    {
      name: 'secret',
      fix: 'See to the file of bridge.token_file.',
      async run(): Promise<void> {
        readBridgeTokens(settings.bridge.tokenFile);
      },
    },
  ];
