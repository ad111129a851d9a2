import type { ShownSubscription, WebhookStatus } from '../../operations/webhooks/types.ts';
import type { Context } from '../context.ts';
import { instantText } from '../../operations/text/instants.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { conditionText } from '../../operations/webhooks/condition-text.ts';

const TOLD = 'healthy; subscription not used (local sandbox)';

/** How webhooks arrive, for people. `isTold`: the sandbox on this machine notifies the bridge, by its own settings. */
export function statusText(status: WebhookStatus, isTold: boolean, style: Context): string {
  const { condition, ours, duplicates, strays, lastWebhookAt, watch } = status;
  return [
    style.colours.bold(`Webhooks: ${isTold ? TOLD : conditionText(condition)}`),
    ...factLines([
      ...(ours === null ? [] : subscriptionFacts('subscription', ours, style)),
      ...duplicates.flatMap((one) => subscriptionFacts('second one', one, style)),
      ...strays.flatMap((one) => subscriptionFacts('earlier one', one, style)),
      ['last webhook', lastWebhookAt === null ? 'none' : instantText(lastWebhookAt, style.clock)],
      ['last check', watch === null ? 'not yet' : watchText(watch, style)],
    ]),
    ...nextStep(condition),
  ].join('\n');
}

function subscriptionFacts(
  name: string,
  one: ShownSubscription,
  { clock }: Context,
): (readonly [string, string])[] {
  const state = one.blocked ? 'blocked' : one.enabled ? 'enabled' : 'disabled';
  const failing =
    one.failingSince === null
      ? []
      : [
          [
            'failures',
            `${one.errorCount} in a row since ${instantText(one.failingSince, clock)}; blocked after ${one.failuresUntilBlocked} more`,
          ] as const,
        ];
  return [[name, printable(`${one.requestId} to ${one.url}, ${state}`)], ...failing];
}

const watchText = (
  { condition, since, seenAt }: NonNullable<WebhookStatus['watch']>,
  { clock }: Context,
): string =>
  `${instantText(seenAt, clock)}: ${conditionText(condition)}, since ${instantText(since, clock)}`;

function nextStep(condition: WebhookStatus['condition']): string[] {
  switch (condition) {
    case 'MISSING':
    case 'DISABLED':
    case 'INCOMPLETE':
      return ['Next: bursar webhooks ensure'];
    case 'BLOCKED':
      return ["Next: correct what failed, then unblock it in the service's own interface."];
    case 'NEAR_BLOCK':
    case 'SILENT':
      return ['Next: check whether the bridge can be reached from outside: bursar doctor'];
    case 'OK':
    case 'UNUSED':
    case 'UNLISTED':
      return [];
  }
}
