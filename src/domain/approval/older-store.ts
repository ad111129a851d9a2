import type { ApprovalPolicy } from './policy.ts';
import { subjectHash } from './question.ts';
import { unprovenBy } from './check-approval.ts';
import type { Approval } from './statement.ts';
import type { SubmissionSubject } from './submission.ts';

/** The batch id of the statements that the store is an older copy. */
export const OLDER_STORE = 'store/older';

/**
 * The subject of a `store-older` statement. It names the newest entry of the audit log, so that it counts for this copy of the store
 * alone. No batch id has a slash.
 */
export const olderStoreSubject = (headHash: string): SubmissionSubject => ({
  batchId: OLDER_STORE,
  subject: subjectHash('bursar-store-older/v1', [headHash]),
});

/** Whether a person of the policy signed that the store, whose log ended with one of these entries, is an older copy. */
export const isOlderStoreSigned = (
  statement: Approval,
  { policy, heads }: Readonly<{ policy: ApprovalPolicy; heads: readonly string[] }>,
): boolean =>
  statement.decision === 'store-older' &&
  heads.some((hash) => unprovenBy(statement, { policy, ...olderStoreSubject(hash) }) === null);

/** An audit entry in which a person states that the store is an older copy. */
export type OlderStoreNote = Readonly<{
  seq: number;
  atMs: number;
  /** The subject of the statement that the entry names; null: it names none. */
  subject: string | null;
  /** Hashes of the entries before it, from which the statement names the newest. */
  heads: readonly string[];
}>;

/** A batch, and when such a note concerned it. Times are milliseconds since 1970. */
export type NotedBatch = Readonly<{
  policy: ApprovalPolicy | null;
  submittedAtMs: number;
  /** null: the plan is older than signed statements. */
  plannedAtMs: number | null;
  endedAtMs: number | null;
}>;

/**
 * Returns the notes that no person of the policy of a batch signed. A note makes the engine look up every key before it
 * sends, and pauses the batch. It lets nothing leave by itself, so it is verified here and not before each create.
 */
export function unsignedNotes(
  { policy, submittedAtMs, plannedAtMs, endedAtMs }: NotedBatch,
  notes: readonly OlderStoreNote[],
  statements: readonly Approval[],
): OlderStoreNote[] {
  if (policy?.mode !== 'signed' || plannedAtMs === null) return [];
  const concerns = ({ atMs }: OlderStoreNote): boolean =>
    atMs >= submittedAtMs && (endedAtMs === null || atMs < endedAtMs);
  const isSigned = ({ subject, heads }: OlderStoreNote): boolean =>
    statements.some((one) => one.subject === subject && isOlderStoreSigned(one, { policy, heads }));
  return notes.filter((note) => concerns(note) && !isSigned(note));
}
