import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../../../src/cli/program/program.ts';
import type { BatchInput, BatchResult } from '../../../src/contract/batch.ts';
import type { BatchStatus } from '../../../src/contract/status.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import type { Hold, HoldKind } from '../../../src/domain/holds/hold.ts';
import { batchDetails } from '../../../src/workflows/batch/batch-details.ts';
import type { BatchFigures } from '../../../src/workflows/state/batch-state.ts';
import {
  aftercareDetails,
  partitionDetails,
  runDetails,
  troubleDetails,
  watchDetails,
} from '../../../src/workflows/shared/details.ts';
import { liveStatus } from '../../cli/support/fake-engine.ts';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import { definition } from '../../support/schedule-definitions.ts';

const SINCE = '2026-11-21T09:00:00.123Z';

const LATER = '2999-11-24T09:00:00.000Z';

const input = (more: Partial<BatchInput> = {}): BatchInput => ({
  batchId: 'payroll',
  accountRef: 'main',
  generation: 0,
  parentBatchId: null,
  file: { name: 'payroll.csv', sha256: 'abc' },
  options: definition().options,
  submittedBy: 'alice',
  submittedAt: SINCE,
  ...more,
});

const status = (more: Partial<BatchStatus> = {}) => liveStatus({ since: SINCE, ...more });

const hold = (kind: HoldKind, more: Partial<Hold> = {}): Hold => ({
  n: 1,
  kind,
  reason: '5 of 24 rows failed',
  by: 'Bursar',
  since: SINCE,
  facts: {},
  ...more,
});

const result = (more: Partial<BatchResult> = {}): BatchResult => ({
  state: 'PARTIAL',
  digest: null,
  reportUrl: 's3://payouts/files/reports/payroll/v1-0123456789abcdef',
  error: null,
  rows: { total: 60, paid: 58, failed: 2, unknown: 0, notSent: 0, inFlight: 0 },
  amounts: [
    {
      currency: 'USDT_TRC20',
      requested: '600.5',
      paid: '580.5',
      failed: '20',
      unknown: '0',
      notSent: '0',
      inFlight: '0',
      fee: '6',
    },
  ],
  ...more,
});

const FIGURES: Partial<BatchFigures> = {
  rows: 60,
  refusedRows: 3,
  chunks: 2,
  totals: '600.5 USDT_TRC20',
  fees: '6 USDT_TRC20',
  outlook: 'enough, as it stands',
  digest: `sha256:${'d'.repeat(64)}`,
};

const commandsIn = (page: string): string[] =>
  [...page.matchAll(/`bursar ([^`]+)`/g)].map(([, command = '']) => command);

const approval = (missing: readonly string[]): BatchStatus['approval'] => ({
  subject: 'sha256:x',
  missing,
  given: [{ person: 'bob', decision: 'approve', at: SINCE, expiresAt: LATER }],
});

const WAITS: BatchStatus = status({
  state: 'AWAITING_APPROVAL',
  note: 'people must approve the plan',
  approval: approval(['1 more from finance: carol']),
});

describe('the page of a batch', () => {
  it('marks an approval as not genuine when its person did not sign it', () => {
    const one = { person: 'carol', decision: 'approve', at: SINCE, expiresAt: SINCE } as const;
    const asked = { subject: 'sha256:x', missing: [], given: [], notGenuine: [one] };
    const page = batchDetails(input(), { ...WAITS, approval: asked }, FIGURES);
    expect(page).toContain('| **Not genuine** | "approve" by carol, 2026-11-21 09:00:00 UTC: ');
    expect(page).not.toContain('approved by');
  });

  it.each([
    ['approve', LATER, '| approved by | bob, 2026-11-21 09:00:00 UTC; valid until 2999-11-24 '],
    [
      'approve',
      SINCE,
      '| **Expired** | approval by bob, 2026-11-21 09:00:00 UTC; was valid until 2026-',
    ],
    ['refuse', SINCE, '| **Refused by** | bob, 2026-11-21 09:00:00 UTC |'],
  ] as const)(
    'shows whether the decision of an approver counts: %s until %s',
    (decision, expiresAt, line) => {
      const given = [{ person: 'bob', decision, at: SINCE, expiresAt }];
      const asked = { subject: 'sha256:x', missing: [], given };
      expect(batchDetails(input(), { ...WAITS, approval: asked }, FIGURES)).toContain(line);
    },
  );

  it('shows the submitter, the amounts, the fees and the digest of the plan', () => {
    const page = batchDetails(input(), WAITS, FIGURES);
    for (const line of [
      '**Waiting for approval** since 2026-11-21 09:00:00 UTC: people must approve the plan',
      '| approval needed | 1 more from finance: carol |',
      '| approved by | bob, 2026-11-21 09:00:00 UTC; valid until 2999-11-24 09:00:00 UTC |',
      '| file | payroll.csv |',
      '| submitted | by alice, 2026-11-21 09:00:00 UTC |',
      '| to pay | 60 rows: 600.5 USDT\\_TRC20 |',
      '| left out | 3 rows that are wrong |',
      '| fees | 6 USDT\\_TRC20 |',
      '| funds | enough, as it stands |',
      `Digest of the plan: \`${FIGURES.digest}\``,
    ]) {
      expect(page.split('\n')).toContain(line);
    }
  });

  it.each<[string, BatchStatus, readonly string[]]>([
    [
      'for approvers',
      WAITS,
      [
        'approve payroll --key FILE',
        'refuse payroll --key FILE --reason TEXT',
        'pause payroll --reason TEXT',
        'cancel payroll --reason TEXT',
      ],
    ],
    [
      'for a top-up',
      status({ state: 'AWAITING_FUNDS' }),
      ['funds', 'pause payroll --reason TEXT', 'cancel payroll --reason TEXT'],
    ],
    [
      'for its time',
      status({ state: 'SCHEDULED' }),
      ['pause payroll --reason TEXT', 'cancel payroll --reason TEXT'],
    ],
    [
      'for the end of a pause',
      status({ holds: [hold('PAUSE')] }),
      ['resume payroll --reason TEXT', 'status payroll', 'cancel payroll --reason TEXT'],
    ],
    [
      'for an answer to a rule',
      status({ holds: [hold('STOP_LOSS')] }),
      ['resume payroll --reason TEXT', 'status payroll', 'cancel payroll --reason TEXT'],
    ],
    [
      'for approvers to answer a rule',
      status({ holds: [hold('STOP_LOSS')], approval: approval(['1 more: carol']) }),
      [
        'approve payroll --key FILE',
        'refuse payroll --key FILE --reason TEXT',
        'status payroll',
        'cancel payroll --reason TEXT',
      ],
    ],
    [
      'for an operator',
      status({ needsOperator: [3] }),
      ['status payroll', 'pause payroll --reason TEXT', 'cancel payroll --reason TEXT'],
    ],
    ['for outcomes only', status({ state: 'SETTLING' }), ['status payroll']],
    ['for outcomes, canceled', status({ canceledBy: 'bob' }), ['status payroll']],
    ['for nothing but its report', status({ state: 'REPORTING' }), []],
  ])('has the commands that help a batch which waits %s', (_what, standing, commands) => {
    expect(commandsIn(batchDetails(input(), standing, FIGURES))).toEqual(commands);
  });

  it('shows the hold of a batch, and no note that it sends payments', () => {
    const page = batchDetails(input(), status({ holds: [hold('STOP_LOSS')] }), FIGURES);
    expect(page).toContain('on hold, so no payment is sent');
    expect(page).toContain('| **On hold** (stop loss) | 5 of 24 rows failed (by Bursar, since');
    expect(page).not.toContain('sending the payments');
  });

  it('shows the end of the wait for a top-up only while the batch waits for funds', () => {
    const figures = { ...FIGURES, fundsUntil: '2026-11-23T09:00:00.000Z' };
    const line = '| waits for a top-up until | 2026-11-23 09:00:00 UTC |';
    expect(batchDetails(input(), status({ state: 'AWAITING_FUNDS' }), figures)).toContain(line);
    expect(batchDetails(input(), status(), figures)).not.toContain(line);
  });

  it('shows the due time, the canary rows and the stop loss', () => {
    const options = {
      ...definition().options,
      at: '2026-11-30T09:00:00.000Z',
      canaryRows: 10,
      stopLoss: ['5%'],
    };
    const page = batchDetails(input({ options }), status({ state: 'SCHEDULED' }), FIGURES);
    expect(page).toContain('| due | 2026-11-30 09:00:00 UTC |');
    expect(page).toContain('| paid before the others | 10 rows |');
    expect(page).toContain('| stops when failures pass | 5% |');
  });
});

describe('the page of a batch that has ended', () => {
  const ended = (more: Partial<BatchResult>): string => {
    const made = result(more);
    const standing = status({ state: made.state, note: 'the report is written' });
    return batchDetails(input(), standing, { ...FIGURES, result: made });
  };

  it('shows the outcomes, the address of the report, and the command that resends the failed rows', () => {
    const page = ended({});
    expect(page).toContain('| paid | 58 of 60 rows: 580.50 of 600.50 USDT (TRC20) |');
    expect(page).toContain('| failed | 2 of 60 rows: 20.00 of 600.50 USDT (TRC20) |');
    expect(page).not.toContain('| unknown |');
    expect(page).toContain(
      '| report | `s3://payouts/files/reports/payroll/v1-0123456789abcdef/summary.html` |',
    );
    expect(commandsIn(page)).toEqual(['resend payroll']);
  });

  it.each([{ reportUrl: null }, {}])('has no report where its result names none: %j', (lacking) => {
    const { reportUrl: _, ...older } = result();
    const made: BatchResult = { ...older, ...lacking };
    const page = batchDetails(input(), status({ state: made.state }), { result: made });
    expect(page).not.toContain('| report |');
    expect(page).toContain('| paid | 58 of 60 rows');
  });

  it('groups the digits of counts and amounts', () => {
    const rows = { ...result().rows, total: 1_200_000, paid: 1_199_998 };
    const [line] = result().amounts;
    const amounts = [{ ...line!, requested: '1234567.5', paid: '1234547.5' }];
    expect(ended({ rows, amounts })).toContain(
      '| paid | 1,199,998 of 1,200,000 rows: 1,234,547.50 of 1,234,567.50 USDT (TRC20) |',
    );
  });

  it('has no command to resend while the outcome of a row is unknown', () => {
    const rows = { ...result().rows, paid: 57, unknown: 1 };
    expect(commandsIn(ended({ rows }))).toEqual(['rows payroll --outcome UNKNOWN']);
  });

  it('has no command when every row was paid', () => {
    const rows = { ...result().rows, paid: 60, failed: 0 };
    expect(commandsIn(ended({ state: 'COMPLETED', rows }))).toEqual([]);
  });

  it('shows the error that stopped the batch', () => {
    const error = noteOf('FILE_EMPTY', { file: 'payroll.csv' });
    expect(ended({ state: 'REJECTED', error })).toContain(`| why | ${error.what}`);
  });
});

describe('the page of a partition', () => {
  it('counts chunks that are being sent apart from those that are not sent yet', () => {
    const partition = {
      batchId: 'payroll',
      digest: 'd',
      partition: 0,
      firstChunk: 0,
      chunkCount: 9,
      canary: true,
      options: { chunksInFlight: 1, pollMinMs: 1, pollMaxMs: 1 },
    };
    const figures = {
      counts: { pending: 5, needsOperator: 0, open: 2, settled: 1, notSent: 1 },
      needsOperator: [],
      alarms: new Set<number>(),
      unconfirmed: new Set<number>(),
      sending: 2,
      group: 1,
      stopped: null,
      verifying: { verified: 3, total: 50 },
    };
    const page = partitionDetails(partition, figures);
    expect(page.split('\n')).toEqual(
      expect.arrayContaining([
        '| not sent yet | 2 chunks |',
        '| in the group that is being sent | 1 chunk |',
        '| being sent, or ambiguous | 2 chunks |',
        '| sent, without all outcomes | 2 chunks |',
        '| Verifying against the service | 3 of 50 chunks |',
      ]),
    );
    expect(page).not.toContain('confirmed');
    expect(partitionDetails(partition, { ...figures, unconfirmed: new Set([3, 4]) })).toContain(
      '| to be confirmed in the service | chunks 3, 4 |',
    );
  });
});

it('the page of a batch shows that payments wait for a confirmation at the service', () => {
  const line =
    '| waits for a confirmation | payments wait until a person confirms or declines them';
  expect(batchDetails(input(), status({ isUnconfirmed: true }), {})).toContain(line);
  expect(batchDetails(input(), status(), {})).not.toContain('confirmation');
});

it('the page of a batch counts the verified chunks while it verifies them', () => {
  const verifying = { verified: 3, total: 50 };
  expect(batchDetails(input(), status({ verifying }), {})).toContain(
    '| **Verifying against the service** | 3 of 50 chunks |',
  );
});

/** Every page of every workflow type, with one text in each place that foreign text can reach. */
function pagesWith(words: string): string[] {
  const error = { ...noteOf('FILE_EMPTY', { file: 'x' }), what: words, why: words, fix: words };
  const others = { submittedBy: words, file: { name: words, sha256: words } };
  const standing = {
    note: words,
    canceledBy: words,
    needsOperator: [1, 2],
    holds: [hold('PAUSE', { reason: words, by: words }), hold('CANARY', { reason: words })],
    approval: approval([words, words]),
  };
  const figures = {
    ...FIGURES,
    totals: words,
    fees: words,
    outlook: words,
    digest: words,
    result: result({ error, reportUrl: words }),
  };
  const partition = {
    batchId: words,
    digest: 'd',
    partition: 0,
    firstChunk: 0,
    chunkCount: 2,
    canary: true,
    options: { chunksInFlight: 1, pollMinMs: 1, pollMaxMs: 1 },
  };
  const counts = { pending: 1, needsOperator: 1, open: 1, settled: 1, notSent: 1 };
  const demand = { nominal: 'x', by: words, reason: words };
  const followed = { changedRows: 0, unread: 0, following: 1, version: 1, paidTwice: 1 };
  return [
    batchDetails(input({ ...others, batchId: words, parentBatchId: words }), status(standing), {}),
    batchDetails(input({ ...others, batchId: words }), status(standing), FIGURES),
    batchDetails(input(), status({ state: 'FAILED', note: words }), figures),
    partitionDetails(partition, {
      counts,
      needsOperator: [1],
      alarms: new Set([0]),
      unconfirmed: new Set([2]),
      sending: 1,
      group: 1,
      stopped: words,
      verifying: null,
    }),
    runDetails({ scheduleId: words, demand }, { runs: new Map([[words, words]]), error }),
    watchDetails({ at: words, everyMs: 1, rounds: [{ name: words, ok: false, says: words }] }),
    troubleDetails(words),
    aftercareDetails(words, { ...followed, firstMs: 1, untilMs: 1, next: null }),
  ];
}

const HOSTILE: readonly (readonly [name: string, words: string])[] = [
  ['pipes', 'a | b || c'],
  ['a backslash at the end', 'ends with \\'],
  ['backticks', '`code` and ``more``'],
  ['line feeds', 'line\n\n# head\n| x | y |\n|---|---|'],
  ['HTML', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['links and pictures', '[pay](https://evil.example) ![x](http://evil.example/x.png)'],
  ['templates and entities', '{{namespace}} &#124; &lt;b&gt; $x$ ~~gone~~'],
  ['hidden characters', '\u202egnp.exe\u0000\u2028'],
  ['a shell', 'x; rm -rf ~ `id` $(id)'],
  ['too much', '付款|😀\n'.repeat(900)],
];

describe('foreign text on a page', () => {
  /** A line without what a backslash makes text, and without code. */
  const bare = (line: string): string => line.replaceAll(/\\[!-/:-@[-`{-~]|`[^`]*`/g, '');

  it.each(HOSTILE)('is shown as plain text: %s', (_name, words) => {
    for (const page of pagesWith(words)) {
      expect(Buffer.byteLength(page)).toBeLessThan(4_096);
      for (const line of page.split('\n')) {
        expect(bare(line)).not.toMatch(/[<>{}[\]&$~`\\]|:\/\//);
        const pipes = bare(line).replaceAll(/[^|]/g, '').length;
        expect([0, 3]).toContain(pipes);
      }
    }
  });

  it.each(HOSTILE)('is never part of a command that people copy: %s', (_name, words) => {
    for (const command of pagesWith(words).flatMap(commandsIn)) {
      expect(command).toMatch(/^[a-zA-Z0-9 _-]+$/);
    }
  });
});

describe('the commands of all pages', () => {
  const commands = [...new Set(pagesWith('x').flatMap(commandsIn))];

  it('are more than eight', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)('are commands of the program: bursar %s', async (command) => {
    const { world } = fakeWorld({ cwd: '/nowhere' });
    let ran = 0;
    const program = createProgram(world, async () => {
      ran += 1;
    });
    await program.parseAsync(command.split(' '), { from: 'user' });
    expect(ran).toBe(1);
  });
});
