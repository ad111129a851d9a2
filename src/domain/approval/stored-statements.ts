import type { Question } from './question.ts';
import { unsoundness, untimeliness } from './check-approval.ts';
import { type Approval, readApproval } from './statement.ts';

/** A stored statement about a question. */
export type StoredStatement = Readonly<{
  approval: Approval;
  /** Whether its person made it; another statement was changed, or written by another program. */
  isGenuine: boolean;
  /** Why it does not count now, in a sentence; null: it does. */
  why: string | null;
}>;

/** What everything that is written down about a question is worth at `atMs`. Verifies every signature. */
export const storedStatements = (
  question: Question,
  given: readonly Approval[],
  atMs: number,
): StoredStatement[] =>
  given
    .filter(({ subject }) => subject === question.subject)
    .map((approval) => {
      const unsound = unsoundnessOf(approval, question);
      if (unsound !== null) return { approval, isGenuine: false, why: unsound };
      // A refusal never lapses.
      const late = approval.decision === 'approve' ? untimeliness(approval, atMs) : null;
      return { approval, isGenuine: true, why: late?.what ?? null };
    });

function unsoundnessOf(approval: Approval, question: Question): string | null {
  const read = readApproval(approval);
  return typeof read === 'string'
    ? `Its ${read} is missing or not what it must be.`
    : (unsoundness(read, question)?.what ?? null);
}
