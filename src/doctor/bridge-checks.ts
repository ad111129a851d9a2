import { counted } from '../domain/text/counted.ts';
import { readBridgeTokens, type Settings } from '../config.ts';
import { EXIT } from '../domain/errors/exit-codes.ts';
import { isDown } from '../domain/webhooks/standing.ts';
import type { ServiceAccess } from '../operations/context.ts';
import { conditionText } from '../operations/webhooks/condition-text.ts';
import { lookAtSubscriptions } from '../operations/webhooks/look.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** How long the bridge may take to answer, in milliseconds: on a busy machine it answers late, and is there. */
const HEALTH_MS_MAX = 15_000;

type Bridge = Settings['bridge'];

/** Whether the bridge works. Without it Bursar polls: slower, and not wrong. */
export async function checkBridge({ listen }: Bridge): Promise<Check> {
  const url = `http://${reachable(listen.host)}:${listen.port}/health`;
  const fix = 'Start it with "npm run bridge" or "bursar up". Without it Bursar polls.';
  let health: { status?: unknown; temporal?: unknown; spoolWaiting?: unknown; refusal?: unknown };
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS_MAX) });
    health = (await answer.json()) as typeof health;
  } catch {
    return warn('bridge', `no server answers at ${url}`, fix);
  }
  const says = `${url}: ${String(health.status)}, waiting webhooks: ${String(health.spoolWaiting)}, Temporal ${String(health.temporal)}`;
  if (health.status === 'ok') return ok('bridge', says);
  if (health.refusal === 'STORE_IS_ANOTHER') {
    const other = 'Start it with the store.url of the workers. It takes no webhooks meanwhile.';
    return fail('bridge', { says: `${says}, ${health.refusal}`, fix: other });
  }
  return health.status === 'failing'
    ? fail('bridge', {
        says,
        fix: 'See its log: webhooks cannot be stored. Is the disk full?',
      })
    : warn('bridge', says, 'See its log: too many webhooks wait. Does Temporal answer?');
}

/** An address to listen on that stands for all of them is tried on this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Whether the service has the address of the bridge. `isSubscribed`: the sandbox on this machine has it. */
export function checkPublicUrl({ publicUrl }: Bridge, isSubscribed: boolean): Check {
  const name = 'address of the bridge';
  if (publicUrl === undefined && isSubscribed) {
    return ok(name, 'bridge.public_url is not set (not needed with the local sandbox)');
  }
  if (publicUrl === undefined) {
    const fix = 'Set bridge.public_url to its address from outside, then: bursar webhooks ensure';
    return warn(name, 'bridge.public_url is not set: no subscription can use it', fix);
  }
  const { protocol } = new URL(publicUrl);
  return protocol === 'https:'
    ? ok(name, publicUrl)
    : warn(
        name,
        `${publicUrl} is not https`,
        'Put it behind a proxy with TLS: its path is a secret.',
      );
}

/** Whether the service notifies the bridge. `isSubscribed`: the sandbox on this machine does, by its own settings. */
export async function checkSubscription(
  service: ServiceAccess,
  bridge: Bridge,
  isSubscribed: boolean,
): Promise<Check> {
  const name = 'webhook subscription';
  if (isSubscribed && bridge.publicUrl === undefined)
    return ok(name, 'subscription not used (local sandbox)');
  if (!service.api.hasOperation('WEBHOOK_LIST')) return ok(name, conditionText('UNLISTED'));
  const hooks = { publicUrl: bridge.publicUrl ?? null, tokens: readBridgeTokens(bridge.tokenFile) };
  const { condition, duplicates } = await lookAtSubscriptions(service, hooks);
  const says = conditionText(condition);
  if (condition === 'BLOCKED') {
    const fix = "Correct what failed, then unblock it in the service's own interface.";
    return fail(name, { says, fix, exitCode: EXIT.needsOperator });
  }
  if (condition === 'NEAR_BLOCK')
    return warn(name, says, 'See why deliveries fail: bursar webhooks status');
  if (isDown(condition)) return fail(name, { says, fix: 'bursar webhooks ensure' });
  if (duplicates.length === 0) return ok(name, says);
  return warn(
    name,
    `the bridge has ${counted(duplicates.length, 'subscription')} too many`,
    'bursar webhooks ensure shows them',
  );
}
