import { readBridgeTokens, type Settings } from '../../config.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { isOurs } from '../../domain/webhooks/hook-address.ts';
import type { Context } from '../context.ts';
import { createSandboxClient } from './client.ts';
import { localUrl } from '../../local-stack/stack-ports.ts';

/**
 * Whether the service is the sandbox of these settings, and notifies the bridge by a subscription of its own. The sandbox has
 * that subscription from the start, for all accounts, so the API lists it for no account.
 */
export async function isSubscribedBySandbox(
  { api, sandbox, bridge }: Settings,
  { interrupted }: Context,
): Promise<boolean> {
  const url = localUrl(sandbox.listen);
  if (api.baseUrl !== url) return false;
  const tokens = readBridgeTokens(bridge.tokenFile);
  try {
    const client = createSandboxClient({ url, interrupted });
    const { subscriptions } = await client.call('GET /webhooks');
    return subscriptions.some(
      ({ url: hook, enabled, blockedByErrorCount }) =>
        enabled && !blockedByErrorCount && isOurs(hook, { publicUrl: null, tokens }),
    );
  } catch (error) {
    // The server there may be no sandbox; the checks of the service report that.
    if (isBursarError(error)) return false;
    throw error;
  }
}
