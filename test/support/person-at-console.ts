import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openConsole } from './browser.ts';
import type { Person } from './person.ts';

/** A person with a browser at the sandbox's page. Each act is done on a page of its own, until the page says that it is done. */
export function personAtConsole(browser: Browser, sandboxUrl: string): Person {
  const act = async (place: string, done: RegExp, work: (page: Page) => Promise<void>) => {
    const { page, complaints } = await openConsole(browser, sandboxUrl, { place });
    await work(page);
    await page.getByRole('status').getByText(done).waitFor();
    await page.context().close();
    expect(complaints).toEqual([]);
  };
  const press = (name: string | RegExp) => async (page: Page) =>
    page.getByRole('button', { name, exact: true }).click();
  const pressTwice = (name: string) => async (page: Page) => {
    await press(name)(page);
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  };
  return {
    confirm: (id) => act(`/payouts/${id}`, /^Confirmed\./, press('Confirm')),
    decline: (id) => act(`/payouts/${id}`, /^Declined\./, pressTwice('Decline')),
    resend: (id) => act(`/payouts/${id}`, /^Sent .* again\./, pressTwice('Resend all failed')),
    endWaiting: (id) => act(`/payouts/${id}`, /^Ended\./, pressTwice('End waiting')),
    unblock: () => act('/webhooks', /^Unblocked\./, press(/^Unblock /)),
    topUp: (currency, amount) =>
      act('/accounts', /^Topped up by /, async (page) => {
        const form = page.getByRole('form', { name: 'Top up' });
        await form.getByLabel('Currency').fill(currency);
        await form.getByLabel('Amount').fill(amount);
        await form.getByRole('button', { name: 'Top up' }).click();
      }),
  };
}
