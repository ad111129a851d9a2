import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const findBrowser = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));

const REASON =
  'No Chromium was found. Install it (Debian: apt-get install chromium) or set CHROMIUM.';

/**
 * `describe` for tests in a real browser. Without one they are skipped, and say so; where CI is set
 * they run, and fail.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  const canRun = findBrowser() !== undefined || process.env['CI'] !== undefined;
  if (!canRun) console.warn(`Skipped: ${name}. ${REASON}`);
  (canRun ? describe : describe.skip)(name, tests);
}

/** Parts of its own window that Chromium draws as further pages, seen or not: half of the work of opening one of ours. */
const WITHOUT_OWN_PAGES =
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,PreloadTopChromeWebUI';

/** A Chromium without a window; whoever launches it closes it. Throws when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(REASON);
  // Chromium refuses to isolate itself as root, which containers are.
  const isRoot = process.getuid?.() === 0;
  const args = [WITHOUT_OWN_PAGES, ...(isRoot ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}

/** Less than the time of a test, so that a step that never comes to its end is named. Milliseconds. */
const STEP_MS_MAX = 60_000;

export type ConsolePage = Readonly<{
  page: Page;
  /** What the browser complained about: scripts, the content security policy, missing files. */
  complaints: readonly string[];
}>;

export type ConsoleOptions = BrowserContextOptions &
  Readonly<{
    place?: string;
    /** A script that runs in the page before its own. */
    before?: string;
  }>;

/** Opens the console of a sandbox at a place such as `/payouts`, and waits until it is live. */
export async function openConsole(
  browser: Browser,
  url: string,
  { place = '/payouts', before, ...options }: ConsoleOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  if (before !== undefined) await context.addInitScript(before);
  context.setDefaultTimeout(STEP_MS_MAX);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${url}/sandbox/console#${place}`);
  await page.locator('.connection.live').waitFor({ state: 'attached' });
  return { page, complaints };
}
