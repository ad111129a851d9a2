import { expect, it } from '@jest/globals';
import { testAddress } from '../../src/test-addresses.ts';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { massPayoutLines, needConfirmations } from '../support/admin.ts';
import { ACCOUNT, type Client } from '../support/client.ts';
import { balance, create, createPayload, row } from '../support/payouts.ts';
import { startSandbox, steps } from '../support/start.ts';
import { announcement, rowOf, shown, useConsole } from './support/console.ts';

const OTHER = '0x00000000000000000000000000000000000000ff';

const stateOf = async (client: Client): Promise<string | undefined> =>
  (await massPayoutLines(client))[0]?.state;

describeInBrowser('the payouts', () => {
  const { open, tolerate } = useConsole();

  it('are confirmed by as many people as must', async () => {
    const { url, client, clock } = await startSandbox();
    await needConfirmations(client, 2);
    await create(client, [row('10')], { name: '"May"' });
    steps(clock, 1);
    const page = await open(url);
    await shown(page.getByRole('link', { name: 'Payouts 1 to confirm' }));
    await page.getByRole('link', { name: /^May/ }).click();
    await shown(page.getByText('0 of 2 needed'));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await shown(page.getByText('1 of 2 needed'));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await shown(announcement(page, 'It is CONFIRMED now.'));
    expect(await stateOf(client)).toBe('CONFIRMED');
    // The announcement comes before the remaining actions.
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor({ state: 'detached' });
  });

  it('are declined after a question, and the money comes back', async () => {
    const { url, client, clock } = await startSandbox();
    await needConfirmations(client, 1);
    const { id } = await create(client, [row('10')]);
    steps(clock, 1);
    const page = await open(url, { place: `/payouts/${id}` });
    await page.getByRole('button', { name: 'Decline' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decline?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stateOf(client)).toBe('PENDING_CONFIRMATION');
    await page.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await shown(announcement(page, 'It is CANCELED now.'));
    expect(await balance(client)).toBe('1000000');
  });

  it('show the failed rows, and resend all or some of them', async () => {
    const { url, client, clock } = await startSandbox();
    const failing = [1, 2, 3].map((n) => row(String(n), testAddress('0001', n)));
    const { id } = await create(client, [row('10'), ...failing]);
    steps(clock, 3);
    const page = await open(url, { place: `/payouts/${id}` });
    await shown(rowOf(page, 'Destination rejected by compliance').first());
    await page.getByRole('link', { name: 'Show the 3 failed' }).click();
    await page.getByRole('checkbox', { name: 'Send again row 3' }).check();
    await page.getByRole('button', { name: 'Resend 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend 1 row' }).click();
    await shown(announcement(page, 'Sent 1 row again.'));
    steps(clock, 1);
    await page.getByRole('button', { name: 'Resend all failed' }).click();
    await shown(page.getByText('2 rows are debited'));
    await page.getByRole('dialog').getByRole('button', { name: 'Resend all failed' }).click();
    await shown(announcement(page, 'Sent 2 failed rows again.'));
    steps(clock, 1);
    await shown(page.getByRole('heading', { level: 1, name: 'COMPLETED' }));
    expect(await stateOf(client)).toBe('COMPLETED');
  });

  it('that wait are ended', async () => {
    const { url, client, clock } = await startSandbox();
    const { id } = await create(client, [row('10', testAddress('0007', 1))]);
    steps(clock, 3);
    const page = await open(url, { place: `/payouts/${id}` });
    await page.getByRole('button', { name: 'End waiting' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End waiting' }).click();
    await shown(announcement(page, 'It is COMPLETED now.'));
    expect(await stateOf(client)).toBe('COMPLETED');
  });

  it('show the reason why the sandbox refused an action', async () => {
    tolerate(/status of 400/);
    const { url, client, clock } = await startSandbox({ settings: { BALANCES: '{"BTC":"11"}' } });
    const { id } = await create(client, [row('10', testAddress('0001', 1))], { currency: '"BTC"' });
    steps(clock, 3);
    await create(client, [row('5')], { currency: '"BTC"' });
    const page = await open(url, { place: `/payouts/${id}` });
    await page.getByRole('button', { name: 'Resend all failed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend all failed' }).click();
    const alert = page.getByRole('alert');
    await shown(alert.getByText('The balance does not cover the amounts and the fees.'));
    await shown(alert.getByText('Top up the account, then try again.'));
    await shown(alert.getByText('INSUFFICIENT_FUNDS'));
  });

  it('are found by a part of their id, key or name, and by state', async () => {
    const { url, client, clock } = await startSandbox();
    const { idempotencyKey } = await create(client, [row('1')], { name: '"May"' });
    steps(clock, 3);
    await create(client, [row('2')], { name: '"June"' });
    const page = await open(url);
    await shown(page.getByRole('link', { name: /^June/ }));
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([
      expect.stringContaining('June'),
      expect.stringContaining('May'),
    ]);
    await page.getByRole('searchbox', { name: 'Search' }).fill(idempotencyKey.slice(3, 20));
    await page.getByRole('link', { name: /^June/ }).waitFor({ state: 'detached' });
    await shown(page.getByRole('link', { name: /^May/ }));
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('combobox', { name: 'State' }).selectOption('CREATION_IN_PROGRESS');
    await page.getByRole('link', { name: /^May/ }).waitFor({ state: 'detached' });
    await shown(page.getByRole('link', { name: /^June/ }));
    expect(page.url()).toContain('#/payouts?state=CREATION_IN_PROGRESS');
  });

  it('with many rows are read page by page', async () => {
    const { url, client } = await startSandbox();
    const rows = Array.from({ length: 250 }, (_, at) => row(String(at + 1)));
    const { id } = await create(client, rows);
    const page = await open(url, { place: `/payouts/${id}` });
    await shown(page.getByText('Rows 1 to 100 of 250'));
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'Next page' }).click();
    await shown(page.getByText('Rows 201 to 250 of 250'));
    await page.getByRole('link', { name: 'Previous page' }).click();
    await shown(page.getByText('Rows 101 to 200 of 250'));
  });

  it('of one account alone are shown by a link to them', async () => {
    const accounts = [ACCOUNT, OTHER];
    const keys = accounts.map((account) => `sandbox-key:sandbox-secret:${account}`).join(',');
    const { url, client } = await startSandbox({ settings: { KEYS: keys } });
    for (const account of accounts) {
      const payload = createPayload([row('1')], { name: JSON.stringify(`of ${account}`) });
      await client.call('MASS_CREATE', { account: JSON.stringify(account), payload });
    }
    const page = await open(url, { place: `/payouts?account=${OTHER}` });
    await shown(page.getByRole('link', { name: `of ${OTHER}` }));
    expect(await page.getByRole('link', { name: `of ${ACCOUNT}` }).count()).toBe(0);
    const choice = page.getByRole('combobox', { name: 'Account' });
    await shown(choice);
    expect(await choice.inputValue()).toBe(OTHER);
    await choice.selectOption('Every account');
    await shown(page.getByRole('link', { name: `of ${ACCOUNT}` }));
  });

  it('change while the page is open', async () => {
    const { url, client, clock } = await startSandbox();
    const page = await open(url);
    await shown(page.getByText('No mass payouts yet.'));
    await create(client, [row('10')], { name: '"May"' });
    await shown(rowOf(page, 'CREATION_IN_PROGRESS'));
    steps(clock, 3);
    await shown(rowOf(page, 'COMPLETED'));
  });
});
