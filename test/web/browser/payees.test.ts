import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { HOSTILE } from '../support/played-answers.mjs';
import { troublesOf, useWeb } from './support/web.ts';

const ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

describeInBrowser('the page of payees', () => {
  const { play, open } = useWeb();

  it('finds a payee by a text, and the address of the page has it', async () => {
    const page = await open((await play()).url, '/payees');
    await page.getByText('Zoë Fox').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(3);
    await page.getByLabel('Find a payee by name, address or label').fill('berlin');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').allTextContents()).toEqual([
      expect.stringContaining('Zoë Fox'),
    ]);
    expect(page.url()).toContain('#/payees?search=berlin');
  });

  it('pages through all payees, and names the first and the last payment of each', async () => {
    const page = await open((await play()).url, '/payees?search=staff');
    await page.getByRole('link', { name: /^Member 100/ }).waitFor();
    const year = new Date(Date.now() - 9_000 * 3_600_000).getFullYear();
    await page.getByRole('row', { name: new RegExp(`Member 1 .* ${year} `) }).waitFor();
    expect(await troublesOf(page)).toEqual([]);
    for (const [first, last] of [
      [101, 200],
      [201, 230],
    ]) {
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('link', { name: new RegExp(`^Member ${first} ?0x`) }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe((last ?? 0) - (first ?? 0) + 1);
    }
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('link', { name: /^Member 150/ }).waitFor();
    await page.getByRole('link', { name: 'First page' }).click();
    await page.getByRole('link', { name: /^Member 1 ?0x/ }).waitFor();
  });

  it('shows when a payee was paid first, and denies it for a reason', async () => {
    const played = await play();
    const page = await open(played.url, '/payees');
    await page.getByRole('link', { name: 'Zoë Fox' }).click();
    await page.getByRole('link', { name: 'payroll-2025-11, row 31' }).waitFor();
    await page.getByRole('button', { name: 'Deny Zoë Fox' }).click();
    await page.getByLabel('Reason').fill('the address was stolen');
    expect(await troublesOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await page.getByText('the address was stolen').waitFor();
    expect(played.requests.at(-1)).toMatchObject({
      url: `/v1/payees/${ADDRESS}/decision`,
      body: { currency: 'tron', decision: 'DENIED', reason: 'the address was stolen' },
    });
  });

  it('sends a name or labels only where they were changed', async () => {
    const played = await play();
    const page = await open(played.url, `/payees/${ADDRESS}?network=tron`);
    await page.getByRole('textbox', { name: 'Labels' }).fill('staff, paris');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor({ state: 'attached' });
    const changes = played.requests.filter(({ url }) => url.includes('/payees/'));
    expect(changes).toMatchObject([
      {
        url: `/v1/payees/${ADDRESS}/labels`,
        body: { currency: 'tron', labels: ['staff', 'paris'] },
      },
    ]);
  });

  it('imports a file, and says what it did', async () => {
    const played = await play();
    const page = await open(played.url, '/payees');
    const file = { name: 'payees.csv', mimeType: 'text/csv', buffer: Buffer.from('address\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page
      .getByText('1,240 payees read, 12 added or changed. 1 stay denied. Allow them one by one.')
      .first()
      .waitFor();
    expect(played.requests.at(-1)).toMatchObject({ url: '/v1/payee-imports' });
    expect(await troublesOf(page)).toEqual([]);
  });

  it('downloads all payees as a file without a formula', async () => {
    const page = await open((await play()).url, '/payees');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all as CSV' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain(
      '\uFEFFaddress,network,name,labels,status,reason,decided_by,decided_at,email\n',
    );
    expect(text).toContain(`${ADDRESS},tron,Zoë Fox,berlin staff,ALLOWED,`);
    expect(text).toContain(HOSTILE.replaceAll('"', '""'));
  });

  it('lets a person who may only look change nothing', async () => {
    const page = await open((await play({ role: 'read' })).url, `/payees/${ADDRESS}?network=tron`);
    await page.getByText('confirmed by telephone').waitFor();
    expect(await page.getByRole('button', { name: /Deny|Save/ }).count()).toBe(0);
    await page.goto(`${page.url().split('#')[0]}#/payees`);
    await page.getByText('Zoë Fox').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
