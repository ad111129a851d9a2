import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ROOT } from '../../../architecture/repository.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { serveWebApp } from '../../../../src/http-api/web-files.ts';
import { type PlayedWeb, startPlayedWeb } from '../../support/played-web.mjs';

/** The files of the web app, as the build makes them. */
const WEB_FOLDER = join(ROOT, 'build/web');

/** The first start of a browser on a busy machine is slow. */
const LAUNCH_MS_MAX = 60_000;
/** Less than the time of a test, so that a step that never comes to its end is named. Milliseconds. */
const STEP_MS_MAX = 60_000;

type Story = Readonly<{
  place?: Readonly<Record<string, unknown>>;
  role?: string;
  session?: Readonly<Record<string, unknown>>;
  provider?: Readonly<{ name: string; url: string }>;
}>;

export type WebTests = Readonly<{
  /** Starts a server with a story. */
  play(story?: Story): Promise<PlayedWeb>;
  /** Opens a page such as `/batches`, and waits for its heading. */
  open(url: string, place: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes something after the test. */
  later(close: () => Promise<unknown>): void;
  /** The complaints of the browser that this test allows. */
  tolerate(complaint: RegExp): void;
}>;

/** One browser for the tests of a file. After each test the browser must not have complained. */
export function useWeb(): WebTests {
  let browser: Browser | undefined;
  let complaints: string[] = [];
  let tolerated: RegExp | null = null;
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  }, LAUNCH_MS_MAX);
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    const untold = complaints.filter((each) => tolerated?.test(each) !== true);
    complaints = [];
    tolerated = null;
    expect(untold).toEqual([]);
  });

  return {
    later: (close) => void closers.push(close),
    tolerate: (complaint) => void (tolerated = complaint),
    async play(story = {}) {
      const played = await startPlayedWeb({ serveWebApp, folder: WEB_FOLDER, ...story });
      closers.push(played.close);
      return played;
    },
    async open(url, place, options = {}) {
      if (browser === undefined) throw new Error('The browser was not launched.');
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        ...options,
      });
      closers.push(() => context.close());
      context.setDefaultTimeout(STEP_MS_MAX);
      const page = await context.newPage();
      page.on('console', (message) => {
        const isComplaint = ['error', 'warning'].includes(message.type());
        if (isComplaint && !NO_RSA.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${url}/#${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}

/** Keys of RSA do not count here, so no page offers them. */
const NO_RSA = /pubKeyCredParams is missing/;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RUN_AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`;

/** Serious and critical troubles for people with a disability, as axe-core finds them. */
export async function troublesOf(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  return page.evaluate(RUN_AXE);
}

/** Gives the browser a device that holds passkeys, and that a person touches at once. */
export async function addPasskeyDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Makes a passkey on the page for it. Returns its public key, as settings have it. */
export async function makePasskey(page: Page, name: string): Promise<string> {
  await page.getByLabel('Your name in Bursar').fill(name);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  const lines = await page.locator('pre').textContent();
  return /^public_key = "(passkey:localhost:ES256:[A-Za-z0-9+/=]+)"$/m.exec(lines ?? '')?.[1] ?? '';
}
