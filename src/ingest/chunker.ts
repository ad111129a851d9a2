import { createHash } from 'node:crypto';
import { addAmounts, type Amount, formatAmount, sumAmounts, ZERO } from '../domain/money/amount.ts';
import { PRINT_WORDS } from '../domain/plan/row-print.ts';
import { packRows, type Row } from '../domain/rows/row.ts';
import {
  type CurrencySummary,
  type StagedChunk,
  DISTINCT_AMOUNTS_MAX,
} from '../domain/rows/staging.ts';
import { detached } from './detached.ts';

/** Rows of a chunk, and of the first chunk of each currency (0: as many as the others). */
export type ChunkSizes = Readonly<{ chunkRows: number; canaryRows: number }>;

/** Collects rows into chunks, with one open chunk for each currency. */
export type Chunker = Readonly<{
  /** Adds a row. Its fingerprint begins at `fingerprints[at]`. */
  add(accepted: Readonly<{ row: Row; amount: Amount }>, fingerprints: Int32Array, at: number): void;
  /** Returns the chunks that are full since the last call, in order. Call it after every block. */
  takeFull(): StagedChunk[];
  /** Returns the incomplete chunks, in the order in which their currencies first appear. */
  takeRemaining(): StagedChunk[];
  chunkCount(): number;
  currencies(): CurrencySummary[];
}>;

/** A chunk in progress: unpacked rows, and the packed text of the others. */
type OpenChunk = {
  rows: Row[];
  amounts: Amount[];
  packed: string[];
  readonly fingerprints: FingerprintBuffer;
  readonly rowsMax: number;
  rowCount: number;
  total: Amount;
  firstRow: number;
  lastRow: number;
};

type CurrencyLine = {
  readonly currency: string;
  readonly tally: ReturnType<typeof createAmountTally>;
  open: OpenChunk;
  rowCount: number;
  total: Amount;
};

const emptyChunk = (rowsMax: number): OpenChunk => ({
  rows: [],
  amounts: [],
  packed: [],
  fingerprints: createFingerprintBuffer(),
  rowsMax,
  rowCount: 0,
  total: ZERO,
  firstRow: 0,
  lastRow: 0,
});

export function createChunker({ chunkRows, canaryRows }: ChunkSizes): Chunker {
  const firstRows = canaryRows === 0 ? chunkRows : Math.min(canaryRows, chunkRows);
  const lines = new Map<string, CurrencyLine>();
  let full: StagedChunk[] = [];
  let chunkCount = 0;

  function lineOf(currency: string): CurrencyLine {
    const existing = lines.get(currency);
    if (existing !== undefined) return existing;
    const name = detached(currency);
    const tally = createAmountTally();
    const line = { currency: name, tally, open: emptyChunk(firstRows), rowCount: 0, total: ZERO };
    lines.set(name, line);
    return line;
  }

  function closeChunk(line: CurrencyLine): StagedChunk {
    pack(line.open);
    const { rowCount, total, firstRow, lastRow, packed, fingerprints } = line.open;
    const rows = `[${packed.join(',')}]`;
    const rowsSha256 = createHash('sha256').update(rows, 'utf8').digest('hex');
    line.open = emptyChunk(chunkRows);
    line.rowCount += rowCount;
    line.total = addAmounts(line.total, total);
    return {
      chunk: chunkCount++,
      currency: line.currency,
      rowCount,
      total: formatAmount(total),
      firstRow,
      lastRow,
      rows,
      rowsSha256,
      prints: fingerprints.words(),
    };
  }

  return {
    add({ row, amount }, fingerprints, at) {
      const line = lineOf(row.currency);
      const { open } = line;
      if (open.rowCount === 0) open.firstRow = row.row;
      open.lastRow = row.row;
      open.rowCount += 1;
      open.rows.push(row);
      open.amounts.push(amount);
      open.fingerprints.add(fingerprints, at);
      line.tally.count(row.amount);
      if (open.rowCount === open.rowsMax) full.push(closeChunk(line));
    },
    takeFull() {
      for (const { open } of lines.values()) pack(open);
      const taken = full;
      full = [];
      return taken;
    },
    takeRemaining: () =>
      [...lines.values()].filter(({ open }) => open.rowCount > 0).map((line) => closeChunk(line)),
    chunkCount: () => chunkCount,
    currencies: () =>
      [...lines.values()].map(({ currency, rowCount, total, tally }) => ({
        currency,
        rows: rowCount,
        total: formatAmount(total),
        amounts: tally.amounts(),
      })),
  };
}

/**
 * Packs rows into text without brackets.
 * An unpacked row keeps its whole block of text in memory, so all rows are packed after their
 * block.
 */
function pack(open: OpenChunk): void {
  if (open.rows.length === 0) return;
  open.packed.push(packRows(open.rows).slice(1, -1));
  open.total = addAmounts(open.total, sumAmounts(open.amounts));
  open.rows = [];
  open.amounts = [];
}

/** Counts the rows with each amount, for fee quotes. It stops at too many different amounts. */
type AmountTally = Readonly<{
  count(amount: string): void;
  /** Returns the counts by amount text, or null after too many different amounts. */
  amounts(): [string, number][] | null;
}>;

function createAmountTally(): AmountTally {
  let counts: Map<string, number> | null = new Map();
  return {
    count(amount) {
      if (counts === null) return;
      const count = counts.get(amount);
      counts.set(count === undefined ? detached(amount) : amount, (count ?? 0) + 1);
      if (counts.size > DISTINCT_AMOUNTS_MAX) counts = null;
    },
    amounts: () => counts && [...counts].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** A growing list of fingerprints. */
type FingerprintBuffer = Readonly<{
  /** Copies the fingerprint that begins at `fingerprints[at]`. */
  add(fingerprints: Int32Array, at: number): void;
  /** Returns all fingerprints. Call it last. */
  words(): Int32Array;
}>;

const INITIAL_ROWS = 256;

function createFingerprintBuffer(): FingerprintBuffer {
  let words = new Int32Array(0);
  let used = 0;
  return {
    add(fingerprints, at) {
      if (used === words.length) words = larger(words);
      for (let i = 0; i < PRINT_WORDS; i++) words[used + i] = fingerprints[at + i] ?? 0;
      used += PRINT_WORDS;
    },
    words: () => words.slice(0, used),
  };
}

function larger(words: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(Math.max(2 * words.length, INITIAL_ROWS * PRINT_WORDS));
  copy.set(words);
  return copy;
}
