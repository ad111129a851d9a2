import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import type { RowNumber } from '../domain/rows/row.ts';

type RowResult = AcceptedRow | RowRefusal;

/** Rows whose reference an earlier row has, with that row. */
export type DuplicateRows = ReadonlyMap<RowNumber, RowNumber>;

/** The references of a block: texts separated by line feeds, and the row of each. */
export type References = Readonly<{ texts: string; rows: readonly RowNumber[] }>;

/** No reference has it: a row with one is refused. */
const SEPARATOR = '\n';

/** Applies the rule of references to the rows of one block after the other. */
export type ReferenceRule = Readonly<{
  /** Starts a block. `duplicates`: rows of it to refuse. */
  begin(duplicates: DuplicateRows): void;
  /** Adds a reference to the list, also that of a refused row. Returns the row, or its refusal. */
  apply(reference: string, row: RowNumber, result: RowResult): RowResult;
  /** Returns the references of the block that later rows must not have. */
  list(): References;
}>;

export function createReferenceRule(): ReferenceRule {
  let duplicates: DuplicateRows = new Map();
  let texts: string[] = [];
  let rows: RowNumber[] = [];
  return {
    begin(known) {
      duplicates = known;
      texts = [];
      rows = [];
    },
    apply(reference, row, result) {
      if (reference === '' || isRefusedFor('reference', result)) return result;
      texts.push(reference);
      rows.push(row);
      const firstRow = duplicates.get(row);
      return firstRow === undefined ? result : withReason(result, { reference, row, firstRow });
    },
    list: () => ({ texts: texts.join(SEPARATOR), rows }),
  };
}

const isRefusedFor = (column: RefusedRow['column'], result: RowResult): boolean =>
  !result.ok && result.reasons.some((reason) => reason.column === column);

/**
 * Returns a function that keeps the references of the blocks of a file, in order, and returns the
 * rows with a reference that an earlier row has. References are compared letter by letter, as a
 * duplicate refuses a row. Memory takes about 100 bytes for each.
 */
export function createDuplicateFinder(): (references: References) => DuplicateRows {
  const firstRows = new Map<string, RowNumber>();
  return ({ texts, rows }) => {
    const duplicates = new Map<RowNumber, RowNumber>();
    if (rows.length === 0) return duplicates;
    texts.split(SEPARATOR).forEach((reference, i) => {
      const row = rows[i] ?? 0;
      const firstRow = firstRows.get(reference);
      if (firstRow === undefined) firstRows.set(reference, row);
      else duplicates.set(row, firstRow);
    });
    return duplicates;
  };
}

function withReason(
  result: RowResult,
  {
    reference,
    row,
    firstRow,
  }: Readonly<{ reference: string; row: RowNumber; firstRow: RowNumber }>,
): RowRefusal {
  const reasons = result.ok ? [] : result.reasons;
  const { amount, currency } = result.ok ? result.row : (reasons[0] ?? {});
  const reason = refusedRow({
    row,
    column: 'reference',
    code: 'REFERENCE_DUPLICATE',
    facts: { reference, firstRow },
    value: reference,
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
  });
  return { ok: false, reasons: [...reasons, reason] };
}
