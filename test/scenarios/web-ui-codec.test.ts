import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Stack, startStack } from '../../src/local-stack/index.ts';
import { loadSettings, readCodecTokens } from '../../src/config.ts';
import { batchWorkflowId } from '../../src/contract/names.ts';
import { workflowPage } from '../../src/contract/web-pages.ts';
import { buildUrl } from '../support/child.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startProcess } from '../support/test-process.ts';
import { runCommand } from '../support/cli/run-command.ts';

jest.setTimeout(600_000);

const BATCH = 'payroll-2026-11';
/** How the web UI shows that a payload is encrypted: bytes in base64. */
const ENCRYPTED = Buffer.from('binary/encrypted').toString('base64');
/** A step that never comes to its end is named before the test's time is over. Milliseconds. */
const STEP_MS_MAX = 60_000;

describeInBrowser("an encrypted stack and Temporal's web UI", () => {
  let stack: Stack;
  let browser: Browser;
  let cwd: string;
  const bursar = (args: readonly string[], other: Record<string, string> = {}) =>
    runCommand({ args, env: { ...(stack.env as Record<string, string>), ...other }, cwd });

  beforeAll(async () => {
    cwd = join(sharedFolder(), 'stack');
    mkdirSync(cwd);
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      BURSAR_SANDBOX_STEP_MS: '50',
    };
    stack = await startStack({
      settings: loadSettings({ env, cwd: () => cwd }),
      env,
      cwd,
      encrypt: true,
      ports: 'free',
      temporalPorts: { grpc: 0, ui: 0 },
      say: () => undefined,
    });
    const file = join(cwd, 'payroll.csv');
    writeSample(file, sampleRows({ rows: 3, currencies: ['USDT_TRC20'] }));
    expect(await bursar(['submit', file, '--id', BATCH, '--yes'])).toMatchObject({ code: 0 });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Opens the page of the batch, and waits until it shows this text; answers with everything that it shows. */
  async function readBatchPage(context: BrowserContext, awaited: string): Promise<string> {
    const page = await context.newPage();
    const ui = { uiUrl: stack.addresses.ui, namespace: 'default' };
    await page.goto(workflowPage(ui, batchWorkflowId(BATCH)));
    const body = page.locator('body');
    await body.filter({ hasText: awaited }).waitFor({ timeout: STEP_MS_MAX });
    return body.innerText();
  }

  it('shows the decrypted input of a batch', async () => {
    const context = await browser.newContext();
    const shown = await readBatchPage(context, '"sha256"');
    expect(shown).not.toContain(ENCRYPTED);
    await context.close();
  });

  it('shows nothing but ciphertext when the codec server does not answer', async () => {
    const context = await browser.newContext();
    await context.route(`${stack.addresses.codecServer}/**`, (route) => route.abort());
    const shown = await readBatchPage(context, ENCRYPTED);
    expect(shown).toContain('Codec Server could not connect');
    expect(shown).not.toContain('sha256');
    await context.close();
  });

  it('gives no other page anything decrypted, even one that has the token', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stack.addresses.bridge}/health`);
    const [token] = readCodecTokens(join(cwd, '.bursar/codec-token'));
    const ask = (url: string) =>
      page.evaluate(
        (address) =>
          fetch(address, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-namespace': 'default' },
            body: '{"payloads":[]}',
          }).then(
            ({ status }) => status,
            () => 'refused',
          ),
        url,
      );
    expect(await ask(`${stack.addresses.codecServer}/${token}/decode`)).toBe('refused');
    await page.goto(stack.addresses.ui);
    expect(await ask(`${stack.addresses.codecServer}/${token}/decode`)).toBe(200);
    expect(await ask(`${stack.addresses.codecServer}/${'a'.repeat(43)}/decode`)).toBe('refused');
    await context.close();
  });

  it('lets no command without the keys start a batch in clear, and no such worker start', async () => {
    const file = join(cwd, 'bonus.csv');
    writeSample(file, sampleRows({ rows: 3, from: 3, currencies: ['USDT_TRC20'] }));
    const noRing = { BURSAR_TEMPORAL_KEY_RING_FILE: '' };
    const refused = await bursar(['submit', file, '--id', 'bonus', '--yes'], noRing);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('KEY_RING_MISSING') });
    const env = { ...(stack.env as Record<string, string>), ...noRing };
    const module = fileURLToPath(buildUrl('programs/worker.js'));
    await expect(startProcess({ module, env, cwd, ready: /worker ready/ })).rejects.toThrow(
      'KEY_RING_MISSING',
    );
  });
});
