#!/usr/bin/env node
/**
 * Takes the pictures of the web app for docs/web-app.md from a played story. Needs the build, and a Chromium: CHROMIUM, or the
 * one of Debian. Writes to docs/images. With a folder as argument, it takes a picture of every page there instead: on a desk,
 * on a phone, and in the dark. A second argument takes those alone whose names begin with it.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serveWebApp } from '../build/src/http-api/web-files.js';

const BUILT = fileURLToPath(new URL('../build/web', import.meta.url));
const IMAGES = fileURLToPath(new URL('../docs/images', import.meta.url));

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true };
const DARK = { ...DESK, colorScheme: 'dark' };

const DOCS = [
  ['web-batches', '/batches', DESK],
  ['web-approve', '/batches/payroll-2026-12/approve', DESK],
  ['web-errors', '/new', DESK],
  ['web-phone', '/batches/contractors-48', PHONE],
];

const EVERY_PAGE = {
  inbox: '/inbox',
  batches: '/batches',
  waiting: '/batches/payroll-2026-12',
  paying: '/batches/contractors-48',
  held: '/batches/suppliers-nov',
  partial: '/batches/refunds-7731',
  refused: '/batches/bonus-refused',
  unclear: '/batches/refunds-7750',
  'again-refused': '/batches/bonus-refused/resend',
  resend: '/batches/refunds-7731/resend',
  row: '/batches/refunds-7731/rows/4',
  approve: '/batches/payroll-2026-12/approve',
  errors: '/new',
  currency: '/new',
  plan: '/new',
  sheet: '/new',
  columns: '/new',
  book: '/new',
  find: '/find?word=EMP-004',
  funds: '/funds',
  schedules: '/schedules',
  payees: '/payees',
  payee: '/payees/TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE?network=tron',
  audit: '/audit',
  people: '/people',
  passkey: '/passkey',
  'sign-in': '/inbox',
};

/** The files of the pictures of a new payment. */
const FILES = {
  errors: 'wrong.csv',
  currency: 'no-currency.csv',
  sheet: 'payroll.xlsx',
  columns: 'payroll.xlsx',
  book: 'payroll.xlsx',
};

/** Long enough for answers, and for the pace of a batch. Milliseconds. */
const SETTLED_MS = 900;
const PACE_MS = 3_500;

const [folder, only = ''] = process.argv.slice(2);
const target = folder === undefined ? IMAGES : resolve(folder);
mkdirSync(target, { recursive: true });
if (folder === undefined) process.env.BURSAR_PLAYED_NAMES = 'plain';
const { PAYMENT_FILE } = await import('../test/web/support/played-answers.mjs');
const { startPlayedWeb } = await import('../test/web/support/played-web.mjs');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const shots =
    folder === undefined
      ? DOCS
      : Object.entries(EVERY_PAGE).flatMap(([name, place]) => [
          [`${name}-desk`, place, DESK],
          [`${name}-phone`, place, PHONE],
          [`${name}-dark`, place, DARK],
        ]);
  for (const shot of shots.filter(([name]) => name.startsWith(only))) await shoot(shot);
} finally {
  await browser.close();
}

async function shoot([name, place, options]) {
  const played = await startPlayedWeb({ serveWebApp, folder: BUILT });
  played.usePasskey('passkey:localhost:ES256:played');
  if (name.startsWith('sign-in')) played.signOut();
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => process.stderr.write(`${name}: ${message}\n`));
  await page.goto(`${played.url}/#${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (place === '/new') {
    const [what = ''] = name.replace('web-', '').split('-');
    const file = FILES[what] ?? 'payroll-2026-12.csv';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(PAYMENT_FILE) });
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    if (what === 'columns' || what === 'book') await chooseSheet(page);
    if (what === 'book') await chooseColumns(page);
    await page.locator('.announcements').evaluate((one) => one.remove());
  }
  await page.waitForTimeout(place.endsWith('contractors-48') ? PACE_MS : SETTLED_MS);
  await page.screenshot({ path: join(target, `${name}.png`), fullPage: folder !== undefined });
  await context.close();
  await played.close();
}

async function chooseSheet(page) {
  await page.getByLabel('December').check();
  await page.getByRole('button', { name: 'Read the file' }).click();
  await page.getByLabel('The column Net').waitFor();
}

async function chooseColumns(page) {
  await page.getByRole('combobox').last().selectOption('ignore');
  await page.getByLabel('I have compared this with my file.').check();
  await page.getByRole('button', { name: 'Read the file' }).click();
  await page.getByText('1200.50', { exact: true }).waitFor();
}
