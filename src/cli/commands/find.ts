import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { chunkStateText } from '../../report/outcome-fields.ts';
import { withSourcesToRead } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { printResult } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { shownState } from '../../report/batch-view.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Find, FoundAs } from '../../store/batches/search.ts';
import type { Store } from '../../store/index.ts';

type FindFlags = Readonly<{ word: string }>;

const WORD_LENGTH_MAX = 200;

/**
 * `bursar find WORD`: finds the batch, chunk or row of a key, an id, a trace id, a hash or a row tag, in the store
 * alone.
 */
export async function find(flags: FindFlags, context: Context): Promise<number> {
  const word = readWord(flags.word);
  return withSourcesToRead(context, async ({ store }) => {
    const finds = await placesOf(store, await store.search.byWord(word));
    if (finds.length === 0) throw new BursarError('WORD_NOT_FOUND', { word });
    printResult(context, {
      json: { schema: 'bursar.finds/v1', word, finds },
      text: finds.map((place) => placeText(place)).join('\n'),
    });
    return EXIT.done;
  });
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

/** A search result with the facts of its chunk that people need. */
type FoundPlace = Readonly<{
  as: FoundAs;
  batchId: string;
  row: RowNumber | null;
  chunk: ReturnType<typeof shownChunk> | null;
}>;

/** The places of search results, one for each way in which a batch, chunk or row matched. */
async function placesOf({ chunks }: Store, finds: readonly Find[]): Promise<FoundPlace[]> {
  const batches = new Map<string, readonly ChunkRecord[]>();
  const places: FoundPlace[] = [];
  for (const { as, batchId, chunk, row } of finds) {
    const known = batches.get(batchId) ?? (await chunks.list(batchId));
    batches.set(batchId, known);
    const found = known.find((one) => one.chunk === chunk) ?? null;
    places.push({ as, batchId, row, chunk: found && shownChunk(found) });
  }
  return places;
}

function shownChunk(record: ChunkRecord) {
  const { chunk, firstRow, lastRow, total, currency } = record;
  const { idempotencyKey, massPayoutId, externalId } = record;
  const ids = { idempotencyKey, externalId, massPayoutId };
  return { chunk, firstRow, lastRow, total, currency, ...ids, state: shownState(record) };
}
