import { expect, it } from '@jest/globals';
import { testAddress } from '../../src/test-addresses.ts';
import { describeInBrowser } from '../../../../test/support/browser.ts';
import { act, massPayoutLines, needConfirmations } from '../support/admin.ts';
import { create, row } from '../support/payouts.ts';
import { startSandbox, steps } from '../support/start.ts';
import { announcement, rowOf, shown, useConsole } from './support/console.ts';

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };
const PLACES = [
  'payouts',
  'accounts',
  'webhooks',
  'deliveries',
  'events',
  'faults',
  'modes',
  'requests',
];

/** Runs in the page, which has the DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, main a.button, nav a, summary')]
  .filter((each) => each.checkVisibility())
  .map((each) => ({ text: each.textContent, height: each.getBoundingClientRect().height }))
  .filter(({ height }) => height < 44)`;

/** Cells whose content overlaps other content or leaves the cell. */
const CROWDED_CELLS = `[...document.querySelectorAll('td')]
  .filter((cell) => cell.checkVisibility())
  .filter((cell) => {
    const frames = [...cell.children].map((each) => each.getBoundingClientRect());
    const isOver = frames.some((one, at) => frames.slice(at + 1).some((other) =>
      one.left < other.right - 1 && other.left < one.right - 1 &&
      one.top < other.bottom - 1 && other.top < one.bottom - 1));
    return isOver || [...cell.querySelectorAll('*')].some((each) =>
      each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1);
  })
  .map((cell) => cell.textContent)`;

/** Paints nothing, and runs what should come soon after a paint a second later. */
const PAINT_LATE = `
  window.requestAnimationFrame = () => 0;
  const soon = window.setTimeout;
  window.setTimeout = (work, ms = 0) => soon(work, ms < 100 ? 1_000 : ms);`;

/** Also in a part of the browser itself. */
const IS_IN_DIALOG =
  'document.activeElement === document.body || document.activeElement.closest("dialog") !== null';

describeInBrowser('the console', () => {
  const { open, tolerate } = useConsole();

  it('is used by keys alone', async () => {
    const { url, client, clock } = await startSandbox();
    await needConfirmations(client, 1);
    for (const name of ['"May"', '"June"']) await create(client, [row('10')], { name });
    steps(clock, 1);
    const page = await open(url, { place: '/modes' });
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('g', 'p');
    await shown(page.getByRole('heading', { level: 1, name: 'Payouts' }));
    await shown(page.getByRole('link', { name: /^June/ }));
    await press('/');
    await page.keyboard.type('May');
    await page.getByRole('link', { name: /^June/ }).waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement.blur()');
    await press('j', 'Enter');
    await page.getByRole('button', { name: 'Decline' }).focus();
    await press('Enter');
    await shown(page.getByRole('dialog', { name: 'Decline?' }));
    for (let presses = 0; presses < 5; presses += 1) {
      await press('Tab');
      expect(await page.evaluate(IS_IN_DIALOG)).toBe(true);
    }
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Decline');
    await press('Shift+Tab', 'Enter');
    await shown(announcement(page, 'It is CONFIRMED now.'));
    const states = (await massPayoutLines(client)).map(({ state }) => state);
    expect(states).toEqual(['CONFIRMED', 'PENDING_CONFIRMATION']);
    await page.getByRole('button', { name: 'Confirm' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await press('?');
    await shown(page.getByRole('dialog', { name: 'Keys' }));
  });

  it('begins with a link to the content', async () => {
    const { url } = await startSandbox();
    const page = await open(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(page.url()).toContain('#/payouts');
  });

  it.each(PLACES)('fits on a phone: %s', async (place) => {
    const { url, client, clock } = await startSandbox();
    const rows = [row('123456.123456789012', testAddress('0001', 1)), row('0.00000001')];
    await create(client, rows, { currency: '"TRX"', name: `"${'W'.repeat(80)}"` });
    await create(client, [row('10')], { name: '"May"' });
    steps(clock, 3);
    await needConfirmations(client, 2);
    const { id } = await create(client, [row('10')], { name: '"June"' });
    steps(clock, 1);
    await act(client, 'confirm', { id });
    const page = await open(url, { place: `/${place}`, ...PHONE });
    await shown(page.getByRole('heading', { level: 1 }));
    if (place === 'payouts') await shown(page.getByText('confirmed by 1'));
    if (place === 'accounts') await shown(page.getByText('Main ETHEREUM'));
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
    expect(await page.evaluate(CROWDED_CELLS)).toEqual([]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Payouts').click();
    await page.getByRole('link', { name: /^May/ }).click();
    await shown(page.getByRole('heading', { level: 1, name: 'May' }));
    expect(await page.evaluate(OVERFLOW)).toBe(0);
  });

  it('shows that it is live, also where the first paint comes late', async () => {
    const { url } = await startSandbox();
    const page = await open(url, { before: PAINT_LATE });
    await shown(page.getByRole('heading', { level: 1, name: 'Payouts' }));
  });

  it('shows that the sandbox is gone, and reconnects', async () => {
    tolerate(/ERR_|Failed to load/);
    const before = await startSandbox();
    const page = await open(before.url);
    await before.close();
    await shown(page.getByText('Connection lost, trying again'));
    const { host } = new URL(before.url);
    const after = await startSandbox({ ...before, settings: { LISTEN: host } });
    await shown(page.getByText('Live', { exact: true }));
    await create(after.client, [row('10')], { name: '"May"' });
    await shown(rowOf(page, 'May'));
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is there for people who want another place than there is', async () => {
    const { url } = await startSandbox();
    const page = await open(url, { place: '/nowhere' });
    await page.getByRole('link', { name: 'Go to the payouts.' }).click();
    await shown(page.getByRole('heading', { level: 1, name: 'Payouts' }));
  });
});
