import { counted, withCommas } from '../../domain/text/counted.ts';
import type { BatchInput, BatchOptions, BatchResult } from '../../contract/batch.ts';
import type { BatchStatus, GivenStatus } from '../../contract/status.ts';
import type { CurrencyAmounts } from '../../domain/report/totals.ts';
import {
  type Block,
  code,
  paragraph,
  type Markdown,
  md,
  page,
  type Part,
  table,
} from '../../domain/text/markdown.ts';
import type { BatchFigures } from '../state/batch-state.ts';
import { stepsOf } from './batch-steps.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { heldText } from '../../domain/holds/hold-word.ts';
import { VERIFYING_TITLE, verifiedText } from '../../domain/restore/progress.ts';
import { amountText, moneyText, writtenMoneyText } from '../../domain/text/money-text.ts';
import { batchStateWords, codeInSentence } from '../../domain/text/state-words.ts';
import { namedChunks, readable } from '../shared/readable.ts';
import { NEEDS_OPERATOR } from '../shared/details.ts';

type Fact = readonly [name: Part, value: Part];

/** The page of a batch in the web UI: its state, its waits, the commands that help, and its payments. */
export function batchDetails(
  input: BatchInput,
  status: BatchStatus,
  figures: Partial<BatchFigures>,
): string {
  const { state, since } = status;
  return page(
    paragraph(md`**${batchStateWords(state)}** since ${readable(since)}: ${noteOf(status)}`),
    table(waitFacts(status, figures)),
    table(stepsOf(input, status, figures.result), ['to', 'run']),
    table([...resultFacts(figures.result), ...planFacts(input, figures), ...runFacts(status)]),
    digestBlock(figures),
  );
}

/** The present activity. The note of a paying batch stays while it is held, so it does not count then. */
const noteOf = ({ state, note, holds }: BatchStatus): string =>
  state === 'PAYING' && holds.length > 0 ? heldText(holds) : readable(note);

/** The events that the batch waits for, and the decisions of people. */
function waitFacts(status: BatchStatus, { fundsUntil }: Partial<BatchFigures>): Fact[] {
  const { needsOperator, holds, approval, canceledBy, storeTrouble, verifying } = status;
  return [
    ...(storeTrouble === undefined
      ? []
      : [[NEEDS_OPERATOR, `${storeTrouble.what} ${storeTrouble.fix}`] as const]),
    ...(needsOperator.length === 0 ? [] : [[NEEDS_OPERATOR, namedChunks(needsOperator)] as const]),
    ...(verifying === undefined
      ? []
      : [[md`**${VERIFYING_TITLE}**`, verifiedText(verifying)] as const]),
    ...holds.map(
      ({ kind, reason, by, since }): Fact => [
        holdTitle(kind),
        `${readable(reason)} (by ${by}, since ${readable(since)})`,
      ],
    ),
    ...(approval?.missing ?? []).map((who): Fact => ['approval needed', who]),
    ...(approval?.given ?? []).map(givenFact),
    ...(approval?.notGenuine ?? []).map(
      ({ person, decision, at }): Fact => [
        md`**Not genuine**`,
        `"${decision}" by ${person}, ${readable(at)}: another program wrote it into the store. It does not count`,
      ],
    ),
    ...(status.state === 'AWAITING_FUNDS' && fundsUntil !== undefined
      ? [['waits for a top-up until', readable(fundsUntil)] as const]
      : []),
    ...(status.isUnconfirmed === true ? [['waits for a confirmation', CONFIRM] as const] : []),
    ...(canceledBy === null ? [] : [['stopped by', canceledBy] as const]),
  ];
}

const CONFIRM =
  "payments wait until a person confirms or declines them in the service's own interface";

/** Title of a hold: a person paused the batch, or the named rule stopped it. */
const holdTitle = (kind: Hold['kind']): Markdown =>
  kind === 'PAUSE' ? md`**Paused**` : md`**On hold** (${codeInSentence(kind)})`;

/** An answer of an approver. A refusal never lapses. */
function givenFact({ person, decision, at, expiresAt }: GivenStatus): Fact {
  const said = `${person}, ${readable(at)}`;
  if (decision === 'refuse') return [md`**Refused by**`, said];
  return Date.now() < Date.parse(expiresAt)
    ? ['approved by', `${said}; valid until ${readable(expiresAt)}`]
    : [md`**Expired**`, `approval by ${said}; was valid until ${readable(expiresAt)}`];
}

function resultFacts(result: BatchResult | undefined): Fact[] {
  if (result === undefined) return [];
  const { rows, amounts, error, reportUrl = null } = result;
  const counts = [
    ['paid', 'paid'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
    ['not sent', 'notSent'],
  ] as const;
  return [
    ...(error === null ? [] : [['why', `${error.what} ${error.why} ${error.fix}`] as const]),
    ...counts
      .filter(([, field]) => field === 'paid' || rows[field] > 0)
      .map(
        ([name, field]): Fact => [
          name,
          `${withCommas(rows[field])} of ${counted(rows.total, 'row')}: ${amountsText(amounts, field)}`,
        ],
      ),
    ...(reportUrl === null ? [] : [['report', code(`${reportUrl}/summary.html`)] as const]),
  ];
}

const amountsText = (
  amounts: readonly CurrencyAmounts[],
  field: 'paid' | 'failed' | 'unknown' | 'notSent',
): string =>
  amounts
    .map(
      (one) =>
        `${amountText(one[field], one.currency)} of ${moneyText(one.requested, one.currency)}`,
    )
    .join(', ');

/** The file, its submitter, its amounts and its times. */
function planFacts(
  { file, submittedBy, submittedAt, options, generation, parentBatchId }: BatchInput,
  { rows, refusedRows = 0, chunks, totals, fees, outlook }: Partial<BatchFigures>,
): Fact[] {
  return [
    ['file', file.name],
    ['submitted', `by ${submittedBy}, ${readable(submittedAt)}`],
    ...(parentBatchId === null
      ? []
      : [['resend', `number ${generation}, of batch ${parentBatchId}`] as const]),
    ...(rows === undefined
      ? []
      : [['to pay', `${counted(rows, 'row')}: ${totals ?? ''}`] as const]),
    ...(refusedRows === 0
      ? []
      : [
          [
            'left out',
            `${counted(refusedRows, 'row')} that ${refusedRows === 1 ? 'is' : 'are'} wrong`,
          ] as const,
        ]),
    ...(fees === undefined ? [] : [['fees', fees] as const]),
    ...(outlook === undefined ? [] : [['funds', readable(outlook)] as const]),
    ...dueFacts(options),
    ...(chunks === undefined ? [] : [['mass payouts', withCommas(chunks)] as const]),
    ...guardFacts(options),
  ];
}

const dueFacts = ({ at, executionDate }: BatchOptions): Fact[] => [
  ...(at === null ? [] : [['due', readable(at)] as const]),
  ...(executionDate === null
    ? []
    : [['due', `${readable(executionDate)}, by the service`] as const]),
];

const guardFacts = ({ canaryRows, stopLoss }: BatchOptions): Fact[] => [
  ...(canaryRows === 0 ? [] : [['paid before the others', counted(canaryRows, 'row')] as const]),
  ...(stopLoss.length === 0
    ? []
    : [['stops when failures pass', stopLoss.map(writtenMoneyText).join(' or ')] as const]),
];

function runFacts({ partitions: { total, sent, settled } }: BatchStatus): Fact[] {
  if (total < 2) return [];
  return [
    [
      'partitions',
      `${withCommas(total)}: ${withCommas(sent)} sent everything, ${withCommas(settled)} finished`,
    ],
  ];
}

const digestBlock = ({ digest }: Partial<BatchFigures>): Block =>
  digest === undefined ? [] : paragraph(planText(digest));

const planText = (digest: string): Markdown => md`Digest of the plan: ${code(digest)}`;
