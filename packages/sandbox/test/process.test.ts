import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Child, startChild } from './support/child.ts';
import { type Client, createClient, json } from './support/client.ts';
import { total, toUnits } from './support/exact.ts';
import { balance, createPayload, ledger, row, withdrawals } from './support/payouts.ts';
import { temporaryFolder } from './support/start.ts';

const clientOf = async (child: Child): Promise<Client> =>
  createClient(await child.url, () => Date.now());

describe('the process', () => {
  it('announces its address in one line, and ends cleanly on SIGTERM and SIGINT', async () => {
    const folder = await temporaryFolder();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = startChild(folder);
      const client = await clientOf(child);
      expect((await client.get('/sandbox/health')).status).toBe(200);
      child.kill(signal);
      expect(await child.exit).toEqual({ code: 0, signal: null });
      expect(child.stdout()).toMatch(/^sandbox listening on http:\/\/127\.0\.0\.1:\d+\n$/);
      expect(child.stderr()).toBe('');
    }
  });

  it('names every wrong setting and ends with 2', async () => {
    const child = startChild(await temporaryFolder(), { STEP_MS: 'x', SPEED: 'y' });
    await expect(child.url).rejects.toThrow();
    expect(await child.exit).toEqual({ code: 2, signal: null });
    expect(child.stderr()).toContain('BURSAR_SANDBOX_STEP_MS');
    expect(child.stderr()).toContain('BURSAR_SANDBOX_SPEED');
  });

  it('refuses a store that another sandbox uses', async () => {
    const folder = await temporaryFolder();
    const first = startChild(folder);
    await first.url;
    const second = startChild(folder);
    await expect(second.url).rejects.toThrow();
    expect(await second.exit).toEqual({ code: 2, signal: null });
    expect(second.stderr()).toMatch(/^Another sandbox uses .*sandbox\.db\. Stop it, or set /);
  });

  it('refuses a port that is taken', async () => {
    const first = startChild(await temporaryFolder());
    const listen = new URL(await first.url).host;
    const second = startChild(await temporaryFolder(), { LISTEN: listen });
    await expect(second.url).rejects.toThrow();
    expect(await second.exit).toEqual({ code: 2, signal: null });
    expect(second.stderr()).toContain('BURSAR_SANDBOX_LISTEN');
  });

  it('reads the bursar.toml of its folder, and starts relative paths there', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'bursar.toml'), '[sandbox]\nstore_url = "sqlite:here/s.db"\n');
    await startChild(folder).url;
    expect((await stat(join(folder, 'here', 's.db'))).isFile()).toBe(true);
  });

  it('reads the file that BURSAR_CONFIG names, as the engine does', async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
    const file = join(other, 'live.toml');
    await writeFile(file, '[sandbox]\nstore_url = "sqlite:here/s.db"\n');
    await startChild(folder, {}, { BURSAR_CONFIG: file }).url;
    expect((await stat(join(other, 'here', 's.db'))).isFile()).toBe(true);
  });

  it('refuses to go on without the file that BURSAR_CONFIG names', async () => {
    const child = startChild(await temporaryFolder(), {}, { BURSAR_CONFIG: 'no.toml' });
    await expect(child.url).rejects.toThrow();
    expect(await child.exit).toEqual({ code: 2, signal: null });
    expect(child.stderr()).toContain('no.toml cannot be read (ENOENT)');
  });
});

const ROWS = Array.from({ length: 200 }, (_, at) => ({ ...row('0.001'), comment: `c-${at + 1}` }));
/** Several processes start one after another. */
const CRASH_TIMEOUT_MS = 120_000;
const KILL_AFTER_ANSWERS = 20;
const SENDERS = 4;

type Sent = Readonly<{ all: Set<string>; answered: Set<string> }>;

/** Creates mass payouts without a pause until the sandbox is killed in the middle of them. */
async function createUntilKilled(child: Child, sent: Sent): Promise<void> {
  const client = await clientOf(child);
  const before = sent.answered.size;
  const send = async (): Promise<void> => {
    const key = randomUUID();
    sent.all.add(key);
    const payload = createPayload(ROWS, { idempotencyKey: JSON.stringify(key) });
    const { status } = await client.call('MASS_CREATE', { payload });
    expect(status).toBe(200);
    sent.answered.add(key);
    if (sent.answered.size - before >= KILL_AFTER_ANSWERS) child.kill('SIGKILL');
    return send();
  };
  // Each sender ends by the error of its lost connection.
  await Promise.allSettled(Array.from({ length: SENDERS }, send));
  expect(await child.exit).toEqual({ code: null, signal: 'SIGKILL' });
}

it(
  'kill -9 in the middle of creates loses nothing that was answered, and halves nothing',
  async () => {
    const folder = await temporaryFolder();
    const sent: Sent = { all: new Set(), answered: new Set() };
    for (let round = 0; round < 3; round += 1) {
      await createUntilKilled(startChild(folder, { STEP_MS: '20' }), sent);
    }
    const client = await clientOf(startChild(folder, { STEP_MS: '20' }));

    const found = new Map<string, string[]>();
    const lines = await withdrawals(client);
    for (const { idempotencyKey, comment } of lines) {
      found.set(idempotencyKey, [...(found.get(idempotencyKey) ?? []), comment ?? '']);
    }
    expect([...found.keys()].every((key) => sent.all.has(key))).toBe(true);
    expect([...sent.answered].every((key) => found.has(key))).toBe(true);
    const comments = ROWS.map(({ comment }) => comment);
    for (const each of found.values()) expect(each).toEqual(comments);
    for (const key of sent.all) {
      const payload = json({ idempotencyKey: JSON.stringify(key) });
      const { status } = await client.call('MASS_GET', { payload });
      expect(status).toBe(found.has(key) ? 200 : 404);
    }

    const spent = total(lines.flatMap(({ amount, fee }) => [amount, fee]));
    expect(toUnits('1000000') - toUnits(await balance(client))).toBe(spent);
    expect((await ledger(client)).balances.every(({ tiesOut }) => tiesOut)).toBe(true);
    const { text } = await client.get('/sandbox/requests?limit=10000');
    const { requests } = JSON.parse(text) as { requests: { idempotencyKey: string }[] };
    const logged = new Set(requests.map(({ idempotencyKey }) => idempotencyKey));
    expect([...found.keys()].every((key) => logged.has(key))).toBe(true);
  },
  CRASH_TIMEOUT_MS,
);
