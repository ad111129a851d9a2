import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { isSignedBy } from '../../../src/domain/approval/signature.ts';
import { type Approval, statementText } from '../../../src/domain/approval/statement.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { addPasskeyDevice, makePasskey, troublesOf, useWeb } from './support/web.ts';

type Signed = Approval & Readonly<{ signature: string }>;

/** Opens a page with a passkey of bob on its device. */
async function withPasskey(page: Page, url: string, place: string): Promise<string> {
  await addPasskeyDevice(page);
  const publicKey = await makePasskey(page, 'bob');
  await page.goto(`${url}/#${place}`);
  return publicKey;
}

const answerText = { name: 'Give this answer' } as const;

describeInBrowser('a request with an unclear result', () => {
  const { play, open } = useWeb();

  it('is answered with what the person read, signed, after they stated that they looked', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    const publicKey = await withPasskey(page, played.url, '/batches/refunds-7750');
    played.usePasskey(publicKey);
    await page.getByText('refunds-7750.3', { exact: true }).waitFor();
    await page.getByText('5f0c8a6e-1111-4222-8333-94445555aaaa').waitFor();
    await page.getByLabel('It is not there. Send it again.').check();
    await page.getByLabel('Reason').fill('not in the portal');
    expect(await troublesOf(page)).toEqual([]);
    await page.getByRole('button', answerText).click();
    expect(played.requests.filter(({ url }) => url.includes('/chunks/'))).toEqual([]);
    await page.getByLabel('I looked in the own pages of the service').check();
    await page.getByRole('button', answerText).click();
    await page.getByText('1 person from finance: carol').waitFor();
    const sent = played.requests.filter(({ url }) => url.includes('/chunks/'));
    expect(sent).toMatchObject([
      {
        url: '/v1/batches/refunds-7750/chunks/3/question',
        body: { answer: 'not-created', attempts: 2, reason: 'not in the portal' },
      },
      {
        url: '/v1/batches/refunds-7750/chunks/3/answer',
        body: { answer: 'not-created', attempts: 2, reason: 'not in the portal' },
      },
    ]);
    const { approval } = (sent[1]?.body ?? {}) as unknown as Readonly<{ approval: Signed }>;
    expect(approval).toMatchObject({ decision: 'not-created', person: 'bob' });
    expect(isSignedBy(publicKey, statementText(approval), approval.signature)).toBe(true);
    expect(await troublesOf(page)).toEqual([]);
  });

  it('is adopted by the id of the payout that the person names', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await withPasskey(page, played.url, '/batches/refunds-7750');
    await page.getByLabel('It is there. I name its id').check();
    await page.getByLabel('Reason').fill('seen in the portal');
    await page.getByRole('button', answerText).click();
    expect(played.requests.filter(({ url }) => url.includes('/chunks/'))).toEqual([]);
    await page.getByLabel('Id of the payout at the service').fill(' mp-1 ');
    await page.getByRole('button', answerText).click();
    await page.getByText('Your answer is stored.').first().waitFor();
    expect(played.requests.at(-1)?.body).toMatchObject({ answer: 'adopt', massPayoutId: 'mp-1' });
    expect(played.requests.at(-1)?.body).not.toHaveProperty('attempts');
  });

  it('is shown to those who may not answer, without the form', async () => {
    const page = await open((await play({ role: 'submit' })).url, '/batches/refunds-7750');
    await page.getByText('A person with the role "operate" must look').waitFor();
    expect(await page.getByRole('button', answerText).count()).toBe(0);
  });
});

describeInBrowser('failed payments', () => {
  const { play, open } = useWeb();

  it('are paid again by the total that the person types, with their statement, signed', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    const publicKey = await withPasskey(page, played.url, '/batches/refunds-7731');
    await page.getByRole('link', { name: 'Look at them' }).click();
    await page.getByText('Left out, since it is not proven').waitFor();
    expect(await page.getByText('address is blocked').count()).toBe(1);
    const start = page.getByRole('button', { name: 'Start the payment' });
    const amount = page.getByLabel('Type the amount in USDT (TRC20)');
    await amount.fill('420.25');
    await start.click();
    const sent = () => played.requests.filter(({ url }) => url.endsWith('/resend'));
    expect(sent()).toEqual([]);
    await page.getByLabel('I checked that nobody sent any of these payments again').check();
    await amount.fill('420');
    await start.click();
    await page.getByText('This is not the amount of the plan.').waitFor();
    expect(sent()).toEqual([]);
    expect(await troublesOf(page)).toEqual([]);
    await amount.fill('420.25');
    await start.click();
    await page.getByRole('heading', { level: 1, name: 'refunds-7731-r1' }).waitFor();
    expect(sent()).toMatchObject([
      {
        url: '/v1/batches/refunds-7731/resend',
        body: {
          confirm: [{ currency: 'USDT_TRC20', total: '420.25' }],
          nothingResentElsewhere: true,
        },
      },
    ]);
    const { submission } = (sent()[0]?.body ?? {}) as unknown as Readonly<{ submission: Signed }>;
    expect(submission).toMatchObject({
      decision: 'submit',
      person: 'bob',
      reason: 'nothing was resent elsewhere',
    });
    expect(isSignedBy(publicKey, statementText(submission), submission.signature)).toBe(true);
  });

  it('are paid again only by those who may submit', async () => {
    const page = await open((await play({ role: 'read' })).url, '/batches/refunds-7731');
    await page.getByText('resend.csv').first().waitFor();
    expect(await page.getByRole('link', { name: 'Look at them' }).count()).toBe(0);
  });
});
