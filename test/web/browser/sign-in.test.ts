import { expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createOidcProvider, type OidcProvider } from '../../../src/http-api/oidc/provider.ts';
import { worldThatWaits } from '../../cli/support/approvals.ts';
import { apiOf } from '../../http-api/support/api.ts';
import { startOidcServer } from '../../http-api/support/oidc-server.mjs';
import { person } from '../../support/approvers.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { passkeyPerson } from '../../support/passkeys.ts';
import { addPasskeyDevice, makePasskey, troublesOf, useWeb } from './support/web.ts';

const DARK = { colorScheme: 'dark' } as const;
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };
const LOOKS: readonly BrowserContextOptions[] = [{}, DARK, PHONE];

/** Runs in the page, which has the DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const HOUR_MS = 3_600_000;

describeInBrowser('signing in at a provider', () => {
  const { open, tolerate, later } = useWeb();

  /** The real HTTP API, and a real provider at which everybody is this account. */
  async function served(sub: string) {
    let url = '';
    let oidc: OidcProvider | undefined;
    const delegate: OidcProvider = {
      name: 'Example ID',
      begin: async (redirectUri) => real().begin(redirectUri),
      finish: async (begun, query) => real().finish(begun, query),
    };
    const real = (): OidcProvider => {
      if (oidc === undefined) throw new Error('the provider has not started');
      return oidc;
    };
    const people = [
      { ...person('carol', ['finance']), webRole: 'operate', oidc: 'sub-of-carol' },
      { ...passkeyPerson('bob', ['finance']), webRole: 'read', oidc: 'sub-of-bob' },
    ] as const;
    const api = await apiOf(await worldThatWaits(), { people, origin: () => url, oidc: delegate });
    later(api.close);
    const listens = await api.server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://localhost:${new URL(listens).port}`;
    const server = await startOidcServer({ redirectUri: `${url}/v1/session/oidc/callback` });
    later(server.close);
    server.account.sub = sub;
    const { issuer, clientId, clientSecret } = server;
    const client = { issuer, clientId, clientSecret, claim: 'sub', scope: 'openid' };
    oidc = createOidcProvider({ ...client, name: 'Example ID' });
    return url;
  }

  const enter = (page: Page) =>
    page.getByRole('button', { name: 'Sign in with Example ID' }).click();

  it('leads back to the page where the person was', async () => {
    tolerate(/401/);
    const page = await open(await served('sub-of-bob'), '/people');
    expect(await page.title()).toBe('Sign in · Bursar');
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    expect(await troublesOf(page)).toEqual([]);
    await enter(page);
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/#\/people$/);
    await page.getByRole('link', { name: 'To do' }).click();
    await page.getByRole('heading', { level: 2, name: /^For you/ }).waitFor();
    expect(await page.getByText('you have no passkey').count()).toBe(0);
  });

  it('shows a person without a passkey how to make one', async () => {
    tolerate(/401/);
    const page = await open(await served('sub-of-carol'), '/');
    await enter(page);
    await page.getByText('You cannot approve here yet').waitFor();
    expect(await troublesOf(page)).toEqual([]);
    await page.goto(`${new URL(page.url()).origin}/#/batches/payroll/approve`);
    await page.getByText('You cannot approve here yet').waitFor();
    expect(await page.getByRole('button', { name: 'Approve with passkey' }).count()).toBe(0);
    await page.locator('main').getByRole('link', { name: 'Make a passkey' }).click();
    expect(await page.getByLabel('Your name in Bursar').inputValue()).toBe('carol');
    await addPasskeyDevice(page);
    expect(await makePasskey(page, 'carol')).toMatch(/^passkey:/);
    await page.getByText('The key goes to your entry in the settings').waitFor();
    expect(await troublesOf(page)).toEqual([]);
  });

  it('refuses a person who is not listed, with a sentence', async () => {
    tolerate(/401/);
    const page = await open(await served('mallory'), '/funds');
    await enter(page);
    await page.getByText('Nobody here has your account.').waitFor();
    await page.getByText('you are not listed in the settings').waitFor();
    expect(await troublesOf(page)).toEqual([]);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
  });
});

describeInBrowser('the sign-in', () => {
  const { play, open, tolerate } = useWeb();

  it('offers no provider where there is none, and shows no words of an address', async () => {
    tolerate(/401/);
    const played = await play();
    played.signOut();
    const page = await open(played.url, '/?refused=<b>Call%20us</b>');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describeInBrowser('a session', () => {
  const { play, open, tolerate } = useWeb();

  it.each(LOOKS)('that ends soon warns everybody: %j', async (look) => {
    const { url } = await play({ session: { secondsLeft: 240 } });
    const page = await open(url, '/batches', look);
    await page.getByText('You will be signed out soon.').waitFor();
    await page.getByText('refunds-7731').first().waitFor();
    expect(await troublesOf(page)).toEqual([]);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
  });

  it('warns five minutes before its end, and is renewed by the passkey where the person is', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    await makePasskey(page, 'bob');
    await page.clock.install();
    await page.goto(`${played.url}/#/batches`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    const warning = page.getByText('You will be signed out soon.');
    await page.clock.fastForward(7 * HOUR_MS);
    expect(await warning.count()).toBe(0);
    played.changeSession({ secondsLeft: 299 });
    await page.clock.fastForward(HOUR_MS);
    await warning.waitFor();
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.locator('.announcements').getByText('You stay signed in.').waitFor();
    expect(await warning.count()).toBe(0);
    expect(page.url()).toContain('#/batches');
  });

  it('that has ended leads to the sign-in by itself', async () => {
    tolerate(/401/);
    const played = await play({ session: { secondsLeft: 200 } });
    const page = await open(played.url, '/funds');
    await page.clock.install();
    await page.reload();
    await page.getByText('You will be signed out soon.').waitFor();
    played.signOut();
    await page.clock.fastForward(202_000);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('can be ended before', async () => {
    tolerate(/401/);
    const page = await open((await play({ session: { secondsLeft: 200 } })).url, '/batches');
    await page.getByRole('button', { name: 'Sign out now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.getByText('You were signed out').count()).toBe(0);
  });

  it('of a person without a passkey is renewed at the provider', async () => {
    const session = { secondsLeft: 200, signedInBy: 'oidc', hasPasskey: false };
    const provider = { name: 'Example ID', url: 'about:blank#provider' };
    const page = await open((await play({ session, provider })).url, '/funds');
    await page.getByText('this page is left').waitFor();
    expect(await troublesOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('about:blank#provider');
  });
});
