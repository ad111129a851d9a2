import type { MassPayout } from '@bursar/merchant-api';
import type { Context } from '../../context.ts';
import { type OperationColumn, tableText } from '../../operation-table/printout.ts';
import { readRecordText } from '../../print/record-text.ts';

type WithdrawalError = Readonly<{ withdrawalId: string }> &
  Partial<MassPayout['withdrawalErrors'][number]['errors'][number]>;

const ERROR_COLUMNS: readonly OperationColumn<WithdrawalError>[] = [
  { title: 'WITHDRAWAL', width: 40, cell: (of) => of.withdrawalId },
  { title: 'STATUS', width: 10, cell: (of) => of.status },
  { title: 'RESOLVED', width: 8, cell: (of) => of.errorResolved },
  { title: 'ERROR', width: 0, cell: (of) => of.errorMessage },
];

/** A mass payout and the errors of its withdrawals, for people. */
export function massPayoutText(record: MassPayout & { kind?: string }, context: Context): string {
  const { kind: _, id, state, withdrawalErrors, ...rest } = record;
  const text = readRecordText(`Mass payout ${id}: ${state}`, rest, context);
  const rows = withdrawalErrors.flatMap(({ withdrawalId, errors }) =>
    errors.length === 0 ? [{ withdrawalId }] : errors.map((error) => ({ withdrawalId, ...error })),
  );
  return rows.length === 0 ? text : `${text}\n${tableText(ERROR_COLUMNS, rows, context)}`;
}
