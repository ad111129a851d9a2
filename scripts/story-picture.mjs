#!/usr/bin/env node
/**
 * Draws the picture of the README: a file, its batch in the web app, and its report. Needs the build and a Chromium: CHROMIUM, or the one of
 * Debian. Usage: node scripts/story-picture.mjs SUMMARY, where SUMMARY is a summary.html of the demo.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { serveWebApp } from '../build/src/http-api/web-files.js';

const IMAGE = fileURLToPath(new URL('../docs/images/from-file-to-report.png', import.meta.url));
const BUILT = fileURLToPath(new URL('../build/web', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../examples/suppliers.csv', import.meta.url));

const PANEL = { width: 520, height: 640 };
/** Rows of the file that are shown. */
const ROWS_SHOWN = 12;
/** Long enough for a rate of the batch. Milliseconds. */
const PACE_MS = 3_500;

const [summary] = process.argv.slice(2);
if (summary === undefined) {
  process.stderr.write('Usage: node scripts/story-picture.mjs SUMMARY\n');
  process.exit(2);
}

process.env.BURSAR_PLAYED_NAMES = 'plain';
const { startPlayedWeb } = await import('../test/web/support/played-web.mjs');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const panels = [
    ['1. A file', sheet(readFileSync(EXAMPLE, 'utf8'))],
    ['2. Paid while you watch', picture(await shootBatch())],
    ['3. A report of every row', picture(await shoot(pathToFileURL(resolve(summary)).href))],
  ];
  const page = await browser.newPage({ viewport: { width: 1240, height: 540 } });
  await page.setContent(pageOf(panels));
  await page.screenshot({ path: IMAGE });
} finally {
  await browser.close();
}

async function shootBatch() {
  const played = await startPlayedWeb({ serveWebApp, folder: BUILT });
  played.usePasskey('passkey:localhost:ES256:played');
  const shot = await shoot(`${played.url}/#/batches/contractors-48`, PACE_MS);
  await played.close();
  return shot;
}

async function shoot(url, waitMs = 0) {
  const page = await browser.newPage({
    viewport: PANEL,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(waitMs);
  const shot = await page.screenshot();
  await page.close();
  return shot;
}

function picture(shot) {
  return `<img src="data:image/png;base64,${shot.toString('base64')}" alt="">`;
}

function sheet(text) {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .slice(0, ROWS_SHOWN);
  const row = (line, tag) =>
    `<tr>${line
      .split(',')
      .slice(1, 4)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join('')}</tr>`;
  const [head, ...rows] = lines;
  return `<table>${row(head, 'th')}${rows.map((line) => row(line, 'td')).join('')}</table>`;
}

function pageOf(panels) {
  const figures = panels.map(
    ([title, html]) => `<figure><figcaption>${title}</figcaption><div>${html}</div></figure>`,
  );
  return `<!doctype html><style>
    body { margin: 0; padding: 16px; background: #eef1f5; font: 15px system-ui, sans-serif; color: #1c2430 }
    body { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px }
    figure { margin: 0 }
    figcaption { margin: 4px 0 10px; font-weight: 700; font-size: 18px }
    div { height: 460px; overflow: hidden; border: 1px solid #d3dae3; border-radius: 10px; background: #fff }
    img { width: 100% }
    table { border-collapse: collapse; font: 11.5px ui-monospace, monospace; width: 100% }
    th, td { padding: 9px 8px; border-bottom: 1px solid #e3e8ee; text-align: left; max-width: 190px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
    th { background: #f4f6f9 }
  </style>${figures.join('')}`;
}
