import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { AcceptedRow, RowRefusal } from '../domain/rows/row-rules.ts';
import { refusedRow } from '../domain/rows/row-rules-problem.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { detached } from './detached.ts';

type Verdict = AcceptedRow | RowRefusal;
type ReferenceRule = (reference: string, row: RowNumber, verdict: Verdict) => Verdict;

/**
 * A reference stands once in a file, counting rows that are refused for other reasons. A duplicate refuses a row, so
 * references are kept and compared whole: about 100 bytes for each, and nothing for a file without them.
 */
export function createReferenceRule(): ReferenceRule {
  const rows = new Map<string, RowNumber>();
  return (reference, row, verdict) => {
    if (reference === '' || isRefusedFor('reference', verdict)) return verdict;
    const kept = detached(reference);
    const firstRow = rows.get(kept);
    if (firstRow !== undefined) return withReason(verdict, { reference, row, firstRow });
    rows.set(kept, row);
    return verdict;
  };
}

const isRefusedFor = (column: RefusedRow['column'], verdict: Verdict): boolean =>
  !verdict.ok && verdict.reasons.some((reason) => reason.column === column);

function withReason(
  verdict: Verdict,
  {
    reference,
    row,
    firstRow,
  }: Readonly<{ reference: string; row: RowNumber; firstRow: RowNumber }>,
): RowRefusal {
  const reasons = verdict.ok ? [] : verdict.reasons;
  const { amount, currency } = verdict.ok ? verdict.row : (reasons[0] ?? {});
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
