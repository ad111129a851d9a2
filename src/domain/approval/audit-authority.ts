import { counted } from '../text/counted.ts';
import {
  type AuthorityFacts,
  type AuthorityRecords,
  missingAuthority,
  unapprovedAnswer,
} from './authority.ts';
import { questionOfBatch } from './question.ts';

/** All facts in the store that decide whether a batch was allowed to pay. */
export type BatchAuthority = AuthorityRecords &
  Readonly<{
    /** The answers "not created" of all its chunks. */
    answers: readonly NonNullable<AuthorityFacts['answer']>[];
    /** The number of attempts that are written down. */
    attempts: number;
  }>;

/**
 * Returns the missing parts of a batch's authority, in sentences: its due time, and the approvals that its policy
 * needs. Empty when nothing is missing. Example: a person with write access to the store answers "not created" for
 * chunk 4, so that it is sent again. No statement names that answer, and this function returns it, though the log is
 * whole.
 */
export function lackingAuthority({ answers, attempts, ...rest }: BatchAuthority): string[] {
  const facts = { ...rest, answer: null };
  if (facts.batch.releasedAtMs === null) {
    const isAsked = questionOfBatch(facts.batch, null) !== null;
    return attempts === 0 || !isAsked
      ? []
      : [`it has ${counted(attempts, 'attempt')} and was never released`];
  }
  const why = [
    missingAuthority(facts),
    ...answers.map((answer) => unapprovedAnswer({ ...facts, answer })),
  ];
  return why.filter((one) => one !== null);
}
