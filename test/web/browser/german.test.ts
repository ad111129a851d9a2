import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { LANGUAGES } from '../../../src/web/texts/languages.ts';
import { HOSTILE, PAYMENT_FILE } from '../support/played-answers.mjs';
import { addPasskeyDevice, troublesOf, useWeb } from './support/web.ts';

const GERMAN = { locale: 'de-DE' };

/** Texts that people wrote, in names, comments and reasons. They stay as they are. */
const OF_PEOPLE = [
  ...[HOSTILE, 'confirmed by telephone', 'its owner lost the key', 'checked with HR'],
  ...['no interns in winter', 'not in the portal', 'gift of the board'],
];

/** The visible text, without that which is marked as English and without the signed statement. Runs in the page. */
const UNMARKED = `[...document.querySelectorAll('body *')]
  .filter((each) => each.closest('[lang="en"], pre, script, style, select[aria-label="Sprache"]') === null)
  .flatMap((each) => [...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim())
    .concat(['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? '')))
  .filter((text) => text !== '')`;

/** Words that stand in most English sentences, and in no German one. */
const ENGLISH_WORDS =
  /\b(?:the|of|is|are|were|with|for|not|and|to|has|have|it|its|that|this|row|rows|by|from|more|payments?|failed|approve|you|your)\b/i;

const sentencesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.split(' ').length > 3 ? [value] : [];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(sentencesIn)
    : [];
};

/** Sentences of the English catalogue that have no facts. */
const ENGLISH_TEXTS = sentencesIn(LANGUAGES.en);

describeInBrowser('the web app in German', () => {
  const { play, open, tolerate } = useWeb();

  /** Opens a page, and collects each sentence that the server sends to it. */
  async function openGerman(url: string, place: string) {
    const page = await open(url, place, GERMAN);
    const told = new Set<string>();
    page.on('response', (response) => {
      if (!(response.headers()['content-type'] ?? '').includes('json')) return;
      void response
        .json()
        .then((answer: unknown) => sentencesIn(answer).forEach((one) => told.add(one)))
        .catch(() => undefined);
    });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, told };
  }

  async function foreignOn(page: Page, told: ReadonlySet<string>): Promise<readonly string[]> {
    const shown = (await page.evaluate(UNMARKED)) as readonly string[];
    const texts = shown.map((text) =>
      [...OF_PEOPLE, /\b[\w-]+\.(?:csv|xlsx)\b/g].reduce<string>(
        (all, one) => all.replaceAll(one, ''),
        text,
      ),
    );
    const known = [...ENGLISH_TEXTS, ...told].filter((text) => !OF_PEOPLE.includes(text));
    return texts.filter(
      (text) => ENGLISH_WORDS.test(text) || known.some((one) => text.includes(one)),
    );
  }

  it.each([
    ['/inbox', 'board-gift'],
    ['/batches', 'refunds-7731'],
    ['/batches/payroll-2026-12', 'Noch nötig'],
    ['/batches/contractors-48', 'von 12,400 bezahlt'],
    ['/batches/suppliers-nov', 'Es fehlen'],
    ['/batches/refunds-7731', 'resend.csv'],
    ['/batches/refunds-7750', 'Was haben Sie beim Dienst gefunden?'],
    ['/batches/bonus-refused/resend', 'noch einmal einreichen'],
    ['/batches/refunds-7731/resend', 'Was noch einmal bezahlt würde'],
    ['/batches/refunds-7731/rows/4', 'Verlauf'],
    ['/batches/payroll-2026-12/approve', 'Reicht nach jetzigem Stand.'],
    ['/find?word=EMP-004', 'Auszahlung des Dienstes'],
    ['/funds', 'Wartende Stapel'],
    ['/schedules', 'Letzter Lauf'],
    ['/payees', 'Zoë Fox'],
    ['/payees/TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE?network=tron', 'confirmed by telephone'],
    ['/audit', 'no interns in winter'],
    ['/people', 'Jede Zahlung in jeder Währung'],
    ['/new', 'Zahlungsdatei hierher ziehen'],
    ['/passkey', 'Ihr Name in Bursar'],
    ['/nowhere', 'Seite nicht gefunden'],
  ])('shows words of the server only where they are marked: %s', async (place, arrived) => {
    const { page, told } = await openGerman((await play()).url, place);
    await page.getByText(arrived).first().waitFor();
    expect(await foreignOn(page, told)).toEqual([]);
    expect(await troublesOf(page)).toEqual([]);
  });

  it.each([
    ['wrong.csv', 'Der Betrag „3,135.50“ ist keine einfache Dezimalzahl.'],
    ['wrong.csv', 'ist keine Adresse für TRON: ihre Länge ist falsch'],
    ['no-currency.csv', 'Die Zeile nennt keine Währung.'],
    [
      'signed.csv',
      '2 Personen aus finance (carol, zu wenige dürfen noch freigeben), gültig für 3 Tage',
    ],
    ['payroll.csv', 'Es ist keine Freigabe nötig.'],
  ])('reads %s and says: %s', async (name, sentence) => {
    const { page, told } = await openGerman((await play()).url, '/new');
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(PAYMENT_FILE) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText(sentence).first().waitFor();
    expect(await foreignOn(page, told)).toEqual([]);
  });

  it('names who must still approve after a decision', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey', GERMAN);
    await addPasskeyDevice(page);
    await page.getByLabel('Ihr Name in Bursar').fill('bob');
    await page.getByRole('button', { name: 'Passkey anlegen' }).click();
    const lines = (await page.locator('pre').textContent()) ?? '';
    played.usePasskey(/"(passkey:[^"]+)"/.exec(lines)?.[1] ?? '');
    await page.goto(`${played.url}/#/batches/payroll-2026-12/approve`);
    await page.getByRole('button', { name: 'Mit Passkey freigeben' }).click();
    await page.getByText('eine Person aus finance: carol').waitFor();
    expect(await foreignOn(page, new Set())).toEqual([]);
  });

  it('marks an error that has no German words, and names its language', async () => {
    tolerate(/500/);
    const played = await play();
    const page = await open(played.url, '/batches', GERMAN);
    const what = 'A later server has a later error.';
    const problem = { code: 'LATER', what, why: 'It is newer.', fix: 'Load the page again.' };
    await page.route('**/v1/people', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem }),
    );
    await page.goto(`${played.url}/#/people`);
    const alert = page.getByRole('alert');
    await alert.locator('[lang="en"]', { hasText: what }).waitFor();
    expect(await alert.textContent()).toContain(`Auf Englisch: ${what}`);
    expect(await foreignOn(page, new Set([what]))).toEqual([]);
    expect(await troublesOf(page)).toEqual([]);
  });

  it('would notice an English sentence', async () => {
    const { page, told } = await openGerman((await play()).url, '/people');
    await page.evaluate(
      'document.querySelector("h1").append(" It continues when enough people approve this.")',
    );
    expect(await foreignOn(page, told)).toHaveLength(1);
  });
});
