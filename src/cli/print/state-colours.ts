import type { BatchState } from '../../domain/batch/batch-state.ts';
import type { ShownOutcome } from '../../domain/settling/outcome.ts';
import type { ShownBatch } from '../../operations/batch/standing-view.ts';
import type { Colours } from '../terminal/colours.ts';

type Colour = 'green' | 'yellow' | 'red' | 'magenta' | 'cyan';

const OF_STATE: Readonly<Partial<Record<BatchState, Colour>>> = {
  COMPLETED: 'green',
  PARTIAL: 'yellow',
  FAILED: 'red',
  REJECTED: 'red',
  REFUSED: 'red',
  CANCELED: 'red',
  AWAITING_APPROVAL: 'cyan',
  AWAITING_FUNDS: 'cyan',
  SCHEDULED: 'cyan',
};

const OF_OUTCOME: Readonly<Partial<Record<ShownOutcome, Colour>>> = {
  PAID: 'green',
  FAILED: 'red',
  UNKNOWN: 'yellow',
};

/** A text about a batch in the colour of its state. */
export function paintState(state: BatchState, text: string, colours: Colours): string {
  const colour = OF_STATE[state];
  return colour === undefined ? text : colours[colour](text);
}

/** {@link paintState}, or the colour of a hold where one keeps the batch from going on. */
export const paintBatch = (
  { state, holds, isOver }: ShownBatch,
  text: string,
  colours: Colours,
): string =>
  holds.length > 0 && !isOver ? colours.magenta(text) : paintState(state, text, colours);

/** A text about a row in the colour of its outcome. */
export function paintOutcome(outcome: ShownOutcome, text: string, colours: Colours): string {
  const colour = OF_OUTCOME[outcome];
  return colour === undefined ? text : colours[colour](text);
}
