import { describe, expect, it } from '@jest/globals';
import { createChatTarget } from '../../../src/activities/notifications/chat-target.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { notificationOf } from '../../../src/domain/notify/notification.ts';
import { fakeReceiver } from '../support/fake-receiver.ts';

const NOTIFICATION = notificationOf(
  {
    event: 'batch.awaiting_approval',
    batchId: '<!channel>_[x](y)',
    key: '1',
    data: { batchId: '<!channel>_[x](y)', missing: ['2 of finance'] },
  },
  { account: 'a', pageOf: () => 'http://ui', webUrl: 'https://bursar.example' },
  '2026-11-21T09:00:00.000Z',
);

async function sentTo(chat: 'slack' | 'teams'): Promise<unknown> {
  const { url, got } = await fakeReceiver((response) => void response.writeHead(202).end());
  const target = createChatTarget({ name: 'chat', events: [], chat, readAddress: () => url });
  expect(await target.deliver(NOTIFICATION)).toEqual({ kind: 'delivered' });
  expect(got[0]?.headers).not.toHaveProperty('webhook-signature');
  return JSON.parse(got[0]?.body ?? '');
}

const PAGE = 'https://bursar.example/#/batches/%3C!channel%3E_%5Bx%5D(y)';

describe('a message in a channel', () => {
  it('of Slack has blocks, and calls nobody by the name of a batch', async () => {
    const message = await sentTo('slack');
    expect(message).toMatchObject({
      text: 'Batch &lt;!channel&gt;_[x](y) is waiting for approval',
      blocks: [
        { type: 'header', text: { type: 'plain_text' } },
        { type: 'section', text: { type: 'mrkdwn' } },
        {
          type: 'section',
          text: { text: '*Approvers: review the batch, then approve or refuse it.*' },
        },
        { type: 'section', text: { text: `<${PAGE}|Open in Bursar>` } },
        { type: 'section' },
      ],
    });
    expect(JSON.stringify(message)).toContain('*Approvals missing:* 2 of finance');
    expect(JSON.stringify((message as { blocks: unknown[] }).blocks.slice(1))).not.toContain('<!');
  });

  it('of Microsoft Teams is an Adaptive Card, and has no link by the name of a batch', async () => {
    expect(await sentTo('teams')).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { type: 'TextBlock', text: expect.stringContaining('<!channel>\\_\\[x\\](y)') },
              { type: 'TextBlock' },
              {
                type: 'FactSet',
                facts: [{ title: 'Batch' }, { title: 'Approvals missing', value: '2 of finance' }],
              },
              { type: 'TextBlock' },
              { type: 'TextBlock' },
              { type: 'TextBlock' },
              { type: 'TextBlock' },
            ],
            actions: [{ type: 'Action.OpenUrl', url: PAGE }],
          },
        },
      ],
    });
  });

  it('is not sent without an address that can be read', async () => {
    const readAddress = () => {
      throw new BursarError('NOTIFY_ADDRESS_INVALID', { target: 'chat', file: '/s' });
    };
    const target = createChatTarget({ name: 'chat', events: [], chat: 'slack', readAddress });
    expect(await target.deliver(NOTIFICATION)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('holds no https address'),
    });
  });
});
