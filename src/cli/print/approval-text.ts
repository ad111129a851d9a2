import { UNSIGNED_TEXT } from '../../domain/approval/policy-text.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { durationText } from '../../domain/text/duration.ts';
import { codeInSentence } from '../../domain/text/state-words.ts';
import { moneyText, writtenMoneyText } from '../../domain/text/money-text.ts';
import type {
  ApprovalQuestion,
  QuestionedPlan,
} from '../../operations/approval/approval-question.ts';
import type { ShownBatch, StatementView } from '../../operations/batch/standing-view.ts';
import { instantText, withReadableInstants } from '../../operations/text/instants.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { findingLines } from './finding-text.ts';

type Fact = readonly [name: string, value: string];

/** Everything that an approver should see before they sign. */
export function questionText(open: ApprovalQuestion, { clock, colours }: Context): string {
  const { batchId, question, plan, hold, outlook } = open;
  const isHold = question.subject !== plan.digest;
  const facts: Fact[] = [
    ...planFacts(plan, clock),
    ...(outlook === null ? [] : [['funds', printable(outlook)] as const]),
    ...(hold === null ? [] : holdFacts(hold, clock)),
    ...standingFacts(open, clock),
    ['your approval', lastingText(open, clock.nowMs())],
    ['plan', plan.digest ?? ''],
    ...(isHold ? [['subject', question.subject] as const] : []),
  ];
  const title = isHold ? `Let batch ${batchId} continue?` : `Approve batch ${batchId}?`;
  return [
    colours.bold(title),
    ...factLines(facts),
    ...(question.policy.mode === 'unsigned' ? [`  ${colours.yellow(UNSIGNED_TEXT)}`] : []),
    ...plan.findings.flatMap((finding) => findingLines(finding, colours)),
  ].join('\n');
}

function planFacts(plan: QuestionedPlan, clock: Context['clock']): Fact[] {
  const { file, fileSha256, submittedBy, submittedAt, currencies, refusedRows, fees } = plan;
  return [
    ['file', `${printable(file)}, sha256 ${fileSha256}`],
    ...readingFacts(plan),
    ['submitted', `by ${printable(submittedBy)}, ${instantText(submittedAt, clock)}`],
    ...currencies.map(
      ({ total, currency, rows }): Fact => [
        'pays',
        `${moneyText(total, printable(currency))} in ${rowsInWords(rows)}`,
      ],
    ),
    ...(refusedRows === 0
      ? []
      : [
          [
            'left out',
            `${rowsInWords(refusedRows)} ${refusedRows === 1 ? 'is' : 'are'} refused`,
          ] as const,
        ]),
    ...fees.map(
      ({ fee, currency }): Fact => ['fee', `${moneyText(fee, printable(currency))}, as quoted`],
    ),
    ['due', dueText(plan, clock)],
  ];
}

/** How the file was read, as far as it does not show that. */
const readingFacts = ({ sheet, form, currency }: QuestionedPlan): Fact[] => [
  ...(sheet === null ? [] : [['sheet', printable(sheet)] as const]),
  ...Object.entries(form.columns).map(
    ([column, name]): Fact => ['column', `${printable(name)} is read as ${column}`],
  ),
  ...form.ignoreColumns.map((name): Fact => ['column', `${printable(name)} is not read`]),
  ...(form.decimalComma ? [['amounts', 'a comma divides decimals'] as const] : []),
  ...(currency === null
    ? []
    : [['currency', `${printable(currency)} where a row names none`] as const]),
];

/** Warns of an approval that lapses before the batch is due: it would have to be given again. */
function lastingText({ question, plan: { at } }: ApprovalQuestion, nowMs: number): string {
  const { expiresAfterMs } = question.policy;
  const isTooShort = at !== null && nowMs + expiresAfterMs < Date.parse(at);
  const rest = isTooShort ? '. It EXPIRES BEFORE the batch is due: approve again later' : '';
  return `is valid for ${durationText(expiresAfterMs)}${rest}`;
}

function dueText({ at, executionDate }: QuestionedPlan, clock: Context['clock']): string {
  if (at !== null) return instantText(at, clock);
  return executionDate === null
    ? 'at once'
    : `by the service at ${instantText(executionDate, clock)}`;
}

const holdFacts = ({ kind, reason, by, since, facts }: Hold, clock: Context['clock']): Fact[] => [
  ['on hold', `${codeInSentence(kind)} since ${instantText(since, clock)}, by ${printable(by)}`],
  ['because', printable(reason)],
  ...Object.entries(facts).map(factInWords),
];

/** `lostRows` is called lost rows, and an amount of `lost:TRX` has its currency behind it. */
function factInWords([key, value]: readonly [string, string]): Fact {
  const [name = '', ...currency] = key.split(':');
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const written = [value, currency.join(':')].join(' ').trim();
  return [printable(words), printable(writtenMoneyText(written))];
}

const standingFacts = (
  { approvals, given, missing }: ApprovalQuestion,
  clock: Context['clock'],
): Fact[] => [
  ...approvals.map(
    ({ person, expiresAt, reason }): Fact => [
      'approved',
      `by ${printable(person)}, until ${instantText(expiresAt, clock)}${reason === '' ? '' : `: ${printable(reason)}`}`,
    ],
  ),
  ...given.filter(({ why }) => why !== null).map((said) => saidFact(said, clock)),
  ...missing.map((sentence): Fact => ['still needed', printable(sentence)]),
];

/** The decisions that a batch waits for, below its state. */
export function waitingLines(approval: ShownBatch['approval'], clock: Context['clock']): string[] {
  if (approval === undefined) return [];
  const { given, missing } = approval;
  const facts = [
    ...given.map((statement) => saidFact(statement, clock)),
    ...missing.map((sentence): Fact => ['still needed', printable(sentence)]),
  ];
  return facts.length === 0 ? [] : [factLines(facts).join('\n')];
}

/** An answer, and the reason if it does not count. */
function saidFact(statement: StatementView, clock: Context['clock']): Fact {
  const { person, decision, issuedAt, isGenuine, why } = statement;
  const shown = (text: string): string => withReadableInstants(printable(text), clock);
  const who = shown(`by ${person}, ${issuedAt}`);
  if (why === null) return [`${decision}d`, who];
  return isGenuine
    ? ['expired', `${who}: ${shown(why)}`]
    : ['NOT GENUINE', `${who}: ${shown(why)} Find out who can write to the store.`];
}
