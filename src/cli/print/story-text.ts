import { codeInSentence, codeWords } from '../../domain/text/state-words.ts';
import type { LineageOutcome } from '../../domain/lineage/lineage.ts';
import type { GenerationStory } from '../../operations/batch/generation-story.ts';
import type { ChunkStory, RowStory } from '../../operations/batch/story.ts';
import { chunkStateText } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import { printable } from '../terminal/printable.ts';
import { factLines } from '../terminal/table.ts';
import { attemptText } from './batch-text.ts';
import { paintOutcome } from './state-colours.ts';
import { instantText } from '../../operations/text/instants.ts';
import { moneyText } from '../../domain/text/money-text.ts';

type Fact = readonly [name: string, value: string];

/** The history of a row for people, in order of time. */
export function storyText(story: RowStory, { clock, colours }: Context) {
  const { batchId, row, chunk, why, next, refusedFor } = story;
  return [
    `${colours.bold(`Row ${row.row} of batch ${batchId}:`)} ${paintOutcome(row.outcome, titleOf(story), colours)}`,
    ...factLines([
      ...rowFacts(story),
      ...(chunk === null ? [] : chunkFacts(chunk, clock)),
      ...paymentFacts(story, clock),
      ...story.changes.map(
        ({ at, before, after }): Fact => [
          'after report',
          `${before} became ${after}, seen ${instantText(at, clock)}`,
        ],
      ),
      ...lineageFacts(story, clock),
      ...(why === '' ? [] : [['why', printable(why)] as const]),
      ...refusedFor.map(({ what, code }) => ['refused', `${printable(what)} (${code})`] as const),
      ['next', printable(next)],
    ]),
  ].join('\n');
}

/** The outcome of the row in this batch and in its resends. */
function titleOf({ batchId, row, lineage, standing, paidBy }: RowStory): string {
  if (lineage.length < 2) return codeWords(row.outcome);
  const isPaidHereAlone = standing === 'PAID' && paidBy.includes(batchId);
  if (isPaidHereAlone) return codeWords(row.outcome);
  const all = standing === 'PAID' ? `paid by ${paidBy.join(', ')}` : STANDINGS[standing];
  return `${codeWords(row.outcome)} in this batch; ${all}`;
}

function rowFacts({ file, row, parentBatchId, generation }: RowStory): Fact[] {
  const facts: Fact[] = [
    ['file', `line ${row.row} of ${printable(file.name)} (sha256 ${file.sha256})`],
    [
      'pays',
      row.amount === ''
        ? ''
        : `${moneyText(row.amount, row.currency)} to ${printable(row.address)}`,
    ],
    ['name', printable(row.name)],
    ['comment', printable(row.comment)],
    ['reference', printable(row.reference)],
    ['resend', parentBatchId === null ? '' : `number ${generation}, of batch ${parentBatchId}`],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The batches of a lineage, a line each; none for a row that was never sent again. */
function lineageFacts({ lineage, standing }: RowStory, clock: Context['clock']): Fact[] {
  if (lineage.length < 2) return [];
  const facts = lineage.map((one): Fact => [`in ${one.batchId}`, generationText(one, clock)]);
  return [...facts, ['in total', STANDINGS[standing]]];
}

function generationText(one: GenerationStory, clock: Context['clock']): string {
  const { outcome, reason, chunk, massPayoutId, idempotencyKey, transactionHash, sentAt } = one;
  return [
    reason === '' ? codeInSentence(outcome) : `${codeInSentence(outcome)} (${printable(reason)})`,
    `chunk ${chunk}, key ${idempotencyKey}`,
    massPayoutId === '' ? 'no mass payout' : `mass payout ${printable(massPayoutId)}`,
    ...(transactionHash === '' ? [] : [`hash ${printable(transactionHash)}`]),
    sentAt === null ? 'never sent' : `sent ${instantText(sentAt, clock)}`,
  ].join(', ');
}

const STANDINGS: Readonly<Record<LineageOutcome, string>> = {
  UNPAID: 'not paid',
  PAID: 'paid once',
  UNKNOWN: 'unknown whether it was paid',
  OPEN: 'not finished',
  PAID_TWICE: 'paid twice',
  MAYBE_TWICE: 'maybe paid twice',
};

function chunkFacts(chunk: ChunkStory, clock: Context['clock']): Fact[] {
  const { massPayoutId, needsOperator, answer, lookups } = chunk;
  return [
    [
      'chunk',
      `${chunk.chunk}: rows ${chunk.firstRow} to ${chunk.lastRow}, ${moneyText(chunk.total, chunk.currency)}`,
    ],
    ['key', chunk.idempotencyKey],
    ['external id', chunk.externalId],
    ...chunk.attempts.map((attempt): Fact => [`attempt ${attempt.n}`, attemptText(attempt, clock)]),
    ...lookups.map(({ at, result }): Fact => ['looked up', `${instantText(at, clock)}: ${result}`]),
    ...(answer === null ? [] : [['operator', printable(answer)] as const]),
    ...(needsOperator === null ? [] : [['needs a person', needsOperator] as const]),
    [
      'mass payout',
      massPayoutId === null
        ? `none (${chunkStateText(chunk.state)})`
        : `${printable(massPayoutId)}, ${printable(codeInSentence(chunk.state))}`,
    ],
  ];
}

function paymentFacts(story: RowStory, clock: Context['clock']): Fact[] {
  const { row, at } = story;
  const facts: Fact[] = [
    ['withdrawal', printable(row.withdrawalId)],
    ['hash', hashText(story)],
    ['fee', row.fee === '' ? '' : moneyText(row.fee, row.feeCurrency)],
    [codeInSentence(row.outcome), at === null ? '' : `since ${instantText(at, clock)}`],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The service names hashes of failed withdrawals alone; the others are in the list of the wallet. */
const hashText = ({ batchId, row }: RowStory): string =>
  row.transactionHash === '' && row.outcome === 'PAID'
    ? `not read yet. To read all: bursar reconcile ${batchId} --save`
    : printable(row.transactionHash);
