import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { good } from '../support/admin.ts';
import { startSandbox } from '../support/start.ts';
import { announcement, rowOf, shown, useConsole } from './support/console.ts';

describeInBrowser('the play panel of the console', () => {
  const { open, tolerate } = useConsole();

  it('sends events of any type, with overrides', async () => {
    const { url } = await startSandbox();
    const page = await open(url, { place: '/events' });
    const form = page.getByRole('form', { name: 'Trigger' });
    await form.getByRole('combobox', { name: 'Event' }).selectOption('SYSTEM_SERVICE_WORK');
    await form.getByRole('combobox', { name: 'Event' }).selectOption('PAYOUT_CONFIRMED');
    await form.getByRole('textbox', { name: 'Overrides' }).fill('{"state": "ODD", "amount": 0.10}');
    await form.getByRole('button', { name: 'Trigger' }).click();
    await shown(announcement(page, 'Announced PAYOUT_CONFIRMED, to 0 subscriptions.'));
    await page.getByRole('group').filter({ hasText: 'ODD' }).getByText('PAYOUT_CONFIRMED').click();
    await shown(page.getByRole('region', { name: 'Data of PAYOUT_CONFIRMED' }).getByText('"ODD"'));
  });

  it.each([['{'], ['[1]'], ['"text"']])('refuses events with the overrides %s', async (text) => {
    tolerate(/status of 400/);
    const { url } = await startSandbox();
    const page = await open(url, { place: '/events' });
    await page.getByRole('textbox', { name: 'Overrides' }).fill(text);
    await page.getByRole('button', { name: 'Trigger' }).click();
    await shown(page.getByRole('alert'));
    await shown(page.getByText('No events yet.'));
  });

  it('pauses and resumes the feed', async () => {
    const { url, client } = await startSandbox();
    const announce = (type: string) => client.admin('POST', '/sandbox/events', { type });
    const page = await open(url, { place: '/events' });
    const feed = page.getByRole('region', { name: 'Feed' });
    await announce('INVOICE_PAID');
    await shown(feed.getByText('INVOICE_PAID'));
    await feed.getByRole('button', { name: 'Pause' }).click();
    await announce('SYSTEM_SERVICE_WORK');
    await feed.getByRole('button', { name: 'Go on' }).click();
    await shown(feed.getByText('SYSTEM_SERVICE_WORK'));
  });

  it('sets, counts and removes faults, with the fields of their kind', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/faults' });
    const form = page.getByRole('form', { name: 'Add a fault' });
    await form.getByRole('combobox', { name: 'Target' }).selectOption('ACCOUNT');
    await form.getByRole('combobox', { name: 'Kind' }).selectOption('status');
    await form.getByRole('spinbutton', { name: 'HTTP status' }).fill('502');
    await form.getByText('Frequency, account and key').click();
    await form.getByRole('combobox', { name: 'Body' }).selectOption('html');
    await form.getByRole('spinbutton', { name: 'Times' }).fill('2');
    await form.getByRole('button', { name: 'Add fault' }).click();
    const line = rowOf(page, 'httpStatus 502');
    await shown(line);
    expect((await client.call('ACCOUNT')).status).toBe(502);
    await shown(page.getByRole('link', { name: 'Faults 1 on' }));
    await shown(rowOf(page, 'httpStatus 502').filter({ hasText: /1.*1/ }));
    await line.getByRole('button', { name: /^Remove/ }).click();
    await shown(page.getByText('No faults are set.'));
    expect((await client.call('ACCOUNT')).status).toBe(200);
  });

  it('sets modes, which differ from the settings until they are reset', async () => {
    const { url, client } = await startSandbox({ settings: { NUMBERS: 'exponent' } });
    const page = await open(url, { place: '/modes' });
    const modes = async () => good<{ overrides: object }>(await client.get('/sandbox/modes'));
    await page.getByRole('combobox', { name: 'numbers' }).selectOption('plain');
    await shown(page.getByText('The setting is exponent.'));
    await page.getByRole('spinbutton', { name: 'withdrawalsMax' }).fill('10');
    await page.keyboard.press('Tab');
    await shown(announcement(page, 'withdrawalsMax is 10 now.'));
    expect((await modes()).overrides).toEqual({ numbers: 'plain', withdrawalsMax: 10 });
    await page.getByRole('button', { name: 'Reset numbers' }).click();
    await shown(announcement(page, 'numbers is exponent again.'));
    expect((await modes()).overrides).toEqual({ withdrawalsMax: 10 });
    await page.getByRole('button', { name: 'Reset all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset all' }).click();
    await shown(announcement(page, 'Every mode follows the settings.'));
    expect((await modes()).overrides).toEqual({});
  });

  it('sets the clock off', async () => {
    const { url, client } = await startSandbox();
    const page = await open(url, { place: '/modes' });
    await page.getByRole('button', { name: '5 minutes slow' }).click();
    await shown(announcement(page, 'The clock is off by -300000 ms.'));
    expect(good(await client.get('/sandbox/clock'))).toMatchObject({ offsetMs: -300_000 });
    await page.getByRole('button', { name: 'Reset the clock' }).click();
    await shown(announcement(page, 'The clock is off by 0 ms.'));
  });

  it('shows the log of requests, by operation and by status', async () => {
    const { url, client } = await startSandbox();
    await client.call('ACCOUNT');
    await client.call('MASS_CREATE', { payload: '{}' });
    const page = await open(url, { place: '/requests' });
    await shown(rowOf(page, 'FIELD_INVALID'));
    expect(await page.getByRole('row').count()).toBe(3);
    await page.getByRole('spinbutton', { name: 'Status' }).fill('200');
    await page.keyboard.press('Tab');
    await rowOf(page, 'FIELD_INVALID').waitFor({ state: 'detached' });
    await page.getByRole('spinbutton', { name: 'Status' }).fill('');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('MASS_CREATE');
    await rowOf(page, 'ACCOUNT').waitFor({ state: 'detached' });
    await shown(rowOf(page, 'FIELD_INVALID'));
  });
});
