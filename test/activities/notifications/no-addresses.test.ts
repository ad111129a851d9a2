import { expect, it } from '@jest/globals';
import { htmlOf } from '../../../src/activities/notifications/email-target.ts';
import { slackMessage } from '../../../src/activities/notifications/slack-message.ts';
import { teamsMessage } from '../../../src/activities/notifications/teams-message.ts';
import { NOTIFY_EVENTS, type NotifyEvent } from '../../../src/domain/notify/events.ts';
import { notificationOf } from '../../../src/domain/notify/notification.ts';
import { notificationText, plainLines } from '../../../src/domain/notify/notification-text.ts';

const EVENTS = Object.keys(NOTIFY_EVENTS) as NotifyEvent[];

/** Everything that could be told of a person, a wallet or a key. */
const CANARIES = [
  'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK',
  '0xdEADbeEF00000000000000000000000000000001',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'ann.lee@payee.example',
  'whsec_bWFkZSBieSBhIHRlc3QsIGFuZCBieSBubyBvdGhlcg9Z',
  'bursar_Zm9yIGEgdGVzdCBhbG9uZSwgYW5kIG5vIG90aGVyMQ3x',
];

/** The names of all data that a text for people shows, and of sentences that people type. */
const NAMES = [
  ...['missing', 'why', 'kind', 'amounts', 'version', 'state', 'of', 'target'],
  ...['reason', 'by', 'what', 'fix', 'comment', 'detail'],
];

it.each(EVENTS)('no form of %s has an address or a secret that stands in its data', (event) => {
  const said = `see ${CANARIES.join(' and ')}.`;
  const data = Object.fromEntries(NAMES.map((name) => [name, said]));
  const batchId = event.startsWith('batch.') ? 'payroll' : null;
  const sender = { account: 'a', pageOf: () => 'http://ui', webUrl: 'https://bursar.example' };
  const news = { event, batchId, key: '1', data: { ...data, scheduleId: 'rent', list: [said] } };
  const { body } = notificationOf(news, sender, '2026-11-28T09:00:00.000Z');
  const text = notificationText(body);
  const forms = [
    body,
    plainLines(text).join(' '),
    htmlOf(text),
    slackMessage(text),
    teamsMessage(text),
  ];
  for (const canary of CANARIES) {
    for (const form of forms) expect(form).not.toContain(canary.split('@')[0]);
  }
});
