#!/usr/bin/env node
/**
 * Plays a small story on a sandbox of its own and takes the pictures of its console for the READMEs.
 * Needs the build, and a Chromium: CHROMIUM, or the one of Debian. Writes to docs/images.
 */
import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs', 'images');
const { testAddress } = await import('../packages/sandbox/build/index.js');

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Time for what is due at once: states, webhooks, the page. */
const SETTLED_MS = 1_500;

const folder = mkdtempSync(join(tmpdir(), 'bursar-screenshots-'));
const sandbox = spawn(process.execPath, [join(ROOT, 'packages/sandbox/build/main.js')], {
  cwd: folder,
  env: { BURSAR_SANDBOX_LISTEN: '127.0.0.1:0', BURSAR_SANDBOX_STEP_MS: '50' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(sandbox, 'close');
let browser;

try {
  const url = await announcedUrl();
  const payouts = await playStory(url);
  // Containers run as root, and then Chromium refuses to isolate itself.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args });
  mkdirSync(IMAGES, { recursive: true });
  await shoot(`${url}/sandbox/console#/payouts`, 'console-payouts', DESK, 'light');
  const partial = `${url}/sandbox/console#/payouts/${payouts.partial}?failed=true`;
  await shoot(partial, 'console-payout-dark', DESK, 'dark');
  const waiting = `${url}/sandbox/console#/payouts/${payouts.waiting}`;
  await shoot(waiting, 'console-phone', PHONE, 'light');
} finally {
  await browser?.close();
  sandbox.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function announcedUrl() {
  return new Promise((resolve, reject) => {
    sandbox.stdout.on('data', (text) => resolve(/listening on (\S+)/.exec(String(text))?.[1]));
    void ended.then(() => reject(new Error('The sandbox ended before it listened.')));
  });
}

/** Mass payouts in every kind of state, a receiver that is away, a fault and two modes. */
async function playStory(url) {
  await create(url, 'October wages', rows(180, '1310.25'));
  const partial = await create(
    url,
    'November wages',
    rows(240, '2010.25', { 4: '0001', 18: '0002' }),
  );
  await create(url, 'Suppliers', rows(12, '1204.5', { 3: '0007' }));
  await create(url, 'Refund of invoice 7731', rows(1, '61.8', { 1: '0001' }));
  await settled();
  await admin(url, 'POST', 'accounts', { confirmations: 2 });
  const waiting = await create(url, 'December bonuses', rows(36, '1500'), dateOfBonuses());
  await create(url, 'Contractors', rows(8, '780.0625'));
  await settled();
  await admin(url, 'POST', 'mass-payouts/confirm', { id: waiting });
  await admin(url, 'POST', 'webhooks', { url: 'http://127.0.0.1:19999/hooks' });
  await admin(url, 'POST', 'faults', { target: 'MASS_CREATE', kind: 'accept-then-drop', next: 3 });
  await admin(url, 'PUT', 'modes', { idempotency: 'reject-409', lookupLagMs: 5_000 });
  await settled();
  return { partial, waiting };
}

function dateOfBonuses() {
  return { executionDate: `${new Date().getFullYear() + 1}-01-15T09:00:00Z` };
}

function rows(count, amount, fates = {}) {
  return Array.from({ length: count }, (_, at) => ({
    depositAddress: testAddress(fates[at + 1] ?? '0000', at + 1, 'TRON'),
    amount,
    comment: `E-${1042 + at}`,
  }));
}

/** Amounts are text here and numbers in the request, written as they stand. */
async function create(url, name, massAddresses, more = {}) {
  const payload = { currency: 'USDT_TRC20', name, idempotencyKey: randomUUID(), ...more };
  const body = JSON.stringify({
    timestamp: Date.now(),
    account: '0x5a4db0c500000000000000000000000000000001',
    payload: { ...payload, massAddresses },
  }).replaceAll(/"amount":"([\d.]+)"/g, '"amount":$1');
  const Sign = createHmac('sha512', 'sandbox-secret').update(body).digest('hex');
  const headers = { Key: 'sandbox-key', Sign, 'Content-Type': 'application/json' };
  return (await ask(`${url}/api/v1/payout/mass/create`, { method: 'POST', headers, body })).id;
}

function admin(url, method, path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return ask(`${url}/sandbox/${path}`, { method, headers, body: JSON.stringify(body) });
}

async function ask(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function shoot(url, name, viewport, colorScheme) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    hasTouch: viewport === PHONE,
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.connection.live').waitFor({ state: 'attached' });
  await settled();
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await context.close();
}

function settled() {
  return new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
}
