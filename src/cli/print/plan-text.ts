import { counted, withCommas } from '../../domain/text/counted.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import type { TotalRow } from '../../domain/rows/total-row.ts';
import type { FundsLine } from '../../operations/file/funds.ts';
import type { RefusedCell, Refusals } from '../../operations/file/refused-cell.ts';
import type { PlanView } from '../../operations/file/plan-view.ts';
import { REASONS_MAX } from '../../operations/file/read-file.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { findingLines } from './finding-text.ts';
import { instantText } from '../../operations/text/instants.ts';
import { moneyText, writtenMoneyText } from '../../domain/text/money-text.ts';

/** Reasons for refusing rows that a terminal shows; the others stand in nack.csv. */
const REFUSED_SHOWN_MAX = 20;

/** The plan as a person reads it before money moves. */
export function planText(plan: PlanView, refused: Refusals, style: Context): string {
  const { colours } = style;
  return [
    colours.bold(`Plan for ${printable(plan.file.name)}`),
    ...factLines(factsOf(plan, style)),
    ...plan.findings.flatMap((finding) => findingLines(finding, colours)),
    ...refusedLines(plan, refused),
  ].join('\n');
}

/** Why there is no digest. */
function noDigest({ account, rows, choices }: PlanView): string {
  const lacks = [
    ...(account === null ? ['api.account (BURSAR_API_ACCOUNT) is not set'] : []),
    ...(rows.refused > 0 && !choices.skipInvalid ? ['rows are refused'] : []),
  ];
  return `none: ${lacks.join(', and ')}`;
}

const NO_HISTORY =
  'not read, so each payee counts as new: it needs a store and api.account (BURSAR_API_ACCOUNT)';

const NO_LEDGER = 'not read, so other batches are not counted: it needs a store';

const isLedgerKnown = ({ funds }: PlanView): boolean =>
  (funds ?? []).every(({ reserved }) => reserved !== null);

type Fact = readonly [name: string, value: string];

function factsOf(plan: PlanView, { clock }: Context): Fact[] {
  const { batchId, file, rows, currencies, chunks } = plan;
  return [
    ['batch', batchId],
    ['file', `${withCommas(file.sizeBytes)} bytes, sha256 ${file.sha256}`],
    ...(plan.sheet === undefined ? [] : [['sheet', printable(plan.sheet)] as const]),
    ['rows', rowsText(rows)],
    ...currencies.map(
      (line): Fact => [
        'pays',
        `${moneyText(line.total, line.currency)} in ${rowsInWords(line.rows)}`,
      ],
    ),
    ['sent in', counted(chunks, 'request')],
    ...(plan.at === null ? [] : [['due', instantText(plan.at, clock)] as const]),
    ...(plan.executionDate === null
      ? []
      : [['executed', `by the service at ${instantText(plan.executionDate, clock)}`] as const]),
    ...totalRowFacts(plan),
    ...safeguardFacts(plan),
    ...(plan.funds ?? []).flatMap(fundsFacts),
    ...(isLedgerKnown(plan) ? [] : [['in payment', NO_LEDGER] as const]),
    ...plan.approvalNeeded.map((need): Fact => ['approval', need]),
    ...(plan.historyRead ? [] : [['history', NO_HISTORY] as const]),
    ['plan', plan.digest ?? noDigest(plan)],
  ];
}

const rowsText = ({ total, refused }: PlanView['rows']): string =>
  refused === 0
    ? withCommas(total)
    : `${withCommas(total)}, of which ${withCommas(refused)} refused`;

/** The total below the rows. One that differs is a problem of the plan. */
const totalRowFacts = ({ totalRow }: PlanView): Fact[] =>
  totalRow === undefined
    ? []
    : [
        [
          'total row',
          `row ${totalRow.row}, ${totalText(totalRow)}: equal to the sum of the rows; not paid`,
        ],
      ];

const totalText = ({ total, currency }: TotalRow): string =>
  currency === null ? total : moneyText(total, currency);

/** The safeguards that keep a mistake small. */
function safeguardFacts({ choices, controlTotals }: PlanView): Fact[] {
  const { canaryRows, stopLoss } = choices;
  const { expectCount, expectTotals } = controlTotals ?? { expectCount: null, expectTotals: [] };
  const said = [
    ...(expectCount === null ? [] : [rowsInWords(expectCount)]),
    ...expectTotals.map(writtenMoneyText),
  ];
  return [
    ...(said.length === 0 ? [] : [['file says', said.join(', ')] as const]),
    ...(canaryRows === 0
      ? []
      : [['canary', `the first ${rowsInWords(canaryRows)} of each currency`] as const]),
    ...(stopLoss.length === 0
      ? []
      : [['stop loss', stopLoss.map(writtenMoneyText).join(', ')] as const]),
  ];
}

function fundsFacts(line: FundsLine): Fact[] {
  const { currency, available, fee, left, caps } = line;
  const isShort = left.startsWith('-');
  const fees = fee === null ? ' (fees not included)' : '';
  return [
    ...(fee === null ? [] : [['fee', moneyText(fee, currency)] as const]),
    ...caps.map(
      ({ cap, isAbove }): Fact =>
        isAbove
          ? ['FEE CAP', `above ${writtenMoneyText(cap)}: the batch would be put on hold`]
          : ['fee cap', `within ${writtenMoneyText(cap)}`],
    ),
    ['balance', moneyText(available, currency)],
    ...(line.heldAs ?? []).map(
      (held): Fact => [
        'held as',
        `${moneyText(held.amount, printable(held.currency))}, which is the same as ${currency}: write this name in the file`,
      ],
    ),
    ...othersFacts(line),
    isShort
      ? ['SHORT', `by ${moneyText(left.slice(1), currency)}${fees}`]
      : ['balance after', `${moneyText(left, currency)}${fees}`],
  ];
}

/** The amounts that other batches need first; none without such batches. */
function othersFacts({ currency, reserved, claimed, free }: FundsLine): Fact[] {
  const claims = [
    ['in payment', reserved, 'that are being paid'] as const,
    ['waiting', claimed, 'before this one'] as const,
  ];
  const others = claims.flatMap(([name, amount, who]): Fact[] =>
    amount === null || amount === '0'
      ? []
      : [[name, `${moneyText(amount, currency)} for batches ${who}`]],
  );
  return others.length === 0 ? [] : [...others, ['available', moneyText(free ?? '0', currency)]];
}

function refusedLines({ nack, toCorrect, rows }: PlanView, { first, count }: Refusals): string[] {
  if (nack === null) return [];
  const more = count - REFUSED_SHOWN_MAX;
  return [
    '',
    `${rowsInWords(rows.refused)} ${rows.refused === 1 ? 'is' : 'are'} refused:`,
    ...first.slice(0, REFUSED_SHOWN_MAX).flatMap(refusalLines),
    ...(more > 0 ? [`  and ${counted(more, 'more reason')}`] : []),
    `  Listed in ${nack}${count < REASONS_MAX ? '' : ` (the first ${withCommas(REASONS_MAX)} reasons)`}`,
    ...(toCorrect === undefined
      ? []
      : [
          `  To correct them, open ${toCorrect}: your rows with a column error. Then submit that file.`,
        ]),
  ];
}

function refusalLines({ row, column, code, what, why, fix }: RefusedCell): string[] {
  return [
    `  row ${row}, ${column}: ${printable(what)} (${code})`,
    `    Why: ${printable(why)}`,
    `    Fix: ${printable(fix)}`,
  ];
}
