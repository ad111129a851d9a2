import { expect, it } from '@jest/globals';
import { testAddress } from '../../src/test-addresses.ts';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { create, row } from '../support/payouts.ts';
import { startSandbox, steps } from '../support/start.ts';
import { shown, useConsole } from './support/console.ts';

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const TURNED = 'paid\u202E4202\u200B';

describeInBrowser('foreign text on the page', () => {
  const { open } = useConsole();

  it('is text and nothing else, in every place', async () => {
    const { url, client, clock } = await startSandbox();
    const comment = `${MARKUP}${TURNED}`;
    const fields = {
      name: JSON.stringify(MARKUP),
      comment: JSON.stringify(TURNED),
      externalId: JSON.stringify(MARKUP),
    };
    const { id } = await create(client, [{ ...row('1', testAddress('0001', 1)), comment }], fields);
    steps(clock, 3);
    const data = { state: MARKUP, [MARKUP]: TURNED };
    await client.admin('POST', '/sandbox/events', { type: 'INVOICE_PAID', data });
    for (const place of ['/payouts', `/payouts/${id}`, '/events', '/requests', `/${MARKUP}`]) {
      const page = await open(url, { place });
      await shown(page.getByRole('heading', { level: 1 }));
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.title()).toMatch(/ · Bursar sandbox$/);
    }
  });

  it('is isolated, and shows its invisible characters', async () => {
    const { url, client } = await startSandbox();
    const { id } = await create(client, [row('1')], { name: JSON.stringify(TURNED) });
    const page = await open(url, { place: `/payouts/${id}` });
    const name = page.getByRole('heading', { level: 1 }).locator('bdi');
    expect(await name.textContent()).toBe('paidU+202E4202U+200B');
  });

  it('keeps every digit of an amount', async () => {
    const { url, client } = await startSandbox({ settings: { BALANCES: '{"BTC":"9e30"}' } });
    const amount = '9007199254740993.000000000000000000100';
    const { id } = await create(client, [row(amount)], { currency: '"BTC"' });
    const page = await open(url, { place: `/payouts/${id}` });
    const cell = page.getByRole('cell').filter({ hasText: 'BTC' });
    expect(await cell.textContent()).toBe('9007199254740993.0000000000000000001 BTC');
  });
});
