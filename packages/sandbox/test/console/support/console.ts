import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  type ConsoleOptions,
  type ConsolePage,
  launchBrowser,
  openConsole,
} from '../../../../../test/support/browser.ts';

/** The first start of a browser on a busy machine is slow. */
const LAUNCH_MS_MAX = 60_000;

export type Consoles = Readonly<{
  open(url: string, options?: ConsoleOptions): Promise<Page>;
  /** The complaints of the browser that this test allows. */
  tolerate(complaint: RegExp): void;
}>;

/**
 * One browser for the tests of a file. After each test its pages are closed, and the browser must
 * not have complained.
 */
export function useConsole(): Consoles {
  let browser: Browser | undefined;
  let opened: ConsolePage[] = [];
  let tolerated: RegExp | null = null;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, LAUNCH_MS_MAX);
  afterAll(() => browser?.close());
  afterEach(async () => {
    const complaints = opened.flatMap((each) => each.complaints);
    await Promise.all(opened.map(({ page }) => page.context().close()));
    const untold = complaints.filter((each) => tolerated?.test(each) !== true);
    opened = [];
    tolerated = null;
    expect(untold).toEqual([]);
  });

  return {
    tolerate: (complaint) => void (tolerated = complaint),
    async open(url, options) {
      if (browser === undefined) throw new Error('The browser was not launched.');
      const console = await openConsole(browser, url, options);
      opened.push(console);
      return console.page;
    },
  };
}

/** A text that the page announces after an action. */
export const announcement = (page: Page, text: string | RegExp) =>
  page.locator('.announcements').getByText(text);

/** Waits until something is shown. */
export const shown = (locator: ReturnType<Page['locator']>): Promise<void> => locator.waitFor();

/** The row of a table, or the card, that has a text. */
export const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
