import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { withCommas } from '../../domain/text/counted.ts';
import type { ReasonGroup, ResendPlan } from '../../operations/batch/resend-plan.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { instantText } from '../../operations/text/instants.ts';
import { moneyText } from '../../domain/text/money-text.ts';

type Fact = readonly [name: string, value: string];

/** Row numbers that a line names. */
const ROWS_SHOWN_MAX = 10;

type Due = Readonly<{ at: string | null; executionDate: string | null }>;

/** A resend, as a person reads it before money moves. */
export function resendText(
  plan: ResendPlan,
  { at, executionDate }: Due,
  { clock, colours }: Context,
): string {
  const { batchId, generation, lineage, currencies } = plan;
  const facts: Fact[] = [
    ['batch', `${batchId}, resend ${generation}`],
    [
      'of',
      lineage
        .map(
          (one) =>
            `${one.batchId} (${one.state === null ? 'under way' : batchStateWords(one.state)})`,
        )
        .join(', then '),
    ],
    ['file', `${printable(plan.file.name)}, sha256 ${plan.file.sha256}`],
    ...currencies.map(
      ({ currency, rows, total }): Fact => [
        'pays',
        `${moneyText(total, currency)} in ${withCommas(rows)} ${rows === 1 ? 'row' : 'rows'}`,
      ],
    ),
    ...(at === null ? [] : [['due', instantText(at, clock)] as const]),
    ...(executionDate === null
      ? []
      : [['executed', `by the service at ${instantText(executionDate, clock)}`] as const]),
  ];
  return [
    colours.bold(`Resend of ${plan.parentBatchId}`),
    ...factLines(facts),
    '',
    'To be paid again (the service shows that they were not paid, or they were never sent):',
    ...plan.reasons.map(reasonLine),
    ...unclearLines(plan, colours),
    '',
    'Each row is checked again before it is sent. Rows that a person sent again in the interface of the service are refused.',
  ].join('\n');
}

const reasonLine = ({ outcome, reason, rows, first }: ReasonGroup): string =>
  `  ${withCommas(rows)} ${codeInSentence(outcome)}: ${printable(reason === '' ? 'no reason given' : reason)} (${rowsText(rows, first)})`;

function unclearLines({ unclear }: ResendPlan, colours: Context['colours']): string[] {
  if (unclear.rows === 0) return [];
  const rows = unclear.first
    .map(({ row, outcome }) => `${row} ${codeInSentence(outcome)}`)
    .slice(0, ROWS_SHOWN_MAX);
  const more = unclear.rows - rows.length;
  return [
    '',
    colours.yellow(`Left out, because they may have been paid: ${withCommas(unclear.rows)}`),
    `  rows ${rows.join(', ')}${more > 0 ? ` and ${withCommas(more)} more` : ''}`,
  ];
}

function rowsText(rows: number, first: readonly number[]): string {
  const shown = first.slice(0, ROWS_SHOWN_MAX).join(', ');
  const more = rows - Math.min(first.length, ROWS_SHOWN_MAX);
  return `${rows === 1 ? 'row' : 'rows'} ${shown}${more > 0 ? ` and ${withCommas(more)} more` : ''}`;
}
