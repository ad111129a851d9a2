import { BursarError } from '../domain/errors/bursar-error.ts';
import {
  type Amount,
  formatAmount,
  parseAmount,
  sumAmounts,
  ZERO,
} from '../domain/money/amount.ts';
import type { BatchReport, ReportRow } from '../domain/report/report.ts';
import { type Share, type Totals, tieOut } from '../domain/report/totals.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { Outcome } from '../domain/settling/outcome.ts';

/** Units are summed for each scale apart, because a change of scale for every amount is slow. */
type Sum = { rows: number; readonly unitsByScale: Map<number, bigint> };
/** Sums by currency, then by outcome. */
type Sums = Map<string, Map<Outcome, Sum>>;

/** Counts rows and amounts again while they are written, so that no report has wrong totals. */
export type Recount = Readonly<{
  /** Adds a row. Rows come in file order. */
  addRow(row: ReportRow): void;
  /** Adds one reason for a refusal. The reasons of a row come one after the other. */
  addRefused(refused: RefusedRow): void;
  /** @throws TIE_OUT_BROKEN when the added rows differ from the totals of the report. */
  check(report: RecountedTotals): void;
}>;

/** The figures of a report that its rows must add up to. */
export type RecountedTotals = Totals &
  Readonly<{
    batchId: string;
    refusedRows: number;
    state: BatchReport['state'];
    chunks: BatchReport['chunks'];
  }>;

export function createRecount(batchId: string): Recount {
  const sums: Sums = new Map();
  const last = { row: 0, refused: 0 };
  const refusedRows = { marked: 0, explained: 0 };
  const broken = (difference: string, cause?: unknown): never => {
    throw new BursarError('TIE_OUT_BROKEN', { batchId, difference }, { cause });
  };
  const readAmount = (row: ReportRow): Amount => {
    try {
      return parseAmount(row.amount);
    } catch (cause) {
      return broken(`row ${row.row} has no amount that can be read`, cause);
    }
  };
  return {
    addRow(row) {
      // File order excludes repeated rows without a list of a million row numbers.
      if (!(row.row > last.row)) broken(`row ${row.row} comes after row ${last.row}`);
      last.row = row.row;
      const countable = row.amount !== '' && row.currency !== '';
      if (row.refused) {
        refusedRows.marked += 1;
        if (row.outcome !== 'NOT_SENT') broken(`row ${row.row} was refused and is ${row.outcome}`);
      } else if (!countable) broken(`row ${row.row} has no amount or no currency`);
      const sum = sumFor(sums, countable ? row.currency : '', row.outcome);
      addTo(sum, countable ? readAmount(row) : ZERO);
    },
    addRefused({ row }) {
      if (row !== last.refused) refusedRows.explained += 1;
      last.refused = row;
    },
    check(report) {
      const { rows, amounts } = report;
      const planned = wasPlanned(report);
      for (const count of planned ? Object.values(refusedRows) : [refusedRows.explained]) {
        if (count !== report.refusedRows) {
          broken(`${count} refused rows instead of ${report.refusedRows}`);
        }
      }
      const counted = planned
        ? tieOut(batchId, { rows: rows.total, amounts }, sharesOf(sums))
        : nothingSent(report);
      const difference = differenceOf({ rows, amounts }, counted);
      if (difference !== undefined) broken(difference);
    },
  };
}

/**
 * Whether the batch has chunks. Without chunks no row was sent, and only refused rows are stored.
 */
export const wasPlanned = ({ state, chunks }: RecountedTotals): boolean =>
  state !== 'REJECTED' && chunks.total > 0;

function sumFor(sums: Sums, currency: string, outcome: Outcome): Sum {
  let ofCurrency = sums.get(currency);
  if (ofCurrency === undefined) {
    ofCurrency = new Map();
    sums.set(currency, ofCurrency);
  }
  let sum = ofCurrency.get(outcome);
  if (sum === undefined) {
    sum = { rows: 0, unitsByScale: new Map() };
    ofCurrency.set(outcome, sum);
  }
  return sum;
}

function addTo(sum: Sum, { units, scale }: Amount): void {
  sum.rows += 1;
  sum.unitsByScale.set(scale, (sum.unitsByScale.get(scale) ?? 0n) + units);
}

const totalOf = ({ unitsByScale }: Sum): Amount =>
  sumAmounts(Array.from(unitsByScale, ([scale, units]) => ({ units, scale })));

const sharesOf = (sums: Sums): Share[] =>
  [...sums].flatMap(([currency, ofCurrency]) =>
    [...ofCurrency].map(([outcome, sum]) => ({
      currency,
      outcome,
      rows: sum.rows,
      amount: formatAmount(totalOf(sum)),
    })),
  );

const nothingSent = ({ rows: { total }, amounts }: Totals): Totals => ({
  rows: { total, paid: 0, failed: 0, unknown: 0, notSent: total, inFlight: 0 },
  amounts: amounts.map(({ currency, requested, fee }) => ({
    currency,
    requested,
    paid: '0',
    failed: '0',
    unknown: '0',
    notSent: requested,
    inFlight: '0',
    fee,
  })),
});

/** Returns the first figure of the totals that differs from the counted one. */
function differenceOf(written: Totals, counted: Totals): string | undefined {
  const pairs = [
    { name: 'rows', total: written.rows, count: counted.rows },
    ...written.amounts.map((total, i) => ({
      name: total.currency,
      total,
      count: counted.amounts[i],
    })),
  ];
  for (const { name, total, count } of pairs) {
    const counts: Readonly<Record<string, string | number | boolean>> = { ...count };
    for (const [figure, value] of Object.entries(total)) {
      if (counts[figure] === value) continue;
      return `${name}, ${figure}: ${value} in the totals, ${counts[figure]} in the rows`;
    }
  }
  return undefined;
}
