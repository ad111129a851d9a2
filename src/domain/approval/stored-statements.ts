import type { ErrorCode } from '../errors/catalogue.ts';
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
  /** The code of that; null: it counts, or its text cannot be read. */
  code: ErrorCode | null;
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
      const read = readApproval(approval);
      if (typeof read === 'string') {
        const why = `Its ${read} is missing or not what it must be.`;
        return { approval, isGenuine: false, why, code: null };
      }
      const unsound = unsoundness(read, question);
      // A refusal never lapses.
      const late = approval.decision === 'approve' ? untimeliness(approval, atMs) : null;
      const fault = unsound ?? late;
      const { what: why = null, code = null } = fault ?? {};
      return { approval, isGenuine: unsound === null, why, code };
    });
