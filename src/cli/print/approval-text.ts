import type { BatchRecord } from '../../store/batches/types.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import { durationText } from '../../domain/text/duration.ts';
import { UNSIGNED_TEXT } from '../../domain/approval/policy-text.ts';
import type { Question } from '../../domain/approval/question.ts';
import { storedStatements } from '../../domain/approval/stored-statements.ts';
import { standingOf } from '../../domain/approval/standing.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { NOTHING_RAISED } from '../../domain/plan/rules.ts';
import { rowsInWords } from '../../report/outcome-fields.ts';
import type { OpenQuestion } from '../../operations/approval/open-question.ts';
import {
  type ShownBatch,
  statementView,
  type StatementView,
} from '../../operations/batch/standing-view.ts';
import type { Context } from '../context.ts';
import { type FindingView, findingView } from '../../operations/file/finding-view.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { findingLines } from './finding-text.ts';
import { instantText, withReadableInstants } from '../../operations/text/instants.ts';
import { moneyText } from '../../domain/text/money-text.ts';

type Fact = readonly [name: string, value: string];
/** Everything that an approver should see before they sign. */
export function questionText(
  { record, hold, outlook, given }: OpenQuestion,
  question: Question,
  { clock, colours }: Context,
): string {
  const isHold = question.subject !== record.digest;
  const facts: Fact[] = [
    ...batchFacts(record, clock),
    ...(outlook === null ? [] : [['funds', printable(outlook)] as const]),
    ...(hold === null || !isHold ? [] : holdFacts(hold, clock)),
    ...standingFacts(question, given, clock),
    ['holds', lastingText(question, optionsOf(record), clock.nowMs())],
    ['digest', record.digest ?? ''],
    ...(isHold ? [['subject', question.subject] as const] : []),
  ];
  const title = isHold ? 'What batch' : 'The plan of batch';
  const what = isHold ? ' is held for' : '';
  return [
    colours.bold(`${title} ${record.batchId}${what}, to be approved`),
    ...factLines(facts),
    ...(question.policy.mode === 'unsigned' ? [`  ${colours.yellow(UNSIGNED_TEXT)}`] : []),
    ...findingsOf(record).flatMap((finding) => findingLines(finding, colours)),
  ].join('\n');
}

function batchFacts(record: BatchRecord, clock: Context['clock']): Fact[] {
  const { summary, fees, fileName, fileSha256, submittedBy, submittedAtMs } = record;
  const refused = summary?.refusedRows ?? 0;
  return [
    ['file', `${printable(fileName)}, sha256 ${fileSha256}`],
    ['submitted', `by ${printable(submittedBy)}, ${instantText(submittedAtMs, clock)}`],
    ...(summary?.currencies ?? []).map(
      ({ total, currency, rows }): Fact => [
        'pays',
        `${moneyText(total, printable(currency))} in ${rowsInWords(rows)}`,
      ],
    ),
    ...(refused === 0
      ? []
      : [['left out', `${rowsInWords(refused)} ${refused === 1 ? 'is' : 'are'} refused`] as const]),
    ...(fees?.quotes ?? []).map(
      ({ fee, currency }): Fact => ['fee', `${moneyText(fee, printable(currency))}, as quoted`],
    ),
    ['due', dueText(optionsOf(record), clock)],
  ];
}

/** Approvers see the findings that the submitter saw. */
function findingsOf(record: BatchRecord): FindingView[] {
  const { accept } = optionsOf(record);
  const raised = record.rules?.findings ?? NOTHING_RAISED;
  return record.findings.map((finding) => findingView(finding, { accept, raised }));
}

const optionsOf = ({ optionsJson }: BatchRecord) => JSON.parse(optionsJson) as BatchOptions;

/** Warns of an approval that lapses before the batch is due: it would have to be given again. */
function lastingText({ policy }: Question, { at }: BatchOptions, nowMs: number): string {
  const { expiresAfterMs } = policy;
  const isTooShort = at && nowMs + expiresAfterMs < Date.parse(at);
  const rest = isTooShort ? ', and LAPSES BEFORE the batch is due: it must be approved again' : '';
  return `for ${durationText(expiresAfterMs)} from now${rest}`;
}

function dueText({ at, executionDate }: BatchOptions, clock: Context['clock']): string {
  if (at) return instantText(at, clock);
  return executionDate ? `by the service at ${instantText(executionDate, clock)}` : 'at once';
}

const holdFacts = ({ kind, reason, by, since, facts }: Hold, clock: Context['clock']): Fact[] => [
  ['held', `${kind} since ${instantText(since, clock)}, by ${printable(by)}`],
  ['because', printable(reason)],
  ...Object.entries(facts).map(factInWords),
];

/** `lostRows` is called lost rows, and an amount of `lost:TRX` has its currency behind it. */
function factInWords([key, value]: readonly [string, string]): Fact {
  const [name = '', ...currency] = key.split(':');
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [printable(words), printable([value, currency.join(':')].join(' ').trim())];
}

function standingFacts(
  question: Question,
  given: OpenQuestion['given'],
  clock: Context['clock'],
): Fact[] {
  const nowMs = clock.nowMs();
  const { approvals, missing } = standingOf(question, given, nowMs);
  return [
    ...approvals.map(
      ({ person, expiresAt, reason }): Fact => [
        'approved',
        `by ${printable(person)}, until ${instantText(expiresAt, clock)}${reason === '' ? '' : `: ${printable(reason)}`}`,
      ],
    ),
    ...storedStatements(question, given, nowMs)
      .filter(({ why }) => why !== null)
      .map((said) => saidFact(statementView(said), clock)),
    ...missing.map((sentence): Fact => ['missing', printable(sentence)]),
  ];
}

/** The decisions that a batch waits for, below its state. */
export function waitingLines(approval: ShownBatch['approval'], clock: Context['clock']): string[] {
  if (approval === undefined) return [];
  const { given, missing } = approval;
  const facts = [
    ...given.map((statement) => saidFact(statement, clock)),
    ...missing.map((sentence): Fact => ['missing', printable(sentence)]),
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
    ? ['lapsed', `${who}: ${shown(why)}`]
    : ['NOT GENUINE', `${who}: ${shown(why)} Find out who can write to the store.`];
}
