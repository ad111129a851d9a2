import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { good } from '../support/admin.ts';
import { balance } from '../support/payouts.ts';
import { startSandbox } from '../support/start.ts';
import { announcement, rowOf, shown, useConsole } from './support/console.ts';

describeInBrowser('the accounts', () => {
  const { open, tolerate } = useConsole();

  it('are topped up, exactly', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/accounts' });
    const form = page.getByRole('form', { name: 'Top up' });
    await form.getByRole('combobox', { name: 'Currency' }).fill('BTC');
    await form.getByRole('textbox', { name: 'Amount' }).fill('0.00000000000000000123456789');
    await form.getByRole('button', { name: 'Top up' }).click();
    const sum = '1000000.00000000000000000123456789';
    await shown(announcement(page, `The balance is ${sum} BTC.`));
    await shown(page.getByRole('table', { name: /^Balances/ }).getByText(sum));
    await shown(rowOf(page, 'SETTLEMENT_TOP_UP'));
    expect(await balance(client, 'BTC')).toBe(sum);
  });

  it('are not topped up by text that is no amount, and show an error', async () => {
    tolerate(/status of 400/);
    const { url } = await startSandbox();
    const page = await open(url, { place: '/accounts' });
    const form = page.getByRole('form', { name: 'Top up' });
    await form.getByRole('combobox', { name: 'Currency' }).fill('BTC');
    await form.getByRole('textbox', { name: 'Amount' }).fill('1,5');
    await form.getByRole('button', { name: 'Top up' }).click();
    await shown(form.getByRole('alert').getByText(/amount: /));
  });

  it('can set how many people must confirm', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/accounts' });
    await page.getByRole('button', { name: /^Change confirmations/ }).click();
    await page.getByRole('spinbutton', { name: 'People who must confirm' }).fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await shown(page.getByText('2 people must confirm', { exact: true }));
    const { accounts } = good<{ accounts: object[] }>(await client.get('/sandbox/accounts'));
    expect(accounts).toMatchObject([{ confirmations: 2 }]);
  });

  it('have tariffs that are set and given back', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/accounts' });
    await page.getByRole('button', { name: 'Set a tariff' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a tariff' });
    await dialog.getByRole('combobox', { name: 'Currency' }).fill('BTC');
    await dialog.getByRole('textbox', { name: 'Percent' }).fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(page.getByRole('button', { name: 'Reset the tariff of BTC' }));
    expect(good(await client.get('/sandbox/tariffs'))).toEqual({
      tariffs: [{ currency: 'BTC', percent: '0.5', fix: '0', min: '0' }],
    });
    await page.getByRole('button', { name: 'Reset the tariff of BTC' }).click();
    await shown(page.getByText('Every currency follows the settings.'));
  });

  it('tie out', async () => {
    const { url } = await startSandbox();
    const page = await open(url, { place: '/accounts' });
    await page.getByRole('button', { name: 'Check the ledger' }).click();
    await shown(announcement(page, 'All 7 balances tie out'));
  });
});
