import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { deliveries, trigger } from '../support/deliveries.ts';
import { answerStatus, startReceiver } from '../support/receiver.ts';
import { startSandbox } from '../support/start.ts';
import { subscription, subscriptions } from '../support/subscriptions.ts';
import { until } from '../support/until.ts';
import { announcement, shown, useConsole } from './support/console.ts';

/** More than as many failures block a subscription. */
const FAILURES_MAX = 100;

async function startWithReceiver() {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ settings: { WEBHOOK_URL: receiver.url } });
  return { receiver, sandbox };
}

describeInBrowser('the webhooks', () => {
  const { open } = useConsole();

  it('that errors blocked are unblocked, and sent again', async () => {
    const { receiver, sandbox } = await startWithReceiver();
    receiver.answer(answerStatus(500));
    await trigger(sandbox.client, 'PAYOUT_CONFIRMED', FAILURES_MAX + 1);
    const isBlocked = async () => (await subscription(sandbox.client)).blockedByErrorCount;
    await until(sandbox, isBlocked);
    const page = await open(sandbox.url, { place: '/webhooks' });
    await shown(page.getByText('Blocked by errors'));
    await shown(page.getByRole('link', { name: 'Webhooks 1 blocked' }));
    await shown(page.getByRole('link', { name: '101 HELD' }));
    receiver.answer(answerStatus(200));
    await page.getByRole('button', { name: /^Unblock/ }).click();
    await shown(announcement(page, 'Unblocked.'));
    const isEmpty = async () => (await subscription(sandbox.client)).deliveries.DELIVERED === 101;
    await until(sandbox, isEmpty);
    await shown(page.getByText('Active'));
    await shown(page.getByRole('link', { name: '101 DELIVERED' }));
  });

  it('are added, show their secret once, are disabled, enabled and deleted', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/webhooks' });
    await page.getByRole('button', { name: 'Add a subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a subscription' });
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:19999/hooks');
    await dialog.getByText('PAYOUT', { exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'PAYOUT_CONFIRMED', exact: true }).check();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const added = page.getByRole('dialog', { name: 'Added' });
    await shown(added.getByRole('button', { name: 'Copy secret key' }));
    await added.getByRole('button', { name: 'Close' }).click();
    await shown(page.getByText('types PAYOUT_CONFIRMED'));
    await page.getByRole('button', { name: /^Disable/ }).click();
    await shown(page.getByText('Disabled', { exact: true }));
    await page.getByRole('button', { name: /^Enable/ }).click();
    await shown(page.getByText('Active', { exact: true }));
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await shown(page.getByText('No subscriptions yet.'));
    expect(await subscriptions(client)).toEqual([]);
  });

  it('are listed with body and attempts, and sent again', async () => {
    const { receiver, sandbox } = await startWithReceiver();
    receiver.answer(answerStatus(503));
    await trigger(sandbox.client, 'PAYOUT_CONFIRMED');
    await until(sandbox, async () => (await subscription(sandbox.client)).errorCount === 1);
    const page = await open(sandbox.url, { place: '/deliveries?status=WAITING' });
    await page.getByText('PAYOUT_CONFIRMED', { exact: true }).click();
    const body = page.getByRole('region', { name: 'Body of webhook 1' });
    expect(await body.innerText()).toContain('\n  "type": "PAYOUT_CONFIRMED",\n');
    const sent = (await body.innerText()).replaceAll(/\n\s*|(?<=:) /g, '');
    expect(sent).toBe((await deliveries(sandbox.client)).deliveries[0]?.body);
    await shown(page.getByRole('table', { name: /^Attempts/ }).getByText('503'));
    receiver.answer(answerStatus(200));
    await page.getByRole('button', { name: 'Send again webhook 1' }).click();
    await shown(announcement(page, 'Webhook 1 is sent again.'));
    const isDelivered = async () => (await subscription(sandbox.client)).deliveries.DELIVERED === 1;
    await until(sandbox, isDelivered);
    await shown(page.getByText('No webhook matches.'));
  });
});
