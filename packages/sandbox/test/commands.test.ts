import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { RunningSandbox } from '../src/start-sandbox.ts';
import { ownSandbox } from './support/own-sandbox.ts';
import { create, row } from './support/payouts.ts';
import { temporaryFolder } from './support/start.ts';

const MAIN = fileURLToPath(new URL('../build/main.js', import.meta.url));

type Ended = Readonly<{ code: unknown; out: string; err: string }>;

/** Runs the compiled program, as people start it. `input` is its standard input. */
const run = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
    child.stdin?.end(input);
  });

/** Runs a command against a sandbox. Returns the JSON that it prints. */
async function control({ url }: RunningSandbox, args: readonly string[], input: unknown = null) {
  const { code, out, err } = await run([...args, '--url', url], JSON.stringify(input));
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Record<string, unknown>;
}

const RULES = [{ match: { position: 2 }, fate: 'fee-too-low' }];
const SEED = {
  currency: 'USDT_TRC20',
  state: 'PARTIAL',
  withdrawals: [
    { depositAddress: '0xa1', amount: '10' },
    { depositAddress: '0xa2', amount: '5', error: 'No such address' },
  ],
};

describe('the commands of bursar-sandbox', () => {
  it('replace the fates by those of a file or of standard input, list them, and reset them', async () => {
    const sandbox = await ownSandbox();
    const file = join(await temporaryFolder(), 'fates.json');
    await writeFile(file, JSON.stringify(RULES));
    const set = { fates: RULES, isOverride: true };
    expect(await control(sandbox, ['fates', 'set', file])).toMatchObject(set);
    const listed = await control(sandbox, ['fates', 'list']);
    expect(listed).toMatchObject(set);
    expect(await control(sandbox, ['fates', 'reset'])).toMatchObject({ fates: [] });
    expect(await control(sandbox, ['fates', 'set', '-'], listed)).toMatchObject(set);
  });

  it('add a mass payout in any state, and start afresh', async () => {
    const sandbox = await ownSandbox();
    expect(await control(sandbox, ['seed', '-'], SEED)).toMatchObject({ state: 'PARTIAL' });
    expect(await control(sandbox, ['reset'])).toEqual({});
    expect((await sandbox.admin('GET /mass-payouts')).massPayouts).toEqual([]);
  });

  it('return to a snapshot, and remove it', async () => {
    const sandbox = await ownSandbox();
    await control(sandbox, ['seed', '-'], SEED);
    const { id } = await control(sandbox, ['snapshots', 'take']);
    await sandbox.reset();
    expect(await control(sandbox, ['snapshots', 'restore', String(id)])).toEqual({ id });
    expect((await sandbox.admin('GET /mass-payouts')).massPayouts).toHaveLength(1);
    expect(await control(sandbox, ['snapshots', 'list'])).toMatchObject({ snapshots: [{ id }] });
    const remove = ['snapshots', 'remove', String(id)];
    expect(await control(sandbox, remove)).toEqual({ snapshots: [] });
    expect((await run([...remove, '--url', sandbox.url])).code).toBe(5);
  });

  it('let time pass on a virtual clock, and export a case that replays', async () => {
    const sandbox = await ownSandbox({
      clock: 'virtual',
      startTime: new Date(0),
      modes: { bodies: 'kept' },
    });
    await create(sandbox.client, [row('1')]);
    const { time } = await control(sandbox, ['clock', 'advance', '30h']);
    expect(time).toBe('1970-01-02T06:00:00.000Z');
    const played = await control(sandbox, ['case', 'export']);
    expect(played).toMatchObject({ schema: 'bursar.sandbox-case/v1' });
    const { code, out } = await run(['case', 'replay', '-', '--json'], JSON.stringify(played));
    const same = { schema: 'bursar.sandbox-replay/v1', requests: 1, difference: null };
    expect([code, JSON.parse(out)]).toEqual([0, same]);
  });

  it('call the sandbox of the settings without --url', async () => {
    const { url } = await ownSandbox();
    const env = { BURSAR_SANDBOX_LISTEN: new URL(url).host };
    expect(await run(['snapshots', 'list'], '', env)).toMatchObject({ code: 0, err: '' });
  });

  it.each<{ args: string[]; input: string; code: number; says: string }>`
    args                                   | input               | code | says
    ${['fates', 'set', '-']}               | ${'[{"fate":"x"}]'} | ${2} | ${'FIELD_INVALID'}
    ${['fates', 'set', '-']}               | ${'{"a":'}          | ${2} | ${'- is no JSON'}
    ${['fates', 'set', '/no/such/file']}   | ${''}               | ${2} | ${'/no/such/file cannot be read (ENOENT)'}
    ${['seed', '-']}                       | ${'{}'}             | ${2} | ${'FIELD_INVALID'}
    ${['case', 'export']}                  | ${''}               | ${2} | ${'CASE_INCOMPLETE'}
    ${['clock', 'advance', '30h']}         | ${''}               | ${2} | ${'BURSAR_SANDBOX_CLOCK=virtual'}
    ${['clock', 'advance', 'later']}       | ${''}               | ${2} | ${'is not a duration'}
    ${['snapshots', 'restore', 'nothing']} | ${''}               | ${5} | ${'There is no snapshot nothing'}
  `('end with $code for $args and the input $input', async ({ args, input, code, says }) => {
    const { url, client } = await ownSandbox();
    await client.call('USER');
    const ended = await run([...args, '--url', url], input);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(says);
    expect(ended.err).not.toMatch(/^ +at /m);
  });

  it('end with 6 where no sandbox is', async () => {
    const { url, stop } = await ownSandbox();
    await stop();
    const { code, err } = await run(['fates', 'list', '--url', url]);
    expect([code, err]).toEqual([6, `The sandbox at ${url} cannot be reached (ECONNREFUSED).\n`]);
  });

  it.each([
    ['dance'],
    ['fates'],
    ['fates', 'set'],
    ['fates', 'list', 'more'],
    ['seed', '-', '--url', 'nowhere'],
    ['reset', '--loud'],
    ['--url', 'http://127.0.0.1:1'],
  ])('print their usage and end with 2 for %s %s %s', async (...args) => {
    const { code, out, err } = await run(args, '{}');
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('Usage: bursar-sandbox')]);
  });

  it('print their usage with --help', async () => {
    const { code, out } = await run(['--help']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}fates set FILE +\S/m)]);
  });
});
