import { counted } from '../text/counted.ts';

/** The stored facts that decide whether the rows of an ended batch may be removed. */
export type PruneFacts = Readonly<{
  batchId: string;
  /** When its newest report was written; null: it has not ended. */
  reportedAtMs: number | null;
  /** Chunks whose create may still be sent, or whose mass payout has no end yet. */
  openChunks: number;
  /** Rows without a certain outcome, and chunks whose default outcome is not certain. */
  uncertain: number;
  /** Chunks whose ends people can change at the service. */
  changeableChunks: number;
  /** Changes that no report holds. */
  unreportedChanges: number;
  /** Chunks for which the service showed more than one mass payout, or whose rows may be in two batches. */
  disputedChunks: number;
}>;

/** The time that counts, in milliseconds. `followMs`: how long ends that people can change are read again. */
export type PruneTimes = Readonly<{ nowMs: number; olderThanMs: number; followMs: number }>;

/** Why the rows of a batch stay. */
export type PruneObstacle =
  | 'OPEN'
  | 'TOO_YOUNG'
  | 'IN_DOUBT'
  | 'UNKNOWN_ROWS'
  | 'CHANGEABLE'
  | 'UNREPORTED'
  | 'DISPUTED'
  | 'NOT_PROVEN';

/**
 * The shortest time between the report of a batch and its prune, in milliseconds. A store that was restored from a backup of this
 * time continues batches whose copies it still needs.
 */
export const PRUNE_AGE_MS_MIN = 30 * 86_400_000;

/** Why a batch keeps its rows, and the first batch of its lineage that is the reason. */
export type KeptRows = Readonly<{ obstacle: PruneObstacle; batchId: string }>;

/**
 * Why the rows of a lineage stay; null: they may be removed. A lineage is pruned as a whole: a resend, and each recheck of one,
 * reads the rows of all its batches.
 *
 * @example keptOf([{ batchId: 'june', reportedAtMs: null, ... }], times) is { obstacle: 'OPEN', batchId: 'june' }
 */
export function keptOf(line: readonly PruneFacts[], times: PruneTimes): KeptRows | null {
  for (const facts of line) {
    const obstacle = obstacleOf(facts, times);
    if (obstacle !== null) return { obstacle, batchId: facts.batchId };
  }
  return null;
}

function obstacleOf(facts: PruneFacts, times: PruneTimes): PruneObstacle | null {
  const { reportedAtMs } = facts;
  if (reportedAtMs === null) return 'OPEN';
  const ageMs = times.nowMs - reportedAtMs;
  if (ageMs < Math.max(times.olderThanMs, PRUNE_AGE_MS_MIN)) return 'TOO_YOUNG';
  if (facts.openChunks > 0) return 'IN_DOUBT';
  if (facts.uncertain > 0) return 'UNKNOWN_ROWS';
  if (facts.changeableChunks > 0 && ageMs < times.followMs) return 'CHANGEABLE';
  if (facts.unreportedChanges > 0) return 'UNREPORTED';
  return facts.disputedChunks > 0 ? 'DISPUTED' : null;
}

const SENTENCES: Readonly<Record<PruneObstacle, string>> = {
  OPEN: 'it has not ended',
  TOO_YOUNG: 'its newest report is too young',
  IN_DOUBT: 'a create of it may be sent, or a mass payout of it has no end',
  UNKNOWN_ROWS: 'it has rows without a certain outcome',
  CHANGEABLE: 'people can change its ends, and Bursar still reads them',
  UNREPORTED: 'it has changes that no report holds',
  DISPUTED: 'rows of it may have been paid twice',
  NOT_PROVEN: '"bursar verify" does not prove it',
};

/** Why a batch keeps its rows, for people. */
export function keptText({ obstacle, batchId }: KeptRows, ownId: string): string {
  const why = SENTENCES[obstacle];
  return batchId === ownId ? why : `${batchId} belongs to it, and ${why}`;
}

/** Problems of a verification that say only that a part is gone. What is gone need not be removed. */
const GONE = ['FILE_COPY_GONE', 'REPORT_GONE', 'REPORT_FILE_GONE'];

/**
 * Whether the problems of a verification let a batch be pruned. A changed record is evidence, and the digests of its rows would
 * prove nothing.
 */
export const mayLoseRows = (
  problems: readonly Readonly<{ code: string }>[],
  problemCount: number,
): boolean => problemCount === problems.length && problems.every(({ code }) => GONE.includes(code));

const UNITS: readonly (readonly [unit: string, bytes: number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];

/** A size for people, as in `1.5 MiB`. */
export function sizeText(bytes: number): string {
  const [unit, one] = UNITS.find(([, least]) => bytes >= least) ?? [];
  return unit === undefined || one === undefined
    ? counted(bytes, 'byte')
    : `${Math.round((bytes / one) * 10) / 10} ${unit}`;
}
