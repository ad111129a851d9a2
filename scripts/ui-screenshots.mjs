#!/usr/bin/env node
/**
 * Plays batches and a schedule on a local stack of its own and takes the pictures of Temporal's web UI for the README.
 * Needs the build, and a Chromium: CHROMIUM, or the one of Debian. Writes to docs/images, and takes two minutes or three.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs', 'images');
const STARTER = join(ROOT, 'build/programs/starter.js');
const { testAddress } = await import('../packages/sandbox/build/index.js');

const VIEWPORT = { width: 1400, height: 840 };
/** How long anything may take, a run of the schedule included. */
const WAIT_MS_MAX = 180_000;

/** Two of finance approve what is above 100,000. A lost answer is decided in seconds, by a person. */
const SETTINGS = `
[operator]
name = "alice"
[api]
resend = "operator"
timestamp_window_ms = 2000
fence_margin_ms = 2000
send_budget_ms = 1000
skew_ms = 0
[poll]
min_ms = 500
[[approval.tiers]]
above = "100000"
approvals = 2
roles = ["finance"]
must_include = ["cfo"]
`;

const ERC20 = { currency: 'USDC_ERC20', network: 'EVM' };
const BALANCES = JSON.stringify({ USDT_TRC20: '400000', USDC_ERC20: '50000' });

const folder = mkdtempSync(join(tmpdir(), 'bursar-ui-screenshots-'));
const base = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
let env = base;
let stack;
let browser;
let paid = 0;

try {
  await writeSettings();
  ({ stack, env } = await startStack());
  await playStory();
  // Containers run as root, and then Chromium refuses to isolate itself.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args });
  mkdirSync(IMAGES, { recursive: true });
  await shootAll();
} finally {
  await browser?.close();
  stack?.kill('SIGINT');
  if (stack !== undefined) await once(stack, 'close');
  rmSync(folder, { recursive: true, force: true });
}

async function writeSettings() {
  const people = [];
  for (const [name, roles] of Object.entries({ bob: ['finance'], carol: ['finance', 'cfo'] })) {
    const { publicKey } = await json('keys', 'new', name);
    const lines = [`name = "${name}"`, `public_key = "${publicKey}"`];
    people.push(`[[approval.people]]\n${lines.join('\n')}\nroles = ${JSON.stringify(roles)}\n`);
  }
  writeFileSync(join(folder, 'bursar.toml'), SETTINGS + people.join(''));
}

async function startStack() {
  const child = spawn(process.execPath, [STARTER, 'up', '--free-ports', '-o', 'json'], {
    cwd: folder,
    env: { ...base, BURSAR_SANDBOX_STEP_MS: '100', BURSAR_SANDBOX_BALANCES: BALANCES },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (part) => {
      printed += part;
      if (printed.endsWith('}\n')) resolve(printed);
    });
    child.once('close', () => reject(new Error('The stack ended before it was up.')));
  });
  return { stack: child, env: { ...base, ...JSON.parse(text).env } };
}

/** A batch in every state in which somebody looks at it, and a schedule. */
async function playStory() {
  await scheduleRent();
  // A create that never arrives, so that a person must look.
  await json('sandbox', 'faults', 'add', 'drop-before', '--target', 'MASS_CREATE', '--next', '1');
  await submit('affiliates', rows({ count: 24, amount: '85.75' }));
  await untilStatus('affiliates', ({ needsOperator }) => needsOperator.length > 0);
  await submit('october-payroll', rows({ count: 60, amount: '1310.25' }));
  await untilState('october-payroll', 'COMPLETED');
  const failing = { 4: '0001', 18: '0002' };
  await submit('november-payroll', rows({ count: 60, amount: '1320.4', failing }));
  await untilState('november-payroll', 'PARTIAL');
  await submit('november-bonuses', rows({ count: 120, amount: '1500' }));
  await untilState('november-bonuses', 'AWAITING_APPROVAL');
  const total = ['--confirm', '180000:USDT_TRC20'];
  await json('approve', 'november-bonuses', '--key', 'bursar-bob.key', ...total);
  await submit('suppliers', rows({ count: 12, amount: '1204.5' }), { flags: ['--at', inDays(3)] });
  await untilState('suppliers', 'SCHEDULED');
  await submit('contractors', rows({ count: 30, amount: '2400' }), {
    flags: ['--funds', 'wait:2d'],
  });
  await untilState('contractors', 'AWAITING_FUNDS');
  const more = { BURSAR_BATCH_CHUNK_ROWS: '2', BURSAR_BATCH_CHUNKS_IN_FLIGHT: '1' };
  await submit('refunds', refunds(), { flags: ['--stop-loss', '10%'], more });
  await untilStatus('refunds', ({ holds }) => holds.length > 0);
  await untilScheduled();
}

/** Many small chunks of which the first ones fail, so that the stop-loss holds the rest. */
function refunds() {
  const failing = Object.fromEntries([1, 3, 5, 7, 9].map((row) => [row, '0001']));
  return rows({ count: 60, amount: '41.5', failing, ...ERC20 });
}

function inDays(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** Rows that nobody else is paid by: an address in two files is a finding. */
function rows({ count, amount, currency = 'USDT_TRC20', network = 'TRON', failing = {} }) {
  return Array.from({ length: count }, (_, at) => {
    paid += 1;
    const address = testAddress(failing[at + 1] ?? '0000', paid, network);
    return `${address},${amount},${currency},E-${1000 + paid}`;
  });
}

function writeFile(path, lines) {
  writeFileSync(join(folder, path), ['address,amount,currency,reference', ...lines, ''].join('\n'));
}

async function submit(name, lines, { flags = [], more = {} } = {}) {
  const file = `${name}.csv`;
  writeFile(file, lines);
  await bursar(['submit', file, '--id', name, '--yes', '--detach', ...flags], { more, code: 8 });
}

/** A schedule whose first run begins at the minute after next. */
async function scheduleRent() {
  mkdirSync(join(folder, 'incoming'));
  const due = new Date(Date.now() + 120_000);
  const day = due.toISOString().slice(0, 10);
  writeFile(`incoming/rent-${day}.csv`, rows({ count: 9, amount: '940', ...ERC20 }));
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  const when = ['--cron', cron, '--timezone', 'UTC'];
  await bursar(['schedule', 'create', 'rent', ...when, '--file', 'rent-{date}.csv', '--yes']);
}

function untilScheduled() {
  return until('the schedule has run', async () => {
    const { lastRuns } = await json('schedule', 'show', 'rent');
    return lastRuns.some(({ detail }) => detail === 'COMPLETED');
  });
}

function untilState(batchId, wanted) {
  return untilStatus(batchId, ({ state }) => state === wanted);
}

function untilStatus(batchId, isReached) {
  const ask = async () => isReached(await json('status', batchId));
  return until(`${batchId} is where it should be`, ask);
}

async function until(what, isSo) {
  for (const startMs = Date.now(); Date.now() - startMs < WAIT_MS_MAX; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`It did not come to this in time: ${what}`);
}

async function json(...args) {
  return JSON.parse(await bursar([...args, '-o', 'json']));
}

/** Runs a command of ours to its end; answers with what it printed. */
async function bursar(args, { code: wanted = 0, more = {} } = {}) {
  const child = spawn(process.execPath, [STARTER, ...args], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  if (code !== wanted) throw new Error(`bursar ${args.join(' ')}: ${code}\n${out}${err}`);
  return out;
}

/** What the pictures show: the columns that a person chooses with the wheel below the list. */
function chooseColumns() {
  const labels = ['Status', 'Workflow ID', 'BursarState', 'BursarRows', 'BursarHeld'];
  const columns = [...labels, 'BursarNeedsOperator'].map((label) => ({ label }));
  localStorage.setItem('namespace-workflow-table-columns', JSON.stringify({ default: columns }));
}

async function shootAll() {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(chooseColumns);
  const page = await context.newPage();
  // Each link is opened once, as a person does, and so kept as a view. The last one lists all open batches.
  const { views } = await json('ui', 'views');
  const lists = views.filter(({ query }) => query !== null);
  for (const { url } of lists) await open(page, url, 'Saved Views');
  await page.getByText('batch/suppliers').waitFor();
  await shoot(page, 'ui-batches');
  const batches = lists.at(-1).url.replace(/\?.*/, '');
  // Frames keep the height that they have when they are loaded.
  await page.setViewportSize({ width: 1280, height: 930 });
  await openDetails(page, `${batches}/batch%2Fnovember-bonuses`);
  await shoot(page, 'ui-approval');
  await openDetails(page, `${batches}/batch%2Frefunds`);
  await shoot(page, 'ui-held');
  await open(page, batches.replace(/workflows$/, 'schedules/bursar%2Frent'), 'Upcoming Runs');
  await shoot(page, 'ui-schedule');
}

async function open(page, url, text) {
  await page.goto(url);
  await page.getByText(text).first().waitFor();
}

/** The page of a workflow, where it tells its story. */
async function openDetails(page, url) {
  await open(page, url, 'User Metadata');
  await page.getByText('User Metadata').first().click();
  await page.frameLocator('iframe').last().getByText('Digest of the plan').waitFor();
}

async function shoot(page, name) {
  // Lists, frames and badges need a moment to come to rest.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}
