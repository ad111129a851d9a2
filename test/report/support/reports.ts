import type { BatchReport, ReportRow } from '../../../src/domain/report/report.ts';
import type { CurrencyAmounts, RowCounts } from '../../../src/domain/report/totals.ts';
import type { RefusedRow } from '../../../src/domain/rows/refused-row.ts';

const FIELD_OF = {
  PAID: 'paid',
  FAILED: 'failed',
  NOT_SENT: 'notSent',
  UNKNOWN: 'unknown',
  IN_FLIGHT: 'inFlight',
} as const;

export const ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

/** A paid row, with the fields of the test. */
export const row = (number: number, peculiar: Partial<ReportRow> = {}): ReportRow => ({
  row: number,
  address: ADDRESS,
  amount: '1.5',
  currency: 'USDT_TRC20',
  comment: '',
  reference: '',
  name: '',
  outcome: 'PAID',
  reason: '',
  chunk: 0,
  massPayoutId: 'mp-1',
  idempotencyKey: 'key-1',
  withdrawalId: '',
  transactionHash: '',
  fee: '',
  feeCurrency: '',
  refused: false,
  ...peculiar,
});

/** A refused row. The store keeps only its number. */
export const refusedRow = (number: number, peculiar: Partial<ReportRow> = {}): ReportRow =>
  row(number, {
    address: '',
    amount: '',
    currency: '',
    outcome: 'NOT_SENT',
    reason: 'AMOUNT_NOT_DECIMAL',
    chunk: null,
    massPayoutId: '',
    idempotencyKey: '',
    refused: true,
    ...peculiar,
  });

/** One reason for a refused row. Its facts depend on the code, hence the assertion. */
export const reasonFor = (number: number, text = '1e3'): RefusedRow => {
  const reason: RefusedRow<'AMOUNT_NOT_DECIMAL'> = {
    row: number,
    column: 'amount',
    code: 'AMOUNT_NOT_DECIMAL',
    facts: { text },
    value: text,
  };
  return reason as RefusedRow;
};

const FIRST: BatchReport['revision'] = {
  version: 1,
  previousVersion: null,
  changedAt: null,
  before: null,
  changedRows: 0,
  changes: [],
  resent: [],
  returned: [],
};

/** A report with totals of these rows, counted by other code than the one under test. */
export function reportOf(
  rows: readonly ReportRow[],
  peculiar: Partial<BatchReport> = {},
): BatchReport {
  return {
    schema: 'bursar.report/v1',
    batchId: 'payroll-2026-11',
    workflowId: 'batch/payroll-2026-11',
    state: 'PARTIAL',
    digest: `sha256:${'d'.repeat(64)}`,
    rows: countsOf(rows),
    amounts: amountsOf(rows),
    chunks: { total: 1, byState: { PARTIAL: 1 } },
    needsOperator: [],
    error: null,
    file: { name: 'payroll.csv', sha256: 'f'.repeat(64) },
    account: '0x52908400098527886E0F7030069857D2E4169EE7',
    submittedAt: '2026-11-20T09:00:00.000Z',
    submittedBy: 'mira',
    endedAt: '2026-11-20T11:42:18.511Z',
    generation: 0,
    parentBatchId: null,
    childBatchId: null,
    paidTwice: [],
    revision: FIRST,
    findings: [],
    accepted: [],
    approvals: { policy: ['No approval is needed.'], mode: null, given: [] },
    audit: { entries: 7, hash: 'a'.repeat(64) },
    holds: [],
    balance: { result: 'explained', because: null, lines: [], accepted: [] },
    refusedRows: rows.filter(({ refused }) => refused).length,
    fees: 'available',
    withdrawals: 'available',
    feeQuotes: null,
    massPayouts: [],
    ...peculiar,
  };
}

function countsOf(rows: readonly ReportRow[]): RowCounts {
  const counts = { total: rows.length, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 };
  for (const { outcome } of rows) counts[FIELD_OF[outcome]] += 1;
  return counts;
}

function amountsOf(rows: readonly ReportRow[]): CurrencyAmounts[] {
  const countable = rows.filter(({ amount, currency }) => amount !== '' && currency !== '');
  const currencies = [...new Set(countable.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = countable.filter((each) => each.currency === currency);
    const sum = (field?: string): string =>
      unshifted(
        own
          .filter(({ outcome }) => field === undefined || FIELD_OF[outcome] === field)
          .reduce((total, { amount }) => total + shifted(amount), 0n),
      );
    return {
      currency,
      requested: sum(),
      paid: sum('paid'),
      failed: sum('failed'),
      unknown: sum('unknown'),
      notSent: sum('notSent'),
      inFlight: sum('inFlight'),
      fee: '0',
    };
  });
}

const DECIMALS = 36;

const shifted = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
};

const unshifted = (units: bigint): string => {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -DECIMALS) + (fraction === '' ? '' : `.${fraction}`);
};
