import { type Question, questionOfBatch } from '../domain/approval/question.ts';
import { soundApprovals, type Standing, standingFrom } from '../domain/approval/standing.ts';
import type { Approval } from '../domain/approval/statement.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { Store } from '../store/store.ts';

/** Batches whose verified approvals are kept in mind. */
const KEPT_MAX = 100;

/** When the approvals must hold, in milliseconds since 1970, and for which hold: null, for the plan itself. */
export type GateMoment = Readonly<{ atMs: number; hold: Hold | null }>;

export type ApprovalGate = ReturnType<typeof createApprovalGate>;

/**
 * Says whether a batch may pay, from the approvals that are written down. Signatures are verified, but not again for each
 * of a thousand chunks: what was found sound stays so while neither question nor approvals change.
 */
export function createApprovalGate(store: Pick<Store, 'approvals'>, verify = soundApprovals) {
  const kept = new Map<string, Verified>();

  const soundOf = (question: Question, given: readonly Approval[]): readonly Approval[] => {
    const name = `${question.batchId} ${question.subject}`;
    const made = JSON.stringify([question, given]);
    const known = kept.get(name);
    if (known?.made === made) return known.sound;
    const sound = verify(question, given);
    kept.delete(name);
    kept.set(name, { made, sound });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return sound;
  };

  /** How the approvals of a batch stand; null when it needs none. */
  const standing = async (
    batch: BatchRecord,
    { atMs, hold }: GateMoment,
  ): Promise<Standing | null> => {
    const question = questionOfBatch(batch, hold);
    if (question === null) return null;
    const given = (await store.approvals.list(batch.batchId)).map(({ approval }) => approval);
    return standingFrom(question, soundOf(question, given), atMs);
  };

  return {
    standing,
    /** Whether nothing is missing and nobody refused. What has no plan yet cannot be approved. */
    holds: async (batch: BatchRecord, moment: GateMoment): Promise<boolean> =>
      batch.digest !== null && ((await standing(batch, moment))?.satisfied ?? true),
  };
}

/** What sound approvals were found from, to the letter. */
type Verified = Readonly<{ made: string; sound: readonly Approval[] }>;
