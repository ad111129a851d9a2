import { find as findPlaces } from '../../app/batches/look.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import { codeWords } from '../../domain/text/state-words.ts';
import type { FoundPayment } from '../../operations/batch/found-payments.ts';
import type { FoundPlace } from '../../operations/batch/find-word.ts';
import { instantText } from '../../operations/text/instants.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { chunkStateText } from '../../report/outcome-fields.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { printResult } from '../print/output.ts';
import { paintOutcome } from '../print/state-colours.ts';
import { printable } from '../terminal/printable.ts';

type FindFlags = Readonly<{ word: string }>;

const WORD_LENGTH_MAX = 200;

/**
 * `bursar find WORD`: finds payments by reference, address or payee name, and what a key, an id, a hash or a row tag
 * stands for, in the store alone.
 */
export async function find(flags: FindFlags, context: Context): Promise<number> {
  const found = await perform(findPlaces, { word: readWord(flags.word) }, context);
  const more = found.more ? [`There are more: the newest ${found.finds.length} are shown.`] : [];
  const places = found.finds.map((place) => placeText(place, context));
  printResult(context, { json: found, text: [...places, ...more].join('\n') });
  return EXIT.done;
}

function readWord(text: string): string {
  const word = text.trim();
  if (word !== '' && word.length <= WORD_LENGTH_MAX && printable(word) === word) return word;
  throw flagInvalid('WORD', `it is one word of at most ${WORD_LENGTH_MAX} characters`);
}

function placeText(place: FoundPlace, context: Context): string {
  const { as, batchId, row, chunk, payment } = place;
  if (row !== null && payment !== null) return paymentText({ as, batchId, row, payment }, context);
  const first = row ?? chunk?.firstRow;
  return [
    row === null
      ? `The ${as} is of batch ${batchId}.`
      : `The ${as} is of row ${row} of batch ${batchId}.`,
    ...(chunk === null ? [] : [chunkText(chunk)]),
    ...(first === undefined ? [] : [`  bursar explain ${batchId} ${first}`]),
  ].join('\n');
}

type FoundRow = Readonly<{ as: string; batchId: string; row: number; payment: FoundPayment }>;

/** `Paid 2026-11-30 09:12:00 UTC: 1,250.00 USDT (TRC20) to T...`, and where the row is. */
function paymentText({ as, batchId, row, payment }: FoundRow, context: Context): string {
  const { address, payee, reference, amount, currency, outcome, at, reason } = payment;
  const when = at === null ? '' : ` ${instantText(at, context.clock)}`;
  const why = reason === '' ? '' : ` (${reason})`;
  const who = payee === null ? address : `${payee}, ${address}`;
  const state = paintOutcome(outcome, `${codeWords(outcome)}${when}`, context.colours);
  return [
    `${state}${printable(why)}: ${printable(`${moneyText(amount, currency)} to ${who}`)}`,
    `  row ${row} of batch ${batchId}${reference === '' ? '' : `, reference ${printable(reference)}`} (found by ${as})`,
    `  bursar explain ${batchId} ${row}`,
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
