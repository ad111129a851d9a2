import type { BatchInput } from '../contract/batch.ts';
import type { PartitionInput } from '../contract/partition.ts';
import type { ScheduledBatchInput } from '../contract/schedule.ts';
import type { BatchStatus } from '../contract/status.ts';
import type { BoardCounts } from '../domain/batch/partition-board.ts';

type Line = readonly [name: string, value: string | number];

/** A Markdown table, as the web page of a workflow shows it. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map(([name, value]) => `| ${name} | ${cell(String(value))} |`);
  return ['| | |', '|---|---|', ...rows].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const partitionDetails = (
  { partition, firstChunk, chunkCount }: PartitionInput,
  {
    counts,
    alarms,
    stopped,
  }: Readonly<{ counts: BoardCounts; alarms: ReadonlySet<number>; stopped: string | null }>,
): string =>
  table([
    ['partition', `${partition} (chunks ${firstChunk} to ${firstChunk + chunkCount - 1})`],
    ['to send', counts.pending],
    ['wait for an operator', counts.needsOperator],
    ['sent, not at their end', counts.open],
    ...(alarms.size === 0 ? [] : [['of these for an operator to look at', alarms.size] as const]),
    ['settled', counts.settled],
    ['not sent', counts.notSent],
    ...(stopped === null ? [] : [['stopped', stopped] as const]),
  ]);

/** What the file asks for, once it was read. */
export type BatchFigures = Readonly<{
  rows: number;
  refusedRows: number;
  chunks: number;
  totals: string;
  fees: string;
  /** Whether the account will carry it at its time, as it looks now. */
  outlook: string;
  digest: string;
}>;

export const batchDetails = (
  { batchId, file, submittedBy }: BatchInput,
  status: BatchStatus,
  figures: Partial<BatchFigures>,
): string =>
  table([
    ['batch', batchId],
    ['state', `**${status.state}** since ${status.since}`],
    ['now', status.note],
    ['file', file.name],
    ['submitted by', submittedBy],
    ...figureLines(figures),
    ...(status.partitions.total === 0 ? [] : [partitionLine(status)]),
    ...operatorLines(status),
    ...approvalLines(status),
    ...status.holds.map(
      ({ kind, reason, by, since }): Line => [
        `HELD (${kind})`,
        `${reason} (by ${by}, since ${since})`,
      ],
    ),
    ...(status.canceledBy === null ? [] : [['canceled by', status.canceledBy] as const]),
  ]);

const figureLines = (figures: Partial<BatchFigures>): Line[] =>
  Object.entries(figures).map(([name, value]) => [name, value] as const);

const partitionLine = ({ partitions }: BatchStatus): Line => [
  'partitions',
  `${partitions.settled} settled, ${partitions.sent} sent, ${partitions.started} started, of ${partitions.total}`,
];

const approvalLines = ({ approval }: BatchStatus): Line[] =>
  approval === null
    ? []
    : [
        ...approval.missing.map((who): Line => ['waits for approval', who]),
        ...approval.given.map(
          ({ person, decision, at }): Line => [
            decision === 'approve' ? 'approved by' : 'REFUSED by',
            `${person}, ${at}`,
          ],
        ),
      ];

const operatorLines = ({ needsOperator }: BatchStatus): Line[] =>
  needsOperator.length === 0
    ? []
    : [['NEEDS OPERATOR', `chunks ${needsOperator.join(', ')}: see \`bursar status\``]];

export const runDetails = ({
  scheduleId,
  demand,
  lines,
}: ScheduledBatchInput & Readonly<{ lines: ReadonlyMap<string, string> }>): string =>
  table([
    ['schedule', scheduleId],
    ...(demand === null ? [] : [['asked for by', `${demand.by}: ${demand.reason}`] as const]),
    ...[...lines].map(([name, text]) => [name, text] as const),
  ]);
