import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT } from '../../packages/sandbox/test/support/client.ts';
import { balance } from '../../packages/sandbox/test/support/payouts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sandboxWorld } from './support/sandbox-world.ts';

describe('bursar sandbox faults', () => {
  it('adds faults with every flag, lists and clears them', async () => {
    const { json, run } = await sandboxWorld();
    const key = '47be03f5-6725-4b55-8b5e-4af4caae6702';
    const rule = ['--account', ACCOUNT, '--key', key, '--skip', '1', '--next', '2'];
    const chance = ['--probability', '0.5', '--seed', '7'];
    const added = [
      ['hang-then-accept', '--delay-ms', '1000', '--timestamp-at', 'arrival', ...rule, ...chance],
      ['status', '--status', '503', '--page', 'html', '--retry-after-s', '5'],
      ['status-after', '--status', '302', '--location', 'https://elsewhere.example/'],
      ['oversize-body', '--size-bytes', '1000000'],
    ];
    for (const [index, flags] of added.entries()) {
      const { code, value } = await json('faults', 'add', ...flags, '--target', 'MASS_CREATE');
      expect([code, value]).toEqual([
        0,
        expect.objectContaining({ schema: 'bursar.sandbox-fault/v1', id: index + 1 }),
      ]);
    }
    await run('faults', 'add', 'duplicate', '--target', 'WEBHOOK', '--copies', '3');
    expect((await json('faults')).value).toMatchObject({
      schema: 'bursar.sandbox-faults/v1',
      faults: [
        { kind: 'hang-then-accept', idempotencyKey: key, probability: 0.5, seed: 7, fired: 0 },
        { httpStatus: 503, page: 'html', retryAfterS: 5 },
        { httpStatus: 302, location: 'https://elsewhere.example/' },
        { sizeBytes: 1_000_000 },
        { target: 'WEBHOOK', copies: 3 },
      ],
    });
    expect((await json('faults', 'clear', '77')).value['code']).toBe('SANDBOX_NOTHING');
    expect((await run('faults', 'clear', '1')).out).not.toContain('hang-then-accept');
    expect((await run('faults', 'list')).out).toMatch(/5 {2}WEBHOOK +duplicate +0 +0 {2}copies=3/);
    expect((await json('faults', 'clear')).value['faults']).toEqual([]);
  });

  it.each<{ args: string[]; says: string }>`
    args                                                       | says
    ${['nonsense', '--target', 'MASS_CREATE']}                 | ${'kind: Invalid option'}
    ${['drop']}                                                | ${"'--target <target>' not specified"}
    ${['delay-ms', '--target', 'LOOKUP']}                      | ${'delayMs: delay-ms needs it'}
    ${['drop', '--target', 'WEBHOOK', '--next', 'often']}      | ${'--next'}
    ${['drop', '--target', 'WEBHOOK', '--probability', '1.5']} | ${'--probability'}
    ${['drop-before', '--target', 'LOOKUP', '--page', 'html']} | ${'page: drop-before has no use'}
  `('refuses to add $args', async ({ args, says }) => {
    const { json } = await sandboxWorld();
    const { code, value } = await json('faults', 'add', ...args);
    expect([code, value['what']]).toEqual([2, expect.stringContaining(says)]);
    expect((await json('faults')).value['faults']).toEqual([]);
  });
});

describe('bursar sandbox modes', () => {
  it('prints the changes for people, and the command that shows all modes', async () => {
    const { run } = await sandboxWorld();
    const changed = await run('modes', 'set', 'idempotency=reject-409', 'withdrawalsMax=none');
    expect(changed.out).toMatch(
      /^ {2}idempotency +reject-409, was [\w-]+\n {2}withdrawalsMax +none, [^\n]+\nAll modes: bursar sandbox modes show\n$/,
    );
    expect((await run('modes', 'set', 'idempotency=reject-409')).out).toContain(
      'reject-409, as before',
    );
    expect((await run('modes', 'reset')).out).toMatch(/idempotency +[\w-]+, was reject-409\n/);
    expect((await run('modes', 'reset')).out).toContain('No mode was set here.');
  });

  it('sets some, keeps the others, and resets one or all', async () => {
    const { json, run } = await sandboxWorld({ settings: { WITHDRAWALS_MAX: '10' } });
    await run('modes', 'set', 'idempotency=reject-409', 'extraFields=some');
    const set = await json('modes', 'set', 'lookupLagMs=5000', 'withdrawalsMax=none');
    expect(set.value).toMatchObject({
      schema: 'bursar.sandbox-modes/v1',
      modes: { idempotency: 'reject-409', lookupLagMs: 5000, withdrawalsMax: null },
    });
    expect((await json('modes', 'reset', 'extraFields', 'lookupLagMs')).value['overrides']).toEqual(
      {
        idempotency: 'reject-409',
        withdrawalsMax: null,
      },
    );
    expect((await run('modes')).out).toMatch(/idempotency +reject-409 {2}\(set here\)\n/);
    const { value } = await json('modes', 'reset');
    expect(value).toMatchObject({ modes: { withdrawalsMax: 10 }, overrides: {} });
    expect((await json('modes', 'show')).value).toEqual(value);
  });

  it('takes "none" for a word where it is one', async () => {
    const { json } = await sandboxWorld();
    const { value } = await json('modes', 'set', 'webhookSignature=none', 'requestsPerSecond=none');
    expect(value['overrides']).toEqual({ webhookSignature: 'none', requestsPerSecond: null });
  });

  it.each([
    ['set', 'nonsense=1'],
    ['set', 'idempotency=sometimes'],
    ['set', 'lookupLagMs=soon'],
    ['set', 'lookupLagMs=none'],
    ['set', 'numbers'],
    ['set', 'toString=1'],
    ['set'],
    ['reset', 'nonsense'],
  ])('refuses "modes %s %s", and nothing changes', async (...args) => {
    const { json } = await sandboxWorld();
    expect((await json('modes', ...args)).code).toBe(2);
    expect((await json('modes')).value['overrides']).toEqual({});
  });
});

describe('bursar sandbox clock', () => {
  it.each<{ offset: string; offsetMs: number }>`
    offset     | offsetMs
    ${'5m'}    | ${300_000}
    ${'+2h'}   | ${7_200_000}
    ${'-90s'}  | ${-90_000}
    ${'250ms'} | ${250}
    ${'0'}     | ${0}
  `(
    'is $offsetMs ms off after "clock $offset", until it is reset',
    async ({ offset, offsetMs }) => {
      const { json, run } = await sandboxWorld({ settings: { CLOCK_OFFSET_MS: '7' } });
      const set = { schema: 'bursar.sandbox-clock/v1', offsetMs, override: offsetMs };
      expect((await json('clock', offset)).value).toMatchObject(set);
      expect((await json('clock')).value).toMatchObject(set);
      expect((await run('clock', 'reset')).out).toContain('7 ms ahead, by the settings');
    },
  );

  it.each(['later', '5', '--offset', '-5', '99999999h', '1.5s'])('refuses "%s"', async (offset) => {
    const { json } = await sandboxWorld();
    expect((await json('clock', offset)).code).toBe(2);
    expect((await json('clock')).value['override']).toBeNull();
  });
});

describe('bursar sandbox fixtures', () => {
  const fileOf = (content: unknown): string => {
    const file = join(temporaryFolder(), 'fixtures.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

  it('runs every kind of step in order', async () => {
    const pauses: number[] = [];
    const { json, client } = await sandboxWorld({ onPause: (count) => void pauses.push(count) });
    const file = fileOf({
      steps: [
        {
          do: 'top-up',
          amount: '10.5',
          currency: 'USDT_TRC20',
          account: ACCOUNT,
          opCode: 'TOP_UP',
        },
        { do: 'trigger', event: 'PAYOUT_CONFIRMED', overrides: { state: 'ODD' } },
        { do: 'fault', target: 'MASS_CREATE', kind: 'delay-ms', delayMs: 10, next: 1 },
        { do: 'modes', set: { lookupLagMs: 5000, withdrawalsMax: null } },
        { do: 'clock', offsetMs: -1000 },
        { do: 'pause', delayMs: 500 },
        { do: 'clear-faults' },
        { do: 'reset-modes' },
      ],
    });
    const { code, value } = await json('fixtures', file);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.sandbox-fixtures/v1',
      steps: [
        { step: 1, do: 'top-up', answer: { balance: '1000010.5' } },
        { step: 2, do: 'trigger', answer: { data: { state: 'ODD' } } },
        { step: 3, do: 'fault', answer: { id: 1, delayMs: 10, next: 1 } },
        { step: 4, do: 'modes', answer: { overrides: { lookupLagMs: 5000 } } },
        { step: 5, do: 'clock', answer: { offsetMs: -1000 } },
        { step: 6, do: 'pause', answer: null },
        { step: 7, do: 'clear-faults', answer: { faults: [] } },
        { step: 8, do: 'reset-modes', answer: { overrides: {} } },
      ],
    });
    expect(await balance(client)).toBe('1000010.5');
    expect(pauses).toEqual([1]);
  });

  it('runs the file that docs/commands.md shows', async () => {
    const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n(\{\n {2}"steps": .*?)```/s.exec(page) ?? [];
    const { json } = await sandboxWorld();
    const { code, value } = await json('fixtures', fileOf(shown));
    expect([code, value['steps']]).toEqual([0, expect.any(Array)]);
    expect(value['steps']).toHaveLength(8);
  });

  it('stops at the first step that the sandbox refuses, and names it', async () => {
    const { run, client } = await sandboxWorld();
    const topUp = { do: 'top-up', amount: '1', currency: 'USDT_TRC20' };
    const wrong = { do: 'fault', target: 'MASS_CREATE', kind: 'nonsense' };
    const { code, out, err } = await run('fixtures', fileOf({ steps: [topUp, wrong, topUp] }));
    expect(code).toBe(2);
    expect(out).toMatch(/1 {2}top-up /);
    expect(err).toContain('Step 2 (fault) was not done; those before it were.');
    expect(err).toContain('kind: Invalid option');
    expect(await balance(client)).toBe('1000001');
  });

  it.each<{ content: unknown; says: string }>`
    content                                                        | says
    ${'{'}                                                         | ${'it cannot be read as JSON'}
    ${[]}                                                          | ${'the file: '}
    ${{ steps: [] }}                                               | ${'steps: '}
    ${{ steps: [{ do: 'dance' }] }}                                | ${'steps.2.do'}
    ${{ steps: [{ do: 'top-up', amount: 1.5, currency: 'BTC' }] }} | ${'steps.2.amount: must be a plain decimal in quotes'}
    ${{ steps: [{ do: 'trigger', event: 'NOTHING' }] }}            | ${'steps.2.event'}
    ${{ steps: [{ do: 'pause', delayMs: -1 }] }}                   | ${'steps.2.delayMs'}
    ${{ steps: [{ do: 'clear-faults', all: true }] }}              | ${'steps.2: Unrecognized key'}
    ${{ steps: [], more: 1 }}                                      | ${'Unrecognized key'}
  `('refuses the file $content before the first step', async ({ content, says }) => {
    const { json, client } = await sandboxWorld();
    const topUp = { do: 'top-up', amount: '1', currency: 'USDT_TRC20' };
    const steps = (content as { steps?: unknown[] }).steps ?? [];
    const file = steps.length === 0 ? content : { steps: [topUp, ...steps] };
    const { code, value } = await json('fixtures', fileOf(file));
    expect([code, value['what']]).toEqual([2, expect.stringContaining(says)]);
    expect(await balance(client)).toBe('1000000');
  });

  it('reports a missing file', async () => {
    const { json } = await sandboxWorld();
    const { code, value } = await json('fixtures', 'nowhere.json');
    expect([code, value['what']]).toEqual([2, 'FILE: it cannot be read (ENOENT).']);
  });
});
