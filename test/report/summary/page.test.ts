import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import type { BatchReport, ReportRow } from '../../../src/domain/report/report.ts';
import { createExcerpt } from '../../../src/report/excerpt.ts';
import { summaryPage } from '../../../src/report/summary/page.ts';
import { reasonFor, refusedRow, reportOf, row } from '../support/reports.ts';

function pageOf(rows: readonly ReportRow[], peculiar: Partial<BatchReport> = {}): string {
  const excerpt = createExcerpt();
  for (const each of rows) {
    excerpt.addRow(each);
    if (each.refused) excerpt.addRefused(reasonFor(each.row));
  }
  const files = [{ name: 'report.csv', rows: rows.length }];
  return summaryPage({ report: reportOf(rows, peculiar), excerpt, files });
}

/** Returns the visible text of a page. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|title|desc)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;

/** A report in which every text that can come from outside is hostile. */
function hostilePage(): string {
  const own = { comment: HOSTILE, reference: HOSTILE, reason: HOSTILE, address: HOSTILE };
  const ids = { withdrawalId: HOSTILE, massPayoutId: HOSTILE, idempotencyKey: HOSTILE };
  return pageOf(
    [
      row(2, { ...own, ...ids, currency: HOSTILE, outcome: 'FAILED' }),
      row(3, { ...own, ...ids, currency: HOSTILE, outcome: 'UNKNOWN' }),
      refusedRow(4),
    ],
    {
      batchId: HOSTILE,
      parentBatchId: HOSTILE,
      digest: HOSTILE,
      file: { name: HOSTILE, sha256: HOSTILE },
      account: HOSTILE,
      submittedAt: HOSTILE,
      submittedBy: HOSTILE,
      endedAt: HOSTILE,
      fees: HOSTILE,
      feeQuotes: { planned: [{ currency: HOSTILE, fee: HOSTILE, estimated: false }], final: null },
      withdrawals: HOSTILE,
      error: new BursarError('INTERNAL', { message: HOSTILE }).note,
      findings: [
        {
          code: 'DUPLICATE_ROW',
          count: 1,
          severity: 'confirm',
          accepted: true,
          examples: [{ row: 2, detail: HOSTILE }],
        },
      ],
      needsOperator: [
        {
          chunk: 1,
          reason: HOSTILE,
          since: HOSTILE,
          rows: 1,
          currency: HOSTILE,
          total: '1',
          idempotencyKey: HOSTILE,
          externalId: HOSTILE,
          attempts: [
            { n: 1, signedAt: HOSTILE, outcome: HOSTILE, errorCode: HOSTILE, traceId: HOSTILE },
          ],
        },
      ],
      massPayouts: [
        {
          chunk: 1,
          massPayoutId: HOSTILE,
          idempotencyKey: HOSTILE,
          state: HOSTILE,
          currency: HOSTILE,
          rows: 1,
          total: '1',
          fee: null,
        },
      ],
    },
  );
}

describe('the advice for failed rows', () => {
  const failed = (number: number, more: Partial<ReportRow> = {}) =>
    row(number, { outcome: 'FAILED', ...more });

  it.each([
    ['none was resent', [failed(2), failed(3)], [true, false]],
    ['some were resent', [failed(2), failed(3, { resentAs: 'payroll-r1' })], [true, true]],
    ['all were resent', [failed(2, { resentAs: 'payroll-r1' })], [false, true]],
  ])('depends on their resends: %s', (_case, rows, [isAdvised, isResent]) => {
    const text = textOf(pageOf(rows));
    expect(text.includes('Check in the interface of the service')).toBe(isAdvised);
    expect(text.includes('1 row was sent again as batch payroll-r1: no step is left')).toBe(
      isResent,
    );
    expect(text.includes('sent again as payroll-r1')).toBe(isResent);
  });
});

describe('the page', () => {
  it('shows hostile text as text everywhere', () => {
    const page = hostilePage();
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(25);
    expect(page).not.toMatch(/<script|<img|alert\('x'\)/);
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;');
    expect(page).toContain('&amp;amp;');
  });

  it('shows invisible and text-turning characters as escapes', () => {
    const comment = 'a\u0000b\u001Bc\u0085d\r \u202Elive\u200B';
    const page = pageOf([row(2, { outcome: 'FAILED', comment })]);
    expect(page).toContain('a\\u{0}b\\u{1b}c\\u{85}d\\u{d} \\u{202e}live\\u{200b}');
    expect(page).not.toMatch(/[^\P{Cc}\t\n]|\p{Cf}/u);
  });

  it('allows nothing but its own style, and loads nothing', () => {
    const page = pageOf([row(2)]);
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page).not.toMatch(
      /<link|<script|<iframe|<object|\bsrc=|style=|@import|https?:|url\((?!#)/,
    );
  });

  it('links only to the files beside it', () => {
    const rows = [row(2, { outcome: 'FAILED' }), refusedRow(3)];
    const links = [...pageOf(rows).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(new Set(links)).toEqual(new Set(['report.json', 'report.csv', 'nack.csv']));
  });

  it('begins with the number of paid rows', () => {
    const rows = [...Array.from({ length: 1_001 }, (_, i) => row(i + 2))];
    const page = pageOf([...rows, row(2_000, { outcome: 'FAILED' })]);
    expect(page).toContain('<h1>1,001 of 1,002 rows paid</h1>');
    expect(textOf(page)).toContain('Partly paid1 failed');
  });

  it('proves by counting that no row and no amount is missing', () => {
    const rows = [row(2), row(3, { outcome: 'FAILED', amount: '2.25', currency: 'BTC' })];
    expect(textOf(pageOf(rows))).toContain('difference 0 rows, 0.00 USDT (TRC20), 0.00 BTC.');
    const { rows: counts } = reportOf(rows);
    const broken = pageOf(rows, { rows: { ...counts, total: 3 } });
    expect(textOf(broken)).toContain('difference 1 row, 0.00 USDT (TRC20), 0.00 BTC.');
  });

  it('names file, hash, digest, account and people', () => {
    const text = textOf(pageOf([row(2)], { parentBatchId: 'payroll-2026-10', generation: 1 }));
    for (const fact of [
      'payroll.csv',
      'f'.repeat(64),
      `sha256:${'d'.repeat(64)}`,
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '2026-11-20 09:00:00 UTC, by mira',
      '2026-11-20 11:42:18 UTC',
      'no. 1 of payroll-2026-10',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it('mentions fees and lookups only when they were not available', () => {
    const could = textOf(pageOf([row(2)], { fees: 'available', withdrawals: 'available' }));
    expect(could).not.toContain('available');
    const page = pageOf([row(2)], { fees: 'not read', withdrawals: 'not for every one' });
    expect(textOf(page)).toContain('Fees of the servicenot read');
    expect(textOf(page)).toContain('Lookup of failed paymentsnot for every one');
  });

  it('breaks a decision between words alone', () => {
    const found = { code: 'OVERLAP', count: 1, severity: 'info', accepted: false } as const;
    const page = pageOf([row(2)], { findings: [{ ...found, examples: [] }] });
    expect(page).toContain('<td class="phrase" data-title="Decision">for information</td>');
    expect(page).toContain('.phrase { overflow-wrap: normal; }');
  });

  it('shows the fees quoted with the plan, and later ones if they changed', () => {
    const trx = (fee: string) => [{ currency: 'TRX', fee, estimated: false }];
    const quoted = { planned: trx('1.5'), final: trx('1.5') };
    const text = (feeQuotes: BatchReport['feeQuotes']) => textOf(pageOf([row(2)], { feeQuotes }));
    expect(text(null)).not.toContain('Fees quoted');
    expect(text(quoted)).toContain('Fees quoted with the plan1.50 TRX');
    expect(text(quoted)).not.toContain('at the due time');
    expect(text({ ...quoted, final: trx('1.75') })).toContain('at the due time1.75 TRX');
    expect(text({ planned: null, final: null })).toContain('not available');
  });

  it('explains that mass payouts state the fee, and for which rows', () => {
    const note = 'includes rows that were not paid';
    const report = reportOf([row(2)]);
    const [amount] = report.amounts;
    const amounts = [{ ...amount!, fee: '2.6', feeIncludesUnpaid: true as const }];
    expect(textOf(pageOf([row(2)], { amounts }))).toContain(note);
    const text = textOf(pageOf([row(2)]));
    expect(text).toContain('Fee stated');
    expect(text).not.toContain(note);
  });

  it('shows the first thousand failed rows and names the file with all', () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => row(i + 2, { outcome: 'FAILED' }));
    const page = pageOf(rows);
    expect(page.match(/data-title="Why"/g)).toHaveLength(1_000);
    expect(textOf(page)).toContain('The first 1,000 of 1,500; failed.csv has all.');
  });

  it('shows the decision on each finding', () => {
    const findings: BatchReport['findings'] = [
      {
        code: 'DUPLICATE_ROW',
        count: 2,
        severity: 'confirm',
        accepted: true,
        examples: [{ row: 9, detail: 'same as row 2' }],
      },
      {
        code: 'ADDRESS_BURN',
        count: 1,
        severity: 'confirm',
        accepted: false,
        examples: [{ row: 7, detail: '' }],
      },
      {
        code: 'LIMIT_ROW',
        count: 1,
        severity: 'block',
        accepted: true,
        examples: [{ row: 8, detail: '' }],
      },
      {
        code: 'ROWS_SKIPPED',
        count: 1,
        severity: 'info',
        accepted: false,
        examples: [{ row: 0, detail: 'see nack.csv' }],
      },
    ];
    const text = textOf(pageOf([row(2)], { findings }));
    expect(text).toContain('DUPLICATE_ROWNeeds a confirmation2');
    expect(text).toContain('9 (same as row 2)accepted by the submitter');
    expect(text).toContain('7not accepted');
    expect(text).toContain('8stopped the batch');
    expect(text).toContain('see nack.csvfor information');
  });

  it('has no empty section', () => {
    const text = textOf(pageOf([row(2)]));
    for (const title of ['Needs an operator', 'Failed rows', 'Rows to investigate', 'Refused']) {
      expect(text).not.toContain(title);
    }
  });

  it('has a ledger of every currency, for any number of them', () => {
    const rows = Array.from({ length: 11 }, (_, i) => row(i + 2, { currency: `COIN${i}` }));
    const page = pageOf(rows);
    const heads = [...page.matchAll(/<th scope="col" class="amount">(COIN\d+)<\/th>/g)];
    expect(heads.map(([, currency]) => currency)).toEqual(rows.map(({ currency }) => currency));
    expect(page.match(/<caption>Rows and amounts by outcome/g)).toHaveLength(3);
  });

  it('keeps every amount exact in spite of its spacing', () => {
    const amount = '1234567.000000000000000001';
    const page = pageOf([row(2, { amount, outcome: 'FAILED' })]);
    const cell = /data-title="Amount">(.*?)<\/td>/.exec(page)?.[1] ?? '';
    expect(cell).toContain('<span class="th">234</span>');
    expect(textOf(cell)).toBe(amount);
  });

  it('works for a batch without a plan', () => {
    const { note: error } = new BursarError('FILE_EMPTY', { file: 'payroll.csv' });
    const text = textOf(pageOf([], { state: 'REJECTED', digest: null, error }));
    expect(text).toContain('payroll.csv is empty.');
    expect(text).toContain('none: no plan was made');
    expect(text).toContain('0 of 0 rows paid');
  });
});
