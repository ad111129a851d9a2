import type { LookupRecord, MassPayout } from '@bursar/merchant-api';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { createTable } from '../terminal/table.ts';
import { recordText } from './record-text.ts';

type Reader = Pick<Context, 'clock' | 'colours'>;

/** A payout or a mass payout, for people. */
export function lookupText(record: LookupRecord, context: Reader): string {
  if (record.kind === 'massPayout') return massPayoutText(record, context);
  const { kind: _, id, state, ...rest } = record;
  return recordText(`Payout ${id}: ${state}`, rest, context);
}

/** A mass payout and what went wrong with its withdrawals, for people. */
export function massPayoutText(record: MassPayout & { kind?: string }, context: Reader): string {
  const { kind: _, id, state, withdrawalErrors, ...rest } = record;
  const text = recordText(`Mass payout ${id}: ${state}`, rest, context);
  return withdrawalErrors.length === 0 ? text : `${text}\n${errorTable(withdrawalErrors)}`;
}

function errorTable(withdrawalErrors: MassPayout['withdrawalErrors']): string {
  const table = createTable([
    { title: 'WITHDRAWAL', width: 40 },
    { title: 'STATUS', width: 10 },
    { title: 'RESOLVED', width: 8 },
    { title: 'ERROR', width: 0 },
  ]);
  const rows = withdrawalErrors.flatMap(({ withdrawalId, errors }) =>
    (errors.length === 0 ? [{}] : errors).map(({ status, errorResolved, errorMessage }) =>
      table.row([
        printable(withdrawalId),
        printable(status ?? '-'),
        errorResolved === undefined ? '-' : errorResolved ? 'yes' : 'no',
        printable(errorMessage ?? '-'),
      ]),
    ),
  );
  return [table.header(), ...rows].join('\n');
}
