import { counted } from '../../domain/text/counted.ts';
import type { Followed } from '../../contract/activities.ts';
import type { HousekeepingReport } from '../../contract/housekeeping.ts';
import type { PartitionInput } from '../../contract/partition.ts';
import type { ScheduledBatchInput } from '../../contract/schedule.ts';
import type { BoardCounts } from '../../domain/batch/partition-board.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import {
  type VerificationProgress,
  verificationProgressText,
} from '../../domain/restore/progress.ts';
import { code, paragraph, md, page, table } from '../../domain/text/markdown.ts';
import { answersFor, idInCommand } from '../batch/batch-steps.ts';
import { namedChunks, readable } from './readable.ts';

/** What the page of a partition shows of its chunks. */
export type PartitionFigures = Readonly<{
  counts: BoardCounts;
  /** Chunks that wait for an answer, and open ones that a person should look at. */
  needsOperator: readonly number[];
  alarms: ReadonlySet<number>;
  /** How many of the pending ones are being sent. */
  sending: number;
  stopped: string | null;
  /** How far the verification of the batch is; null: no chunk waits for it. */
  verifying: VerificationProgress | null;
}>;

export function partitionDetails(
  { batchId, partition, firstChunk, chunkCount }: PartitionInput,
  { counts, needsOperator, alarms, sending, stopped, verifying }: PartitionFigures,
): string {
  const [first] = needsOperator;
  const id = idInCommand(batchId);
  return page(
    paragraph(
      md`Partition ${partition} of batch ${batchId}: chunks ${firstChunk} to ${firstChunk + chunkCount - 1}. Each is one mass payout.`,
    ),
    table([
      ...(needsOperator.length === 0
        ? []
        : [[md`**NEEDS OPERATOR**`, namedChunks(needsOperator)] as const]),
      ...(alarms.size === 0 ? [] : [['to be looked at', namedChunks([...alarms])] as const]),
      ...(stopped === null ? [] : [['stopped', stopped] as const]),
      ...(verifying === null ? [] : [['verified', verificationProgressText(verifying)] as const]),
      ['not sent yet', counts.pending - sending],
      ['being sent, or in doubt', sending],
      ['sent, not at their end', counts.open],
      ['settled', counts.settled],
      ['not sent', counts.notSent],
    ]),
    table(
      [
        ...(first === undefined && alarms.size === 0
          ? []
          : [['see what to look for', code(`bursar status ${id}`)] as const]),
        ...(first === undefined ? [] : answersFor(id, first)),
      ],
      ['to', 'run'],
    ),
  );
}

/** What the page of a scheduled workflow shows of its runs, by the instant for which each runs. */
export type RunTexts = Readonly<{
  runs: ReadonlyMap<string, string>;
  error: ErrorNote | null;
}>;

export function runDetails(
  { scheduleId, demand }: ScheduledBatchInput,
  { runs, error }: RunTexts,
): string {
  const look = `bursar schedule show ${idInCommand(scheduleId)}`;
  return page(
    table([
      ...(error === null ? [] : [[md`**FAILED**`, sentences(error)] as const]),
      ['schedule', scheduleId],
      ...(demand === null ? [] : [['asked for by', `${demand.by}: ${demand.reason}`] as const]),
      ...[...runs].map(([nominal, text]) => [`run for ${nominal}`, text] as const),
    ]),
    table([['see the schedule and its runs', code(look)]], ['to', 'run']),
  );
}

const sentences = ({ what, why, fix }: ErrorNote): string => readable(`${what} ${why} ${fix}`);

/** The results of the last tasks, as the page of housekeeping shows them. */
export const watchDetails = ({ at, rounds }: HousekeepingReport): string =>
  page(
    paragraph(
      'Looks after webhooks, schedules and notifications; it has no end, and moves no money.',
    ),
    table([
      ['last rounds', readable(at)],
      ...rounds.map(({ name, ok, says }) => [name, ok ? says : md`**failed**: ${says}`] as const),
    ]),
    table([['check everything', code('bursar doctor')]], ['to', 'run']),
  );

export const troubleDetails = (why: string): string =>
  page(paragraph(md`**The rounds could not be run**, and are tried again in a minute: ${why}`));

/** How the ends of a batch are followed after its report. */
export const aftercareDetails = (
  batchId: string,
  { following, version, paidTwice }: Followed,
): string =>
  page(
    paragraph(
      md`Follows batch ${batchId} after its report: what has failed, people can still send again.`,
    ),
    table([
      ...(paidTwice === 0
        ? []
        : [
            [
              md`**NEEDS OPERATOR**`,
              `${counted(paidTwice, 'row')} may have been paid twice`,
            ] as const,
          ]),
      ['mass payouts that are followed', following],
      ['version of the report', version],
    ]),
    table(
      [
        [
          'look at once, and write the report again',
          code(`bursar report ${idInCommand(batchId)} --refresh`),
        ],
      ],
      ['to', 'run'],
    ),
  );
