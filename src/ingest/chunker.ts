import { createHash } from 'node:crypto';
import {
  addAmounts,
  type Amount,
  formatAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '../domain/money/amount.ts';
import { parseSignedAmount } from '../domain/money/signed-amount.ts';
import { IDENTITY_WORDS } from '../domain/payees/identity.ts';
import { PART, PRINT_WORDS } from '../domain/plan/row-print.ts';
import {
  type CurrencySummary,
  type StagedChunk,
  DISTINCT_AMOUNTS_MAX,
} from '../domain/rows/staging.ts';
import type { CheckedRows } from './checked-block.ts';
import { detached } from './detached.ts';
import { joinedWords } from './joined.ts';

/** Rows of a chunk, and of the first chunk of each currency (0: as many as the others). */
export type ChunkSizes = Readonly<{ chunkRows: number; canaryRows: number }>;

/** Collects rows into chunks, with one open chunk for each currency. */
export type Chunker = Readonly<{
  /** Adds the rows of one currency in a block. */
  add(rows: CheckedRows): void;
  /** Returns the chunks that are full since the last call, in order. Call it after every block. */
  takeFull(): StagedChunk[];
  /** Returns the incomplete chunks, in the order in which their currencies first appear. */
  takeRemaining(): StagedChunk[];
  chunkCount(): number;
  currencies(): CurrencySummary[];
}>;

/** A chunk in progress: the packed text and the fingerprints of its rows, in pieces. */
type OpenChunk = {
  readonly packed: string[];
  readonly prints: Int32Array[];
  readonly identities: Int32Array[];
  readonly rowsMax: number;
  rowCount: number;
  total: Amount;
};

type CurrencyLine = {
  readonly currency: string;
  readonly tally: ReturnType<typeof createAmountTally>;
  open: OpenChunk;
  rowCount: number;
  total: Amount;
};

/** A chunk whose number is not known yet. */
type UnnumberedChunk = Omit<StagedChunk, 'chunk'>;

const emptyChunk = (rowsMax: number): OpenChunk => ({
  packed: [],
  prints: [],
  identities: [],
  rowsMax,
  rowCount: 0,
  total: ZERO,
});

export function createChunker({ chunkRows, canaryRows }: ChunkSizes): Chunker {
  const firstRows = canaryRows === 0 ? chunkRows : Math.min(canaryRows, chunkRows);
  const lines = new Map<string, CurrencyLine>();
  let full: UnnumberedChunk[] = [];
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

  function close(line: CurrencyLine): UnnumberedChunk {
    const closed = closeChunk(line.currency, line.open);
    line.rowCount += line.open.rowCount;
    line.total = addAmounts(line.total, line.open.total);
    line.open = emptyChunk(chunkRows);
    return closed;
  }

  const numbered = (chunks: readonly UnnumberedChunk[]): StagedChunk[] =>
    chunks.map((chunk) => ({ chunk: chunkCount++, ...chunk }));

  return {
    add(rows) {
      const line = lineOf(rows.currency);
      line.tally.count(rows.amounts);
      const cut = createRowsCutter(rows);
      while (cut.rowsLeft() > 0) {
        addTo(line.open, cut.take(line.open.rowsMax - line.open.rowCount));
        if (line.open.rowCount === line.open.rowsMax) full.push(close(line));
      }
    },
    takeFull() {
      // A block has the rows of each currency apart; chunks are numbered in the order of the file.
      const taken = full.toSorted((a, b) => a.lastRow - b.lastRow);
      full = [];
      return numbered(taken);
    },
    takeRemaining: () =>
      numbered([...lines.values()].filter(({ open }) => open.rowCount > 0).map(close)),
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

function addTo(open: OpenChunk, { packed, prints, identities, total }: RowsPiece): void {
  open.packed.push(packed);
  open.prints.push(prints);
  open.identities.push(identities);
  open.rowCount += prints.length / PRINT_WORDS;
  open.total = addAmounts(open.total, total);
}

function closeChunk(currency: string, { packed, rowCount, total, ...open }: OpenChunk) {
  const rows = `[${packed.join(',')}]`;
  const prints = joinedWords(open.prints);
  const identities = joinedWords(open.identities);
  return {
    currency,
    rowCount,
    total: formatAmount(total),
    firstRow: prints[PART.number] ?? 0,
    lastRow: prints.at(PART.number - PRINT_WORDS) ?? 0,
    rows,
    rowsSha256: createHash('sha256').update(rows, 'utf8').digest('hex'),
    prints,
    ...(identities.every((word) => word === 0) ? {} : { identities }),
  };
}

/** Consecutive rows of one currency. */
type RowsPiece = Readonly<{
  packed: string;
  prints: Int32Array;
  identities: Int32Array;
  total: Amount;
}>;

/** Cuts the rows of a block into pieces for chunks. */
function createRowsCutter({ packed, amounts, total, prints, identities }: CheckedRows) {
  const rows = prints.length / PRINT_WORDS;
  let [from, start] = [0, 0];
  let left = parseSignedAmount(total);

  /** Where the line of the row before `next` ends. */
  function endBefore(next: number): number {
    let end = start - 1;
    for (let row = from; row < next; row += 1) end = packed.indexOf('\n', end + 1);
    return end;
  }

  return {
    rowsLeft: (): number => rows - from,
    /** Returns the next rows, at most so many. */
    take(rowsMax: number): RowsPiece {
      const to = Math.min(from + rowsMax, rows);
      const end = to === rows ? packed.length : endBefore(to);
      const piece = {
        packed: packed.slice(start, end).replaceAll('\n', ','),
        prints: prints.subarray(from * PRINT_WORDS, to * PRINT_WORDS),
        identities: identities.subarray(from * IDENTITY_WORDS, to * IDENTITY_WORDS),
        // To read all amounts again would take longer.
        total: to === rows ? left : sumOf(amounts.split(' ').slice(from, to)),
      };
      left = subtractAmounts(left, piece.total);
      from = to;
      start = end + 1;
      return piece;
    },
  };
}

const sumOf = (amounts: readonly string[]): Amount => sumAmounts(amounts.map(parseAmount));

/** Counts the rows with each amount, for fee quotes. It stops at too many different amounts. */
type AmountTally = Readonly<{
  /** Counts amounts that are separated by spaces. */
  count(amounts: string): void;
  /** Returns the counts by amount text, or null after too many different amounts. */
  amounts(): [string, number][] | null;
}>;

function createAmountTally(): AmountTally {
  let counts: Map<string, number> | null = new Map();
  return {
    count(amounts) {
      for (const amount of counts === null ? [] : amounts.split(' ')) {
        const count = counts?.get(amount);
        counts?.set(count === undefined ? detached(amount) : amount, (count ?? 0) + 1);
      }
      if ((counts?.size ?? 0) > DISTINCT_AMOUNTS_MAX) counts = null;
    },
    amounts: () => counts && [...counts].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
