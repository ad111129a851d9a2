import { fieldOf } from '../../src/expect.ts';
import type { ReceivedWebhook } from '../../src/receiver.ts';
import type { CheckRun } from '../../src/run.ts';
import { IMPATIENCE_MS, rewriting } from './mutants.ts';

export type WebhookMutant = Readonly<{
  words: string;
  only: readonly string[];
  spoil(run: CheckRun): CheckRun;
  broken: readonly string[];
}>;

/** Leaves out every attempt of a webhook after this one. */
const firstAttempts = (webhooks: readonly ReceivedWebhook[], most: number): ReceivedWebhook[] => {
  const counts = new Map<string, number>();
  return webhooks.filter(({ body }) => {
    const count = (counts.get(body) ?? 0) + 1;
    counts.set(body, count);
    return count <= most;
  });
};

const RETRIES = 18;

/** Hides all retries after the eighteenth. */
function withFewRetries(run: CheckRun): CheckRun {
  const { receiver } = run;
  if (receiver === null) return run;
  return {
    ...run,
    receiver: {
      ...receiver,
      expect(answering) {
        const inbox = receiver.expect(answering);
        return { ...inbox, webhooks: () => firstAttempts(inbox.webhooks(), RETRIES + 1) };
      },
    },
  };
}

/** Ends every blocking at the next event. */
function withShortBlocking(run: CheckRun): CheckRun {
  const { person, service } = run;
  if (person === null) return run;
  return {
    ...run,
    person: {
      ...person,
      async announce(type) {
        const { json } = await service.send('WEBHOOK_LIST');
        const channels = fieldOf(json, 'subscriptions') as readonly unknown[];
        for (const channel of channels) {
          const isBlocked = fieldOf(channel, 'blockedByErrorCount') === true;
          if (isBlocked) await person.unblock(String(fieldOf(channel, 'requestId')));
        }
        await person.announce(type);
      },
    },
  };
}

/** Services whose webhooks are wrong. */
export const WEBHOOK_MUTANTS: readonly WebhookMutant[] = [
  {
    words: 'stay blocked',
    only: ['threshold', 'unblock', 'resend'].map((name) => `webhooks.blocking.${name}`),
    spoil: (run) => ({
      ...run,
      patienceMs: IMPATIENCE_MS,
      person: run.person === null ? null : { ...run.person, unblock: () => Promise.resolve() },
    }),
    broken: ['webhooks.blocking.resend', 'webhooks.blocking.unblock'],
  },
  {
    words: 'are sent on while the subscription is blocked',
    only: ['webhooks.blocking.quiet', 'webhooks.blocking.threshold'],
    spoil: withShortBlocking,
    broken: ['webhooks.blocking.quiet'],
  },
];

/** Services that are wrong over the 92 hours of all retries. */
export const SLOW_WEBHOOK_MUTANTS: readonly WebhookMutant[] = [
  {
    words: 'have 18 retries, and block slow failures',
    only: ['webhooks.retries', 'webhooks.blocking.window'],
    spoil: (run) =>
      withFewRetries({
        ...run,
        patienceMs: 12_000,
        service: rewriting(
          /"blockedByErrorCount":false/g,
          '"blockedByErrorCount":true',
          'WEBHOOK_LIST',
        )(run.service),
      }),
    broken: [
      'webhooks.blocking.window',
      'webhooks.retries.count',
      'webhooks.retries.intervals',
      'webhooks.retries.last',
    ],
  },
];
