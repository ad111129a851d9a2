import { PART, PRINT_WORDS, type PrintSpace } from '../../domain/plan/row-print.ts';
import type { FindingBook } from '../finding-book.ts';
import { aboveHabit } from './habits.ts';
import { judgePast, settle } from './judge-past.ts';
import { type History, type Judging, startJudging } from './judging.ts';
import type { Overlap } from './overlaps.ts';
import { type OwnAddresses, ownAddressesIn } from './own-addresses.ts';
import type { OwnPrints, OwnSegment } from './own-prints.ts';

/**
 * Compares the rows of a batch with each other, with other batches and with the account's own addresses. Adds findings
 * about single rows to `findings`; returns the batches that share a large part of the rows. Reads the rows several
 * times. Keeps about 10 bytes of each, and 30 more where there are other batches, a few megabytes of matches, and one
 * page of another batch at a time.
 */
export async function judgeHistory(
  own: OwnPrints,
  history: History,
  findings: FindingBook,
): Promise<readonly Overlap[]> {
  const judging = await startJudging(own, history, findings);
  const { ends, lookAlikes } = judging;
  const ownAddresses = new Map<PrintSpace, OwnAddresses>();
  for (const space of ends.spaces.values()) {
    const mine = ownAddressesIn(space, history.ownAddresses);
    ownAddresses.set(space, mine);
    for (const { address, text } of mine.list) {
      lookAlikes.take(address, { source: ownAddressText(text), row: 0 });
    }
  }
  await judgePast(judging, history);
  await noteAll(judging, ownAddresses);
  return judging.overlaps;
}

/** Notes the matches of each row once all other batches have been read. */
async function noteAll(
  judging: Judging,
  ownAddresses: ReadonlyMap<PrintSpace, OwnAddresses>,
): Promise<void> {
  const { own, findings, lookAlikes, duplicates, repeats } = judging;
  const compare = lookAlikes.comparer();
  const matcher = repeats.matcher();
  const findDuplicates = duplicates.finder((row, firstRow) =>
    findings.note('DUPLICATE_ROW', { row, detail: `same as row ${firstRow}` }),
  );
  await own.each((segment) => {
    compare(segment);
    matcher.look(segment);
    findDuplicates(segment);
    noteRows(judging, segment, ownAddresses.get(segment.space));
  });
  settle(judging, matcher);
}

function noteRows(
  { payees, alike, findings }: Judging,
  { prints, first }: OwnSegment,
  ownAddresses: OwnAddresses | undefined,
): void {
  for (let index = first, at = 0; at < prints.length; index++, at += PRINT_WORDS) {
    const row = prints[at + PART.number] ?? 0;
    const mine = ownAddresses?.textAt(prints, at);
    if (mine !== undefined) findings.note('OWN_ADDRESS', { row, detail: ownAddressText(mine) });
    const largest = payees?.largestOf(index) ?? 0;
    if (largest > 0) {
      const detail = aboveHabit(prints[at + PART.magnitude] ?? 0, largest);
      if (detail !== undefined) findings.note('AMOUNT_ABOVE_HABIT', { row, detail });
    } else {
      // The recipient that was paid before is the intended one; the other of two that look alike is not.
      const twin = alike.textOf(index);
      if (twin !== undefined) findings.note('LOOK_ALIKE_ADDRESS', { row, detail: `like ${twin}` });
      findings.note('FIRST_TIME_PAYEE', { row, detail: '' });
    }
  }
}

const ownAddressText = (address: string): string => `the account's own ${address}`;
