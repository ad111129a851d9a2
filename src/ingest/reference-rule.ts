import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { detached } from './detached.ts';

type RowResult = AcceptedRow | RowRefusal;
type ReferenceRule = (reference: string, row: RowNumber, result: RowResult) => RowResult;

/**
 * Refuses a row whose reference an earlier row of the file has, also when that one was refused.
 * References are compared letter by letter, as a duplicate refuses a row. Memory takes about 100
 * bytes for each.
 */
export function createReferenceRule(): ReferenceRule {
  const rows = new Map<string, RowNumber>();
  return (reference, row, result) => {
    if (reference === '' || isRefusedFor('reference', result)) return result;
    const kept = detached(reference);
    const firstRow = rows.get(kept);
    if (firstRow !== undefined) return withReason(result, { reference, row, firstRow });
    rows.set(kept, row);
    return result;
  };
}

const isRefusedFor = (column: RefusedRow['column'], result: RowResult): boolean =>
  !result.ok && result.reasons.some((reason) => reason.column === column);

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
