import { counted, withCommas } from '../../domain/text/counted.ts';
import type { Followed } from '../../contract/activities.ts';
import type { HousekeepingReport } from '../../contract/housekeeping.ts';
import type { PartitionInput } from '../../contract/partition.ts';
import type { ScheduledBatchInput } from '../../contract/schedule.ts';
import type { BoardCounts } from '../../domain/batch/partition-board.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import {
  type VerificationProgress,
  VERIFYING_TITLE,
  verifiedText,
} from '../../domain/restore/progress.ts';
import { code, paragraph, md, page, table } from '../../domain/text/markdown.ts';
import { answersFor, idInCommand } from '../batch/batch-steps.ts';
import { namedChunks, readable } from './readable.ts';

/** The title of everything that waits for an operator. */
export const NEEDS_OPERATOR = md`**Needs an operator**`;

/** The figures that the page of a partition shows. */
export type PartitionFigures = Readonly<{
  counts: BoardCounts;
  /** Chunks that wait for an answer, and open ones that a person should check. */
  needsOperator: readonly number[];
  alarms: ReadonlySet<number>;
  /** Chunks whose mass payout waits until a person confirms it at the service. */
  unconfirmed: ReadonlySet<number>;
  /** How many of the pending ones are being sent by themselves, or are in doubt. */
  sending: number;
  /** How many of the pending ones the activity under way sends. */
  group: number;
  stopped: string | null;
  /** How far the verification of the batch is; null: no chunk waits for it. */
  verifying: VerificationProgress | null;
}>;

export function partitionDetails(
  { batchId, partition, firstChunk, chunkCount }: PartitionInput,
  figures: PartitionFigures,
): string {
  const { counts, needsOperator, alarms, unconfirmed, sending, group, stopped, verifying } =
    figures;
  const [first] = needsOperator;
  const id = idInCommand(batchId);
  return page(
    paragraph(
      md`Partition ${partition} of batch ${batchId}: chunks ${firstChunk} to ${firstChunk + chunkCount - 1}. Each is one mass payout.`,
    ),
    table([
      ...(needsOperator.length === 0
        ? []
        : [[NEEDS_OPERATOR, namedChunks(needsOperator)] as const]),
      ...(alarms.size === 0
        ? []
        : [['to be checked in the service', namedChunks([...alarms])] as const]),
      ...(unconfirmed.size === 0
        ? []
        : [['to be confirmed in the service', namedChunks([...unconfirmed])] as const]),
      ...(stopped === null ? [] : [['stopped', readable(stopped)] as const]),
      ...(verifying === null ? [] : [[VERIFYING_TITLE, verifiedText(verifying)] as const]),
      ['not sent yet', counted(counts.pending - sending - group, 'chunk')],
      ...(group === 0
        ? []
        : [['in the group that is being sent', counted(group, 'chunk')] as const]),
      ['being sent, or ambiguous', counted(sending, 'chunk')],
      ['sent, without all outcomes', counted(counts.open, 'chunk')],
      ['settled', counted(counts.settled, 'chunk')],
      ['not sent', counted(counts.notSent, 'chunk')],
    ]),
    table(
      [
        ...(first === undefined && alarms.size === 0
          ? []
          : [['see the chunks and their questions', code(`bursar status ${id}`)] as const]),
        ...(first === undefined ? [] : answersFor(id, first)),
      ],
      ['to', 'run'],
    ),
  );
}

/** The texts of the page of a scheduled workflow: one for each run, by the local time that names it. */
export type RunTexts = Readonly<{
  runs: ReadonlyMap<string, string>;
  error: ErrorNote | null;
}>;

export function runDetails(
  { scheduleId, demand }: ScheduledBatchInput,
  { runs, error }: RunTexts,
): string {
  const show = `bursar schedule show ${idInCommand(scheduleId)}`;
  return page(
    table([
      ...(error === null ? [] : [[md`**Failed**`, sentences(error)] as const]),
      ['schedule', scheduleId],
      ...(demand === null ? [] : [['asked for by', `${demand.by}: ${demand.reason}`] as const]),
      ...[...runs].map(([nominal, text]) => [`run for ${nominal}`, readable(text)] as const),
    ]),
    table([['see the schedule and its runs', code(show)]], ['to', 'run']),
  );
}

const sentences = ({ what, why, fix }: ErrorNote): string => readable(`${what} ${why} ${fix}`);

/** The page of housekeeping: the results of its tasks. */
export const watchDetails = ({ at, rounds }: HousekeepingReport): string =>
  page(
    paragraph(
      'Runs the health checks of webhooks, schedules and notifications. It has no end, and moves no money.',
    ),
    table([
      ['last run of all tasks', readable(at)],
      ...rounds.map(
        ({ name, ok, says }) =>
          [name, ok ? readable(says) : md`**failed**: ${readable(says)}`] as const,
      ),
    ]),
    table([['check everything', code('bursar doctor')]], ['to', 'run']),
  );

export const troubleDetails = (why: string): string =>
  page(
    paragraph(md`**The tasks could not be run**. The next try is in a minute: ${readable(why)}`),
  );

/** The page of the workflow that reads the mass payouts of a batch again after its report. */
export const aftercareDetails = (
  batchId: string,
  { following, version, paidTwice }: Followed,
): string =>
  page(
    paragraph(
      md`Reads the mass payouts of batch ${batchId} again after its report. People can still send failed ones again in the service.`,
    ),
    table([
      ...(paidTwice === 0
        ? []
        : [[NEEDS_OPERATOR, `${counted(paidTwice, 'row')} may have been paid twice`] as const]),
      ['mass payouts that are read again', withCommas(following)],
      ['version of the report', version],
    ]),
    table(
      [
        [
          'read them now, and write the report again',
          code(`bursar report ${idInCommand(batchId)} --refresh`),
        ],
      ],
      ['to', 'run'],
    ),
  );
