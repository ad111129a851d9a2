import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isSignedBy } from '../../../src/domain/approval/signature.ts';
import { type Approval, statementText } from '../../../src/domain/approval/statement.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { worldThatWaits } from '../../cli/support/approvals.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { GOOD } from '../../cli/support/files.ts';
import { payrollWorld } from '../../cli/support/payroll-world.ts';
import { playDoubt, playEnd, playSettle } from '../../cli/support/play.ts';
import { apiOf } from '../../http-api/support/api.ts';
import { person, policyOf } from '../../support/approvers.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { addPasskeyDevice, makePasskey, useWeb } from './support/web.ts';

const HOSTILE = '<img src=x onerror=document.title=1>';

/** Events of a batch come at their own pace. */
const pause = async (delayMs: number): Promise<void> => {
  await setTimeout(delayMs, undefined, { ref: false });
};

const isAway = async (): Promise<never> => {
  throw new BursarError('SERVICE_UNREACHABLE', { baseUrl: 'x', reason: 'played' });
};

type Asked = Parameters<typeof worldThatWaits>[0];

describeInBrowser('the web app of the real HTTP API', () => {
  const { open, tolerate, later } = useWeb();

  /** A server of the real API over a played store and engine. `publicKey`: that of bob. */
  async function served(publicKey: string | null, asked: Asked = {}) {
    const world = await worldThatWaits({ ...asked, world: { open: { service: isAway }, pause } });
    return serve(publicKey, world);
  }

  async function serve(publicKey: string | null, world: FakeWorld) {
    let url = '';
    const bob = {
      ...person('bob', ['finance']),
      publicKey,
      webRole: 'operate' as const,
      oidc: null,
    };
    const people = publicKey === null ? [] : [bob];
    const api = await apiOf(world, { people, origin: () => url });
    later(api.close);
    const listens = await api.server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://localhost:${new URL(listens).port}`;
    return { url, world };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'To do' }).waitFor();
  }

  it('lets an approver sign in, approve and pause, and pay another file', async () => {
    // Without a session, a service that is away, and a batch that no worker has registered yet.
    tolerate(/401|404|503/);
    const page = await open((await served(null)).url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    const policy = policyOf({
      people: [
        person('alice'),
        { ...person('bob', ['finance']), publicKey },
        person('carol', ['finance']),
      ],
    });
    const { url, world } = await served(publicKey, { policy });

    await page.goto(`${url}/#/`);
    await signIn(page);
    await page.getByRole('link', { name: 'Review and decide payroll' }).click();
    await page.getByText('60.50').first().waitFor();
    await page.getByLabel('Reason').fill(HOSTILE);
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByText('This is what you signed').first().waitFor();
    const [{ approval, by } = { approval: undefined, by: '' }] = world.engine.updates as readonly {
      approval: Approval;
      by: string;
    }[];
    expect([by, approval?.person, approval?.reason]).toEqual(['bob', 'bob', HOSTILE]);
    const text = approval === undefined ? '' : statementText(approval);
    expect(isSignedBy(publicKey, text, approval?.signature ?? '')).toBe(true);

    await page.goto(`${url}/#/batches/payroll`);
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await page.getByRole('button', { name: 'Pause payroll' }).click();
    await page.getByLabel('Reason').fill('lunch');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.locator('.announcements').getByText('It is paused.').waitFor();
    expect(world.engine.updates.at(-1)).toMatchObject({ by: 'bob', reason: 'lunch' });

    await page.goto(`${url}/#/new`);
    const name = `${HOSTILE.replaceAll('/', '')}.csv`;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(GOOD) });
    await page.getByText('The service did not answer').waitFor();
    await page.getByLabel('Name of the batch').fill('from-the-web');
    for (const box of await page.getByLabel('I have checked this').all()) await box.check();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page.getByLabel('Type the amount in USDT (TRC20)').fill('60.50');
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'from-the-web' }).waitFor();
    expect(world.engine.started.at(-1)).toMatchObject({
      batchId: 'from-the-web',
      submittedBy: 'bob',
      file: { name },
    });

    await page.goto(`${url}/#/audit`);
    await page
      .getByText(/paused|on hold/)
      .first()
      .waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toMatch(/ · Bursar$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('pays failed payments again', async () => {
    // Without a session, and a batch that no worker has registered yet.
    tolerate(/401|404/);
    const page = await open((await served(null)).url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    const failed = await payrollWorld(
      async (store) => {
        await playSettle(store, 'payroll', { outcome: 'FAILED' });
        await playEnd(store, 'payroll', { state: 'FAILED' });
      },
      { pause },
    );
    const { url, world } = await serve(publicKey, failed);
    await page.goto(`${url}/#/`);
    await signIn(page);
    await page.goto(`${url}/#/batches/payroll`);
    await page.getByRole('link', { name: 'Look at them' }).click();
    await page.getByLabel('Type the amount in USDT (TRC20)').fill('60.5');
    await page.getByLabel('I checked that nobody sent any of these payments again').check();
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'payroll-r1' }).waitFor();
    expect(world.engine.started.at(-1)).toMatchObject({
      batchId: 'payroll-r1',
      parentBatchId: 'payroll',
      submittedBy: 'bob',
      statement: 'nothing was resent elsewhere',
    });
    // The server ends after the page that follows its events.
    await page.close();
  });

  it('takes the answer for a request with an unclear result', async () => {
    tolerate(/401/);
    const page = await open((await served(null)).url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    const doubt = await payrollWorld((store) => playDoubt(store, 'payroll'), { pause });
    const { url, world } = await serve(publicKey, doubt);
    await page.goto(`${url}/#/`);
    await signIn(page);
    await page.goto(`${url}/#/batches/payroll`);
    await page.getByLabel('It is not there. Send it again.').check();
    await page.getByLabel('I looked in the own pages of the service').check();
    await page.getByLabel('Reason').fill(HOSTILE);
    await page.getByRole('button', { name: 'Give this answer' }).click();
    await page.getByText('Your answer is stored.').first().waitFor();
    expect(world.engine.updates.at(-1)).toMatchObject({
      answer: 'not-created',
      attempts: 1,
      by: 'bob',
      reason: HOSTILE,
    });
    await page.close();
  });
});
