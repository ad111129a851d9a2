import type { PastBatch } from '../../store/rows/fingerprints.ts';
import type { FindingBook } from '../finding-book.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import { type LookAlikes, openLookAlikes } from './look-alikes.ts';
import { createMarks, type Marks } from './marks.ts';
import { newPayees } from './new-payees.ts';
import type { Overlap } from './overlaps.ts';
import type { OwnPrints } from './own-prints.ts';
import { createPayeeEnds, type PayeeEnds } from './payee-ends.ts';
import { createPayees, type Payees } from './payees.ts';
import { createRepeats, type Repeats } from './repeats.ts';

/** The batches and addresses that the rows of a batch are compared with. */
export type History = Readonly<{
  /** Other batches of the account; of those that repeat a row the first is named. */
  others: readonly PastBatch[];
  /** Addresses that are the account's own, as people write them. */
  ownAddresses: readonly string[];
  /** When the batch is to pay, milliseconds since 1970. */
  payAtMs: number;
  /** How many days before or after that an equal payment may be this one made twice. */
  historyDays: number;
  signal?: AbortSignal | undefined;
}>;

/** Everything that is kept about the rows while other batches pass by. */
export type Judging = Readonly<{
  own: OwnPrints;
  findings: FindingBook;
  ends: PayeeEnds;
  /** undefined where there is no other batch. */
  payees: Payees | undefined;
  lookAlikes: LookAlikes;
  /** Addresses that the rows look like, by index. */
  alike: Marks;
  duplicates: Duplicates;
  repeats: Repeats<PastRows>;
  /** 1 for each row, by index, that another batch has as well. */
  repeated: Uint8Array;
  overlaps: Overlap[];
}>;

/** Another batch, in words, and how many rows of it count. */
export type PastRows = Readonly<{ source: string; rows: number }>;

/** Reads the rows for the first time. Throws what that throws. */
export async function startJudging(
  own: OwnPrints,
  { others }: History,
  findings: FindingBook,
): Promise<Judging> {
  const payees = others.length === 0 ? undefined : createPayees(own.count);
  const ends = createPayeeEnds(payees?.isNew ?? (await newPayees(own)));
  const duplicates = createDuplicates(own.count);
  await own.each((segment) => {
    payees?.add(segment);
    ends.add(segment);
    duplicates.add(segment);
  });
  const alike = createMarks(own.count);
  const lookAlikes = await openLookAlikes({
    own,
    ends,
    found: alike.mark,
    others: others.reduce((sum, { rows }) => sum + rows, 0),
  });
  return {
    own,
    findings,
    ends,
    payees,
    lookAlikes,
    alike,
    duplicates,
    repeats: createRepeats(own.count),
    repeated: new Uint8Array(own.count),
    overlaps: [],
  };
}
