import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { formula, sheetOf, type TestCell } from '../ingest/support/workbook.ts';
import { describeInBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { freePort } from '../support/free-port.ts';
import { workbookRows } from '../report/support/workbook-rows.ts';
import { readReport } from '../support/oracle.ts';
import { personAtAdminApi } from '../support/person.ts';
import { sampleRows } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { newBatchId, startTestStack, type TestStack } from '../support/test-stack.ts';
import { addPasskeyDevice, troublesOf, useWeb } from '../web/browser/support/web.ts';
import { startCuttable } from './support/cuttable.ts';
import { startServe } from './support/served.ts';

jest.setTimeout(600_000);

/** A worker that has just started plans its first batch slowly on a busy machine. */
const WORKER_MS_MAX = 180_000;

const HOSTILE = '<img src=x onerror=document.title=1>';
const FILE_NAME = `${HOSTILE}.xlsx`;
const HEAD = ['address', 'amount', 'currency', 'comment', 'reference'];
const rows = sampleRows({ rows: 6, currencies: ['USDT_TRC20'] });
/** The sum of the amounts of the rows, as a person types it. */
const TOTAL = '21.21';

const cellsOf = (i: number): TestCell[] => {
  const { address = '', amount = '', currency = '' } = rows[i] ?? {};
  return [address, amount, currency, i === 1 ? HOSTILE : 'Salary', `EMP-${i + 1}`];
};
const good = rows.map((_, i) => cellsOf(i));
/** A wrong address, an amount with a comma, and a formula, each in a row of its own. */
const wrong = good.map((cells, i) => {
  if (i === 1) return [`${rows[1]?.address.slice(0, -1) ?? ''}1`, ...cells.slice(1)];
  if (i === 3) return [...cells.slice(0, 1), '4,04', ...cells.slice(2)];
  return i === 4 ? [...cells.slice(0, 1), formula('B2*5', '5.05'), ...cells.slice(2)] : cells;
});

const workbook = (cells: readonly (readonly TestCell[])[]) => ({
  name: FILE_NAME,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: sheetOf([HEAD, ...cells]),
});

let stack: TestStack;
let served: Awaited<ReturnType<typeof startServe>>;
let wire: Awaited<ReturnType<typeof startCuttable>>;
let origin: string;

/** Writes the settings of everybody, and starts the server with them. */
async function serveWith(settings: string): Promise<void> {
  await served?.stop();
  writeFileSync(join(stack.folder, 'bursar.toml'), settings);
  served = await startServe(stack.env, stack.folder);
}

/** Makes a passkey on the page. Returns the lines that it shows for the operator. */
async function enrol(page: Page, name: string): Promise<string> {
  await addPasskeyDevice(page);
  await page.getByLabel('Your name in Bursar').fill(name);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  return (await page.locator('pre').textContent()) ?? '';
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${origin}/#/`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'To do' }).waitFor();
}

/** Two of finance approve everything. */
const TIER = '[[approval.tiers]]\nabove = "0"\napprovals = 2\nroles = ["finance"]\n';

describeInBrowser('three people of finance, without a command line', () => {
  const { open, tolerate } = useWeb();

  beforeAll(async () => {
    const [port, outside] = [await freePort(), await freePort()];
    origin = `http://localhost:${outside}`;
    wire = await startCuttable(port, outside);
    stack = await startTestStack({
      folder: sharedFolder(),
      without: ['worker'],
      env: { BURSAR_SERVE_LISTEN: `127.0.0.1:${port}`, BURSAR_SERVE_ORIGIN: origin },
    });
    await serveWith('');
  });
  afterAll(async () => {
    await served?.stop();
    await wire?.stop();
    await stack?.stop();
  });

  /** Everybody has a browser and a passkey of their own. The operator adds the lines of the pages, and starts the programs. */
  async function peopleSignIn() {
    const [alice, bob, carol] = [
      await open(origin, '/passkey'),
      await open(origin, '/passkey'),
      await open(origin, '/passkey'),
    ];
    const mayPay = `${await enrol(alice, 'alice')}\nroles = ["finance"]\nweb_role = "submit"`;
    const others = [await enrol(bob, 'bob'), await enrol(carol, 'carol')];
    const people = [mayPay, ...others.map((lines) => `${lines}\nroles = ["finance"]`)];
    await serveWith([TIER, ...people].join('\n'));
    await stack.start('worker');
    for (const page of [alice, bob, carol]) await signIn(page);
    return { alice, bob, carol };
  }

  /** Hands in the wrong workbook, then the corrected one, and pays that. */
  async function submit(page: Page, batchId: string): Promise<void> {
    await page.getByRole('link', { name: 'New payment' }).first().click();
    const input = page.locator('input[type=file]');
    await input.setInputFiles(workbook(wrong));
    await page.getByText('3 of 6 rows are wrong').waitFor();
    const told = (await page.locator('main').textContent()) ?? '';
    for (const part of ['its checksum is wrong', '"4,04"', 'B6 holds a formula']) {
      expect(told).toContain(part);
    }
    await page.getByText('This file cannot be paid as it is.').waitFor();
    expect(await troublesOf(page)).toEqual([]);

    await input.setInputFiles(workbook(good));
    const rule = page.getByRole('heading', { name: 'Who must approve' }).locator('..');
    expect(await rule.textContent()).toMatch(/2 .*finance/);
    await page.getByLabel('Name of the batch').fill(batchId);
    for (const box of await page.getByLabel('I have checked this').all()) await box.check();
    await page.getByRole('button', { name: 'Update the plan' }).click();
    await page.getByLabel('Type the amount in USDT (TRC20)').fill(TOTAL);
    await page.getByRole('button', { name: 'Start the payment' }).click();
    await page.getByRole('heading', { level: 1, name: batchId }).waitFor();
    await page.getByText('Still needed:').first().waitFor({ timeout: WORKER_MS_MAX });
  }

  async function approve(page: Page, batchId: string): Promise<void> {
    await page.getByRole('button', { name: 'Approve with passkey' }).click();
    await page.getByText('This is what you signed').first().waitFor();
    expect(await page.locator('pre').textContent()).toContain(batchId);
  }

  it('enrol, correct a workbook, sign, approve together, see it paid, and find and keep the proof', async () => {
    // Nobody is signed in at first, a submit must be signed, a batch is not registered yet, and the connection is cut once.
    tolerate(/401|403|404|ERR_/);
    const batchId = newBatchId();
    const control = sandboxControl(stack.sandboxUrl);
    await control.demandConfirmations(1);
    const { alice, bob, carol } = await peopleSignIn();
    await submit(alice, batchId);

    for (const page of [bob, carol]) {
      await page.goto(`${origin}/#/`);
      await page.getByRole('link', { name: `Review and decide ${batchId}` }).click();
      await page.getByText(TOTAL).first().waitFor();
      await page.getByText(FILE_NAME).first().waitFor();
    }
    await Promise.all([approve(bob, batchId), approve(carol, batchId)]);

    const massPayout = await eventually('the mass payout waits for a confirmation', async () => {
      const found = await control.massPayoutOf(batchId, 0);
      return found?.state === 'PENDING_CONFIRMATION' ? found.id : undefined;
    });
    await alice.getByText('live', { exact: true }).waitFor();
    const follows = alice.waitForRequest((request) => request.url().endsWith('/events'));
    expect(wire.cut()).toBeGreaterThan(0);
    await follows;
    await alice.getByText('live', { exact: true }).waitFor();
    await personAtAdminApi(stack.sandboxUrl).confirm(massPayout);
    await alice.getByRole('link', { name: 'report.csv' }).waitFor();

    await alice.getByRole('link', { name: 'Batches', exact: true }).first().click();
    await alice.getByLabel('Find by reference, name, address or id').first().fill('EMP-2');
    await alice.getByRole('button', { name: 'Find' }).first().click();
    await alice.getByRole('link', { name: new RegExp(`${batchId} *row 3`) }).click();
    await alice
      .getByText(rows[1]?.address ?? '')
      .first()
      .waitFor();
    await alice.getByText(HOSTILE).first().waitFor();
    for (const page of [alice, bob, carol]) {
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.title()).toMatch(/ · Bursar$/);
    }

    await alice.goto(`${origin}/#/batches/${batchId}`);
    const [download] = await Promise.all([
      alice.waitForEvent('download'),
      alice.getByRole('link', { name: 'report.csv' }).click(),
    ]);
    const dir = join(stack.folder, 'runs', batchId);
    const proof = readFileSync(await download.path(), 'utf8');
    expect(proof).toBe(readFileSync(join(dir, 'report.csv'), 'utf8'));
    const [inExcel] = await Promise.all([
      alice.waitForEvent('download'),
      alice.getByRole('link', { name: 'Excel: report.xlsx' }).click(),
    ]);
    const cells = await workbookRows(readFileSync(await inExcel.path()));
    expect(cells.map((row) => row.slice(0, 4).join(','))).toEqual(
      proof
        .replace('\uFEFF', '')
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 4).join(',')),
    );
    await expectExactlyOnce(stack.sandboxUrl, dir, rows);
    const { approvals } = readReport(dir);
    expect(new Set(approvals.given.map(({ person, proof: how }) => `${person} ${how}`))).toEqual(
      new Set(['bob signed', 'carol signed']),
    );
  });
});
