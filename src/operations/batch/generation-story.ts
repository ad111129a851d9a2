import type { BatchRecord } from '../../store/batches/types.ts';
import type { LineageOutcome } from '../../domain/lineage/lineage.ts';
import { shownOutcome, type ShownOutcome } from '../../domain/settling/outcome.ts';
import type { GenerationRow } from '../../report/lineage-rows.ts';
import type { Store } from '../../store/index.ts';

/** A row in one batch of its lineage. A field without a value is an empty text. */
export type GenerationStory = Readonly<{
  batchId: string;
  generation: number;
  chunk: number;
  idempotencyKey: string;
  massPayoutId: string;
  withdrawalId: string;
  transactionHash: string;
  outcome: ShownOutcome;
  reason: string;
  /** When its create was signed last, ISO 8601 in UTC; null when it never left. */
  sentAt: string | null;
}>;

export async function generationStories(
  { chunks, sends }: Store,
  history: readonly GenerationRow[],
): Promise<GenerationStory[]> {
  const stories: GenerationStory[] = [];
  for (const { batchId, generation, outcome, own } of history) {
    const { idempotencyKey, massPayoutId, withdrawalId, transactionHash, reason } = own;
    const chunk = own.chunk ?? 0;
    const { attempts } = await sends.record({ batchId, chunk, idempotencyKey });
    const { state } = await chunks.get(batchId, chunk);
    const sentMs = attempts.findLast((attempt) => attempt.outcome !== 'VOID')?.timestampMs;
    stories.push({
      batchId,
      generation,
      chunk,
      idempotencyKey,
      massPayoutId,
      withdrawalId,
      transactionHash,
      outcome: shownOutcome(outcome, state),
      reason,
      sentAt: sentMs === undefined ? null : new Date(sentMs).toISOString(),
    });
  }
  return stories;
}

/** The kinds of a next step of a person for a row. NONE: there is nothing to do, or nothing that helps. */
export const ROW_STEPS = [
  'NONE',
  'CORRECT',
  'WAIT',
  'ANSWER',
  'RESEND',
  'RESENT',
  'INVESTIGATE',
  'CLAIM_BACK',
  'CHECK_BOTH',
] as const;

export type RowStep = (typeof ROW_STEPS)[number];

/** `next`: the step in a sentence. */
export type RowNextStep = Readonly<{ step: RowStep; next: string }>;

export const IS_PAID: RowNextStep = { step: 'NONE', next: 'nothing to do' };

/** The next step for a row over all its batches; undefined where the step of its own batch holds. */
export function nextInLine({
  line,
  standing,
  row,
}: Readonly<{ line: readonly BatchRecord[]; standing: LineageOutcome; row: number }>):
  | RowNextStep
  | undefined {
  if (standing === 'PAID_TWICE') {
    return {
      step: 'CLAIM_BACK',
      next: `It was paid twice. Claim one payment back from the recipient or the service, and inform the bookkeeper. Row ${row} is never sent again.`,
    };
  }
  if (standing === 'MAYBE_TWICE') {
    return {
      step: 'CHECK_BOTH',
      next: 'It may be paid twice. Check both mass payouts in the service now, and decline the one that is not paid yet.',
    };
  }
  const newest = line.at(-1);
  if (line.length < 2 || newest === undefined) return undefined;
  if (standing === 'PAID') return IS_PAID;
  if (standing === 'UNPAID' && newest.endState !== null) {
    return {
      step: 'RESEND',
      next: `Check that nobody sent it again in the interface of the service. Then: bursar resend ${newest.batchId}`,
    };
  }
  return undefined;
}
