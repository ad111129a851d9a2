import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import { lossesOf, type Losses, type Risk } from '../../domain/holds/stop-loss.ts';
import {
  addAmounts,
  type Amount,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { Schema } from '../database/schema.ts';
import { SENT_STATES } from '../rows/counted-payments.ts';
import { sharesOf } from '../settlement/shares.ts';
import type { StoredChunk } from './write.ts';

/** The counters of a batch with a stop loss. `isNew`: they were counted just now, and are stored whatever they are. */
export type ReadHeadroom = Readonly<{
  rules: readonly string[];
  /** Losses that a person has accepted. */
  accepted: Losses | undefined;
  rows: readonly Schema['headroom'][];
  isNew: boolean;
}>;

/** Rows and amounts that are under way, and those that are lost. */
type Exposure = Readonly<{ openRows: number; open: Amount; lostRows: number; lost: Amount }>;

const NO_EXPOSURE: Exposure = { openRows: 0, open: ZERO, lostRows: 0, lost: ZERO };

type Chunks = Iterable<StoredChunk>;

/** The counters of the other chunks of a batch, to which those of a group of chunks are added as they change. */
export function createHeadroomCounters({ accepted, rows, isNew }: ReadHeadroom, read: Chunks) {
  const readNow = byCurrency(read);
  const beside = new Map(
    rows.map((row) => [row.currency, combined(exposureOf(row), readNow.get(row.currency), -1)]),
  );
  const withChunks = (chunks: Chunks): Map<string, Exposure> => {
    const now = byCurrency(chunks);
    return new Map(
      [...beside].map(([currency, others]) => [currency, combined(others, now.get(currency), 1)]),
    );
  };
  return {
    /** The risk before a chunk that is not under way. */
    risk(chunks: Chunks): Risk {
      const all = [...withChunks(chunks)];
      return {
        losses: {
          settledRows: 0,
          lostRows: all.reduce((sum, [, { lostRows }]) => sum + lostRows, 0),
          lost: new Map(all.map(([currency, { lost }]) => [currency, formatAmount(lost)])),
        },
        accepted,
        underWay: all.flatMap(([currency, { openRows, open }]) =>
          openRows === 0 ? [] : [{ rows: openRows, currency, amount: formatAmount(open) }],
        ),
        batchRows: rows.reduce((sum, row) => sum + row.batch_rows, 0),
      };
    },

    /** The counters that differ from the stored ones. */
    changed(chunks: Chunks): Schema['headroom'][] {
      const now = withChunks(chunks);
      return rows.flatMap((row) => {
        const after = { ...row, ...columnsOf(now.get(row.currency) ?? NO_EXPOSURE) };
        return isNew || !isSame(row, after) ? [after] : [];
      });
    },
  };
}

function byCurrency(chunks: Chunks): Map<string, Exposure> {
  const sums = new Map<string, Exposure>();
  for (const chunk of chunks) {
    const { currency } = chunk.row;
    sums.set(currency, combined(sums.get(currency) ?? NO_EXPOSURE, exposureIn(chunk), 1));
  }
  return sums;
}

/** Shares of chunks: a chunk with a thousand outcomes is counted for each first attempt of its group. */
const exposures = new WeakMap<StoredChunk, Exposure>();

/** The share of one chunk in the counters. */
function exposureIn(chunk: StoredChunk): Exposure {
  const exposure = exposures.get(chunk) ?? countExposure(chunk);
  exposures.set(chunk, exposure);
  return exposure;
}

function countExposure({ row, rowOutcomes }: StoredChunk): Exposure {
  if (row.final === 0) {
    return SENT_STATES.includes(row.state as ChunkState)
      ? { ...NO_EXPOSURE, openRows: row.row_count, open: parseSignedAmount(row.total) }
      : NO_EXPOSURE;
  }
  const { lostRows, lost } = lossesOf(sharesOf(row, rowOutcomes));
  return { ...NO_EXPOSURE, lostRows, lost: parseSignedAmount(lost.get(row.currency) ?? '0') };
}

function combined(a: Exposure, b: Exposure | undefined, sign: 1 | -1): Exposure {
  if (b === undefined) return a;
  const amount = sign === 1 ? addAmounts : subtractAmounts;
  return {
    openRows: a.openRows + sign * b.openRows,
    open: amount(a.open, b.open),
    lostRows: a.lostRows + sign * b.lostRows,
    lost: amount(a.lost, b.lost),
  };
}

const exposureOf = (row: Schema['headroom']): Exposure => ({
  openRows: row.under_way_rows,
  open: parseSignedAmount(row.under_way_amount),
  lostRows: row.lost_rows,
  lost: parseSignedAmount(row.lost_amount),
});

const columnsOf = ({ openRows, open, lostRows, lost }: Exposure) => ({
  under_way_rows: openRows,
  under_way_amount: formatAmount(open),
  lost_rows: lostRows,
  lost_amount: formatAmount(lost),
});

const isSame = (a: Schema['headroom'], b: Schema['headroom']): boolean =>
  a.under_way_rows === b.under_way_rows &&
  a.under_way_amount === b.under_way_amount &&
  a.lost_rows === b.lost_rows &&
  a.lost_amount === b.lost_amount;
