import { find as findPlaces } from '../../app/batches/look.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { FoundPlace } from '../../operations/batch/find-word.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { chunkStateText } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';

type FindFlags = Readonly<{ word: string }>;

const WORD_LENGTH_MAX = 200;

/**
 * `bursar find WORD`: finds the batch, chunk or row of a key, an id, a trace id, a hash or a row tag, in the store
 * alone.
 */
export async function find(flags: FindFlags, context: Context): Promise<number> {
  const found = await perform(findPlaces, { word: readWord(flags.word) }, context);
  printResult(context, { json: found, text: found.finds.map(placeText).join('\n') });
  return EXIT.done;
}

function readWord(text: string): string {
  const word = text.trim();
  if (word !== '' && word.length <= WORD_LENGTH_MAX && printable(word) === word) return word;
  throw flagInvalid('WORD', `it is one word of at most ${WORD_LENGTH_MAX} characters`);
}

function placeText({ as, batchId, row, chunk }: FoundPlace): string {
  const first = row ?? chunk?.firstRow;
  return [
    row === null
      ? `The ${as} is of batch ${batchId}.`
      : `The ${as} is of row ${row} of batch ${batchId}.`,
    ...(chunk === null ? [] : [chunkText(chunk)]),
    ...(first === undefined ? [] : [`  bursar explain ${batchId} ${first}`]),
  ].join('\n');
}

function chunkText(chunk: NonNullable<FoundPlace['chunk']>): string {
  const { idempotencyKey, massPayoutId, state } = chunk;
  const created =
    massPayoutId === null ? 'no mass payout' : `mass payout ${printable(massPayoutId)}`;
  return [
    `  chunk ${chunk.chunk}: rows ${chunk.firstRow} to ${chunk.lastRow}, ${moneyText(chunk.total, chunk.currency)}`,
    `  key ${idempotencyKey}, ${created}, ${chunkStateText(state)}`,
  ].join('\n');
}
