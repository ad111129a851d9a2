import { expect, it } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { troublesOf, useWeb } from './support/web.ts';

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };
/** The width of A4 between its margins, in pixels of CSS. */
const A4 = { viewport: { width: 718, height: 1000 } };
const DARK = { colorScheme: 'dark' } as const;

/** Each page with a text that shows that its answers have arrived. */
const PAGES = [
  ['/inbox', 'board-gift'],
  ['/batches', 'refunds-7731'],
  ['/batches/payroll-2026-12', 'Still needed'],
  ['/batches/contractors-48', 'of 12,400 paid'],
  ['/batches/suppliers-nov', 'Short by'],
  ['/batches/refunds-7731', 'resend.csv'],
  ['/batches/refunds-7750', 'What did you find at the service?'],
  ['/batches/refunds-7731/resend', 'What would be paid again'],
  ['/batches/bonus-refused', 'Submit the refused payments again'],
  ['/batches/bonus-refused/resend', 'needs new approvals'],
  ['/batches/refunds-7731/rows/4', 'What happened'],
  ['/batches/payroll-2026-12/approve', 'Please check'],
  ['/find?word=EMP-004', 'payout of the service'],
  ['/funds', 'Waiting batches'],
  ['/schedules', 'Last run'],
  ['/payees', 'Zoë Fox'],
  ['/payees/TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE?network=tron', 'confirmed by telephone'],
  ['/audit', 'no interns in winter'],
  ['/people', 'Every payment in any currency'],
  ['/new', 'Drop the payment file here'],
  ['/passkey', 'Your name in Bursar'],
] as const;

/** Runs in the page, which has the DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, main a.button, nav a')]
  .filter((each) => each.checkVisibility())
  .map((each) => ({ text: each.textContent, height: each.getBoundingClientRect().height }))
  .filter(({ height }) => height < 44)`;

const CUT_OFF = `[...document.querySelectorAll('.card, .note, .page-head, .ribbon')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)`;
const TABLES_IN_PIECES = `[...document.querySelectorAll('tr')]
  .filter((each) => getComputedStyle(each).display !== 'table-row').length`;

const BEFORE = `getComputedStyle(document.querySelector('th[data-label="Row"]'), '::before').content`;
const ALIGNED = `getComputedStyle(document.querySelector('td[data-label="Outcome"]')).textAlign`;
const BATCHES = ['/batches/refunds-7731', '/batches/contractors-48'];
const TABLES_TOO_WIDE = `[...document.querySelectorAll('.table-frame')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.textContent)`;
/** Names of batches on more than three lines. */
const NAMES_IN_PIECES = `[...document.querySelectorAll('tbody th .text')]
  .filter((each) => each.getClientRects().length > 3)
  .map((each) => each.textContent)`;

describeInBrowser('each page of the web app', () => {
  const { play, open, tolerate } = useWeb();

  it.each(PAGES)(
    'can be used by everybody, and fits on a phone and on paper: %s',
    async (place, arrived) => {
      const { url } = await play();
      const page = await open(url, place);
      await page.getByText(arrived).first().waitFor();
      expect(await troublesOf(page)).toEqual([]);
      expect(await page.title()).toMatch(/ · Bursar$/);
      expect(await page.locator('main img, main script').count()).toBe(0);

      const dark = await open(url, place, DARK);
      await dark.getByText(arrived).first().waitFor();
      expect(await troublesOf(dark)).toEqual([]);

      const phone = await open(url, place, PHONE);
      await phone.getByText(arrived).first().waitFor();
      expect(await phone.evaluate(OVERFLOW)).toBe(0);
      expect(await phone.evaluate(CUT_OFF)).toEqual([]);
      expect(await phone.evaluate(SMALL_TARGETS)).toEqual([]);
      expect(await troublesOf(phone)).toEqual([]);

      const paper = await open(url, place, A4);
      await paper.emulateMedia({ media: 'print' });
      await paper.getByText(arrived).first().waitFor({ state: 'attached' });
      expect(await paper.evaluate(OVERFLOW)).toBe(0);
      expect(await paper.evaluate(TABLES_IN_PIECES)).toBe(0);
    },
  );

  it('would be found where somebody could not use it', async () => {
    const page = await open((await play()).url, '/people');
    await page.getByText('Every payment').first().waitFor();
    await page.evaluate('document.querySelector("main").append(document.createElement("button"))');
    expect(await troublesOf(page)).toEqual([expect.stringContaining('button-name')]);
  });

  it('names where it pays from: red where money is real', async () => {
    const live = { environment: 'LIVE', service: 'https://pay.example' };
    const page = await open((await play({ place: live })).url, '/batches');
    const ribbon = page.getByRole('complementary', { name: 'Where payments come from' });
    expect(await ribbon.textContent()).toMatch(/LIVE: real money.*https:\/\/pay\.example.*Account/);
    expect(await ribbon.getAttribute('class')).toContain('live');
    expect(await troublesOf(page)).toEqual([]);
  });

  it('does not speak of real money where no service is set', async () => {
    const none = { environment: 'LIVE', service: null, account: null };
    const page = await open((await play({ place: none })).url, '/batches');
    const ribbon = page.locator('.ribbon');
    expect(await ribbon.textContent()).toBe('No service is set: nothing can be paid');
    expect(await ribbon.getAttribute('class')).not.toContain('live');
  });

  it('speaks the language of the browser, or the one that is chosen', async () => {
    const { url } = await play();
    const page = await open(url, '/batches/refunds-7731', { locale: 'de-DE' });
    await page.getByText('Teilweise bezahlt').first().waitFor();
    await page.getByText('93 von 96 bezahlt').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.goto(`${url}/#/batches/payroll-2026-12/approve`);
    await page.getByText('in dieser Währung noch nie bezahlt').waitFor();
    await page.goto(`${url}/#/batches/refunds-7731`);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByText('93 of 96 paid').waitFor();
    await page.reload();
    await page.getByText('93 of 96 paid').waitFor();
  });

  it('is used by keys alone', async () => {
    const { url } = await play();
    const page = await open(url, '/batches/payroll-2026-12');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('button', { name: 'Pause payroll-2026-12' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pause');
  });

  it('says plainly that no payment has the word', async () => {
    tolerate(/404/);
    const page = await open((await play()).url, '/find?word=nobody-9');
    await page.getByText('No payment was found.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows no payment of an earlier search under a word that nothing has', async () => {
    tolerate(/404/);
    const page = await open((await play()).url, '/find?word=EMP-004');
    await page.getByText('payout of the service').waitFor();
    await page.getByRole('searchbox').fill('nobody-9');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('No payment was found.').waitFor();
    expect(await page.getByText('EMP-004').count()).toBe(0);
  });

  it('fills the bar of a batch by what was paid, and not by what ended otherwise', async () => {
    const page = await open((await play()).url, '/batches/refunds-7731');
    await page.getByText('93 of 96 paid').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('93');
  });

  it('names who submitted a batch, when, and from which file', async () => {
    const page = await open((await play()).url, '/batches/payroll-2026-12');
    const submission = page.getByText(/^Submitted by alice, .+, from payroll-2026-12\.csv$/);
    await submission.click();
    await page.getByText(/^9f2c1d7ab35e40c8/).waitFor();
  });

  it('has a heading where there is no such batch', async () => {
    tolerate(/404/);
    const page = await open((await play()).url, '/batches/nowhere');
    await page.getByRole('heading', { level: 1, name: 'nowhere' }).waitFor();
    await page.getByRole('alert').getByText('This server has no such batch.').waitFor();
  });

  it('names the refusal before it offers to submit refused payments again', async () => {
    const page = await open((await play()).url, '/batches/bonus-refused/resend');
    const title = 'Submit the refused payments again bonus-refused';
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const first = page.locator('main section').first();
    expect(await first.textContent()).toMatch(/carol refused.*Reason: gift of the board/);
    expect(await page.getByText('Pay failed payments again').count()).toBe(0);
  });

  it('leads from a batch to the decision only those who may decide now', async () => {
    const { url } = await play();
    const bob = await open(url, '/batches/payroll-2026-12');
    const decide = bob.getByRole('link', { name: 'Review and decide' });
    expect(await decide.getAttribute('class')).toBe('button first');
    const alice = await open(
      (await play({ session: { person: 'alice' } })).url,
      '/batches/payroll-2026-12',
    );
    const look = alice.getByRole('link', { name: 'Look at it' });
    expect(await look.getAttribute('class')).toBe('button');
  });

  it('has no outcomes of payments before the first is sent', async () => {
    const page = await open((await play()).url, '/batches/payroll-2026-12/approve');
    await page.getByRole('table', { name: 'Payments' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Outcome' }).count()).toBe(0);
    expect(await page.getByLabel('Outcome').count()).toBe(0);
  });

  it('names the row of a card on a phone, and sets long texts at the left', async () => {
    const page = await open((await play()).url, '/batches/refunds-7731', PHONE);
    await page.locator('th[data-label="Row"]').first().waitFor();
    expect(await page.evaluate(BEFORE)).toBe('"Row "');
    expect(await page.evaluate(ALIGNED)).toBe('left');
  });

  it.each([
    [900, BATCHES],
    [1100, [...BATCHES, '/funds']],
    [1280, [...BATCHES, '/funds']],
  ])('has tables that fit their cards at %i pixels', async (width, places) => {
    const { url } = await play();
    for (const place of places) {
      for (const locale of ['en-GB', 'de-DE']) {
        const page = await open(url, place, { locale, viewport: { width, height: 800 } });
        await page.getByRole('table').first().waitFor();
        expect(await page.evaluate(TABLES_TOO_WIDE)).toEqual([]);
        expect(await page.evaluate(NAMES_IN_PIECES)).toEqual([]);
      }
    }
  });

  it('offers to decide only to those who must', async () => {
    const page = await open((await play()).url, '/inbox');
    await page.getByRole('link', { name: 'Review and decide payroll-2026-12' }).waitFor();
    await page.getByRole('link', { name: 'Look at it board-gift' }).waitFor();
  });

  it('is there for people who want another page than there is', async () => {
    const page = await open((await play()).url, '/nowhere');
    await page.getByRole('link', { name: 'Go to your tasks.' }).click();
    await page.getByRole('heading', { level: 1, name: 'To do' }).waitFor();
  });
});
