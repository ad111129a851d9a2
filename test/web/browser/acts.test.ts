import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isSignedBy } from '../../../src/domain/approval/signature.ts';
import { type Approval, statementText } from '../../../src/domain/approval/statement.ts';
import { signInText } from '../../../src/domain/approval/sign-in.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { HOSTILE, PAYMENT_FILE, TO_CORRECT } from '../support/played-answers.mjs';
import { addPasskeyDevice, makePasskey, troublesOf, useWeb } from './support/web.ts';

/** Runs in the page, which has the DOM. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const FOCUSED = 'document.activeElement.textContent';

const fileOf = (name: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(PAYMENT_FILE),
});

describeInBrowser('a person', () => {
  const { play, open, tolerate } = useWeb();

  it('makes a passkey, signs in with it, and is where they wanted to be', async () => {
    tolerate(/401/);
    const played = await play();
    played.signOut();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    expect(publicKey).not.toBe('');
    expect(await troublesOf(page)).toEqual([]);
    await page.goto(`${played.url}/#/funds`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Money' }).waitFor();
    const sent = played.requests.find(({ url }) => url === '/v1/session')?.body ?? {};
    const { challenge, person, signature } = sent as Readonly<Record<string, string>>;
    const text = signInText({ origin: played.url, challenge: challenge ?? '' });
    expect([person, isSignedBy(publicKey, text, signature ?? '')]).toEqual(['bob', true]);
  });

  it('makes one passkey for one name', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    const made = await makePasskey(page, 'bob');
    const button = page.getByRole('button', { name: 'Make a passkey' });
    await button.click({ force: true });
    expect(await page.locator('pre').textContent()).toContain(made);
    expect(played.requests).toHaveLength(1);
    await page.getByLabel('Your name in Bursar').fill('carol');
    expect(await page.locator('pre').count()).toBe(0);
  });

  it('whose session has ended signs in again and stays on the page', async () => {
    tolerate(/401/);
    const played = await play();
    const page = await open(played.url, '/batches');
    played.signOut();
    await page.getByLabel('State').selectOption('done');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const reason = page.getByText('You were signed out: the server was restarted or');
    await reason.waitFor();
    expect(await troublesOf(page)).toEqual([]);
    await page.reload();
    await reason.waitFor();
    await page.getByRole('link', { name: 'Make a passkey' }).click();
    await addPasskeyDevice(page);
    await makePasskey(page, 'bob');
    await page.goBack();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    expect(page.url()).toContain('#/batches?state=done');
  });

  it('approves exactly the plan that they saw, and reads what they signed', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    played.usePasskey(publicKey);
    await page.goto(`${played.url}/#/batches/payroll-2026-12/approve`);
    await page.getByText('132,408.20').first().waitFor();
    await page.getByRole('row', { name: /Zoë Fox/ }).waitFor();
    const facts = await page.locator('dl.facts').first().innerText();
    for (const fact of ['Sheet\nDecember', 'Column read as: Amount\nNet', '3 days']) {
      expect(facts).toContain(fact);
    }
    expect(facts).toMatch(/Columns that are not read\n<img /);
    expect(facts).toContain('the comma is the decimal sign');
    // Without a click, and above the other findings: people compare the two addresses.
    expect(
      await page.locator('.findings > li').first().locator('.change').first().innerText(),
    ).toMatch(/^Before\s+TJRab\w+ last paid in batch payroll-2026-11 on .*\s+Now\s+TN3W4\w+$/);
    await page.getByLabel('Reason').fill('checked with HR');
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByText('This is what you signed').first().waitFor();
    expect(await page.evaluate(FOCUSED)).toMatch(/^You approved it/);
    const { verdict, approval } = (played.requests.at(-1)?.body ?? {}) as unknown as Readonly<{
      verdict: string;
      approval: Approval & Readonly<{ signature: string }>;
    }>;
    expect([verdict, approval]).toMatchObject([
      'approve',
      { batchId: 'payroll-2026-12', decision: 'approve', person: 'bob', reason: 'checked with HR' },
    ]);
    expect(Date.parse(approval.expiresAt) - Date.parse(approval.issuedAt)).toBe(72 * 3_600_000);
    expect(isSignedBy(publicKey, statementText(approval), approval.signature)).toBe(true);
    expect(await page.locator('pre').innerText()).toMatch(
      /^bursar-approval\/v1\nbatch "payroll-2026-12"\nsubject /,
    );
    expect(await troublesOf(page)).toEqual([]);
  });

  it('gives a reason to refuse', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    played.usePasskey(await makePasskey(page, 'bob'));
    await page.goto(`${played.url}/#/batches/payroll-2026-12/approve`);
    await page.getByRole('button', { name: 'Refuse with passkey' }).click();
    await page.getByText('Please give a reason to refuse.').waitFor();
    expect(await troublesOf(page)).toEqual([]);
    await page.getByLabel('Reason').fill('wrong month');
    await page.getByRole('button', { name: 'Refuse with passkey' }).click();
    await page.getByText('This is what you signed').first().waitFor();
    expect(played.requests.at(-1)?.body).toMatchObject({
      verdict: 'refuse',
      approval: { decision: 'refuse', reason: 'wrong month' },
    });
  });

  it('without a passkey in the settings of the batch reads that they cannot decide here', async () => {
    const played = await play();
    played.usePasskey('ed25519:AAAA');
    const page = await open(played.url, '/batches/payroll-2026-12/approve');
    await page.getByText('You cannot decide here').waitFor();
    expect(await page.getByRole('button', { name: /with passkey/ }).count()).toBe(0);
  });

  it('who only looks at a batch that waits for nobody has tried nothing', async () => {
    const played = await play();
    const page = await open(played.url, '/batches/refunds-7731/approve');
    await page.getByText('This batch waits for no decision.').waitFor();
    expect(played.requests).toEqual([]);
    expect(await troublesOf(page)).toEqual([]);
  });

  it('who submitted a batch reads that others must approve it', async () => {
    const played = await play();
    played.usePasskey('passkey:localhost:ES256:AAAA', { submittedBy: 'bob' });
    const page = await open(played.url, '/batches/payroll-2026-12/approve');
    await page.getByText('other people must approve it').waitFor();
    expect(await page.getByRole('button', { name: /with passkey/ }).count()).toBe(0);
  });

  it('a page of payments says on paper that it is not all of them', async () => {
    const page = await open((await play()).url, '/batches/refunds-7731');
    const remark = page.getByText(/This page has \d+ of [\d,]+ payments\. report\.csv has all/);
    await remark.waitFor({ state: 'attached' });
    expect(await remark.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    await remark.waitFor();
  });

  it('reads on screen and on paper who approved a batch that has ended, why, and how it was signed', async () => {
    const page = await open((await play()).url, '/batches/refunds-7731');
    const said = page.getByRole('region', { name: 'Approvals' }).getByRole('listitem');
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      await said.first().waitFor();
      expect(await said.allInnerTexts()).toEqual([
        expect.stringMatching(/^bob approved .*, signed with a passkey\s+Reason: checked with HR$/),
        expect.stringMatching(/^carol approved .*, signed with a key file\s+Reason: <img /),
        expect.stringMatching(/^carol approved \(a stop of the payment\) .*, without a signature/),
      ]);
    }
    expect(await page.getByRole('link', { name: 'Review and decide' }).count()).toBe(0);
    expect(await troublesOf(page)).toEqual([]);
  });

  it.each(['en-GB', 'de-DE'])(
    'offers each CSV file of a report for Excel, in %s',
    async (locale) => {
      const page = await open((await play()).url, '/batches/refunds-7731', { locale });
      for (const file of ['report', 'failed', 'resend', 'investigate']) {
        const link = page.getByRole('link', { name: `Excel: ${file}.xlsx` });
        await link.waitFor();
        expect(await link.textContent()).toBe('Excel');
        expect(await link.getAttribute('href')).toBe(
          `/v1/batches/refunds-7731/report/${file}.xlsx`,
        );
      }
      expect(await page.getByRole('link', { name: 'Excel' }).count()).toBe(4);
    },
  );

  it('pauses a batch with a reason', async () => {
    const played = await play();
    const page = await open(played.url, '/batches/contractors-48');
    await page.getByRole('button', { name: 'Pause contractors-48' }).click();
    await page.getByLabel('Reason').fill('wait for HR');
    expect(await troublesOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.locator('.announcements').getByText('It is paused.').waitFor();
    expect(played.requests.at(-1)).toMatchObject({
      url: '/v1/batches/contractors-48/pause',
      body: { reason: 'wait for HR' },
    });
  });

  it('sees a batch go on by itself', async () => {
    const page = await open((await play()).url, '/batches/contractors-48');
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText(/rows\/s, about .* left/).waitFor();
    const curve = page.getByRole('img', { name: 'Since this page was opened' });
    await curve.waitFor();
    expect(await curve.locator('desc').textContent()).toMatch(
      /^From 7,683 to (?!7,683)[\d,]+ of 12,400/,
    );
    await page.getByText('The numbers as a table').click();
    await page.getByRole('cell', { name: '7,683', exact: true }).first().waitFor();
    expect(await troublesOf(page)).toEqual([]);
  });
});

describeInBrowser('a new payment', () => {
  const { play, open, tolerate } = useWeb();

  it('has an example file to fill in', async () => {
    const page = await open((await play()).url, '/new');
    for (const name of ['example.xlsx', 'example.csv']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path()).length).toBeGreaterThan(50);
    }
    expect(await troublesOf(page)).toEqual([]);
  });

  it('with errors shows the wrong cells, and gives the file with its errors back', async () => {
    const page = await open((await play()).url, '/new');
    await page.locator('input[type=file]').setInputFiles(fileOf('wrong.csv'));
    await page.getByText('2 of 4 rows are wrong').waitFor();
    expect(await page.getByText('2 rows of the file are wrong.').count()).toBe(0);
    await page.getByText('This file cannot be paid as it is.').waitFor();
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(await page.locator('.wrong-cell').allTextContents()).toEqual([
      expect.stringContaining('3,135.50'),
      expect.stringContaining('TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLS'),
    ]);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await troublesOf(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file with its errors' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('wrong-errors.csv');
    expect(readFileSync(await download.path(), 'utf8')).toBe(TO_CORRECT);
    await page.getByText('This file cannot be paid as it is.').waitFor();
  });

  it('asks for the sheet, for unknown columns and for commas, and guesses nothing', async () => {
    // The questions are problems of the file.
    tolerate(/422/);
    const played = await play();
    const page = await open(played.url, '/new');
    const readIt = page.getByRole('button', { name: 'Read the file' });
    await page.locator('input[type=file]').setInputFiles(fileOf('payroll.xlsx'));
    await page.getByRole('heading', { name: 'Which sheet is to be paid?' }).waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await troublesOf(page)).toEqual([]);
    await page.getByLabel('December').check();
    await readIt.click();

    const net = page.getByLabel('The column Net');
    await net.waitFor();
    await page.getByText('1200,50 · <img').waitFor();
    expect(await net.locator('option:checked').textContent()).toBe('Amount (suggested)');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await troublesOf(page)).toEqual([]);
    await readIt.click();
    const other = page.getByLabel('The column <img');
    await other.selectOption('address');
    await page.getByLabel('I have compared this with my file.').check();
    await readIt.click();
    expect(await page.getByText('Another column is used for this already.').count()).toBe(2);
    expect(played.requests.filter(({ url }) => url === '/v1/plans')).toHaveLength(2);
    await other.selectOption('ignore');
    await readIt.click();

    await page.getByText('1200.50', { exact: true }).waitFor();
    await page.getByText('row 42: not the sum of the payments').waitFor();
    // Wrong rows first: that the sum differs follows from them.
    expect(
      await page.getByRole('region', { name: 'Problems of the file' }).first().innerText(),
    ).toMatch(/Net[^]*1200,50[^]*The amounts of the file sum up/);
    expect(await page.evaluate(FOCUSED)).toContain('Problems of the file');
    const comma = page.getByLabel('Yes, the comma is the decimal sign');
    expect(await comma.isChecked()).toBe(false);
    expect(await page.getByRole('row', { name: /2 Net 1200,50/ }).count()).toBe(1);
    expect(await troublesOf(page)).toEqual([]);
    await comma.check();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page.getByRole('row', { name: /2 Net 1200,50/ }).waitFor({ state: 'detached' });
    await page.getByText('row 42: the sum of the payments').waitFor();
    expect(played.requests.at(-1)?.body).toMatchObject({
      choices: {
        form: {
          sheet: 'December',
          decimalComma: true,
          columns: { address: 'Wallet Adress', amount: 'Net' },
          ignoreColumns: [HOSTILE],
        },
      },
    });

    const first = played.requests.at(-1)?.body;
    await page.getByRole('link', { name: 'Money' }).click();
    await page.getByRole('link', { name: 'New payment' }).click();
    await page.locator('input[type=file]').setInputFiles(fileOf('corrected.xlsx'));
    const asBefore = page.getByRole('region', { name: 'Read like your last file' });
    await asBefore.waitFor();
    expect(await asBefore.innerText()).toMatch(/December[^]*Wallet Adress[^]*Net[^]*<img /);
    expect(played.requests.at(-1)?.body).toEqual({
      ...first,
      file: { sha256: expect.any(String), name: 'corrected.xlsx' },
    });
    expect(await comma.isChecked()).toBe(true);
    expect(await page.getByRole('row', { name: /2 Net 1200,50/ }).count()).toBe(0);
    expect(await troublesOf(page)).toEqual([]);
    await asBefore.getByRole('button', { name: 'Answer again' }).click();
    await page.getByRole('heading', { name: 'Which sheet is to be paid?' }).waitFor();
  });

  it('is started by the total that the person types, with each finding confirmed', async () => {
    const played = await play();
    const page = await open(played.url, '/new');
    await page.locator('input[type=file]').setInputFiles(fileOf('good.csv'));
    await page.getByText('Read the warnings above').waitFor();
    expect(await page.getByText('Problems of the file').count()).toBe(0);
    const again = page.locator('.findings > li', { hasText: 'already submitted' });
    await again.locator('summary').click();
    expect(await again.locator('.examples').innerText()).toBe(
      'The file: batch payroll-2026-11 (Completed)',
    );
    const earlier = again.getByRole('link', { name: 'batch payroll-2026-11' });
    expect(await earlier.getAttribute('href')).toBe('#/batches/payroll-2026-11');
    for (const box of await page.getByLabel('I have checked this').all()) await box.check();
    await page.getByText('You have changed something.').waitFor();
    await page.getByLabel('Name of the batch').fill('payroll-dec');
    await page.getByRole('button', { name: 'Update the plan' }).click();
    const amount = page.getByLabel('Type the amount in USDT (TRC20)');
    await amount.fill('132408.1');
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByText('This is not the amount of the plan.').waitFor();
    expect(await troublesOf(page)).toEqual([]);
    expect(played.requests.map(({ url }) => url)).not.toContain('/v1/batches');
    await amount.fill('132,408.20');
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'payroll-dec' }).waitFor();
    const submitted = played.requests.find(({ url }) => url === '/v1/batches');
    expect(submitted?.body).toMatchObject({
      plan: {
        batchId: 'payroll-dec',
        choices: { accept: ['ADDRESS_CHANGED', 'DUPLICATE_ROW', 'SAME_FILE_AGAIN'] },
      },
      confirm: [{ currency: 'USDT_TRC20', total: '132408.2' }],
    });
  });

  it('that was there before is not said to be started', async () => {
    const page = await open((await play()).url, '/new');
    await page.locator('input[type=file]').setInputFiles(fileOf('good.csv'));
    await page.getByText('Read the warnings above').waitFor();
    for (const box of await page.getByLabel('I have checked this').all()) await box.check();
    const name = page.getByLabel('Name of the batch');
    await page.getByText('Left empty: payroll-2026-12-9f2c1d7a').waitFor();
    await name.fill('payroll-again');
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page.getByText('You have changed something.').waitFor({ state: 'detached' });
    expect(await page.getByText('Left empty: payroll-again').count()).toBe(0);
    await page.getByText('The plan is updated.').waitFor();
    expect(await page.getByText('good.csv was read.').count()).toBe(0);
    await page.getByLabel('Type the amount in USDT (TRC20)').fill('132408.2');
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByText('This batch was submitted before. Nothing new was started.').waitFor();
  });

  it('takes a currency for the rows that name none, and names no flag of the command line', async () => {
    const played = await play();
    const page = await open(played.url, '/new');
    await page.locator('input[type=file]').setInputFiles(fileOf('no-currency.csv'));
    const currency = page.getByLabel('Currency of the rows that name none');
    await currency.waitFor();
    const reason = page.getByText('or choose the currency of such rows on this page');
    await reason.first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain('--');
    expect(await troublesOf(page)).toEqual([]);
    await currency.selectOption('USDT (TRC20)');
    await page.getByText('You have changed something.').waitFor();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await reason.first().waitFor({ state: 'detached' });
    expect(played.requests.at(-1)?.body).toMatchObject({ choices: { currency: 'USDT_TRC20' } });
  });

  it('that needs a signature is signed before it is sent, and sent once', async () => {
    const played = await play();
    const page = await open(played.url, '/passkey');
    await addPasskeyDevice(page);
    const publicKey = await makePasskey(page, 'bob');
    await page.goto(`${played.url}/#/new`);
    await page.locator('input[type=file]').setInputFiles(fileOf('signed.csv'));
    await page.getByText('Read the warnings above').waitFor();
    for (const box of await page.getByLabel('I have checked this').all()) await box.check();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page.getByLabel('Type the amount in USDT (TRC20)').fill('132408.2');
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'payroll-2026-12-9f2c1d7a' }).waitFor();
    await page.getByText('It is paid once enough people have approved it.').waitFor();
    const submitted = played.requests.filter(({ url }) => url === '/v1/batches');
    const { submission } = (submitted[0]?.body ?? {}) as unknown as Readonly<{
      submission: Approval & Readonly<{ signature: string }>;
    }>;
    expect(submission).toMatchObject({ decision: 'submit', person: 'bob' });
    expect(isSignedBy(publicKey, statementText(submission), submission.signature)).toBe(true);
    expect(submitted).toHaveLength(1);
  });

  it('is only for people who may submit', async () => {
    const page = await open((await play({ role: 'read' })).url, '/new');
    await page.getByText('To submit payments you need the role').waitFor();
    expect(await page.getByRole('link', { name: 'New payment' }).count()).toBe(0);
  });
});
