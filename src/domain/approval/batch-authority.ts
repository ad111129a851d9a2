import { counted } from '../text/counted.ts';
import { type AuthorityFacts, missingAuthority, unapprovedAnswer } from './authority.ts';
import { questionOfBatch } from './question.ts';

/** Everything in the store that shows whether a whole batch was allowed to do what it did. */
export type BatchAuthority = Omit<AuthorityFacts, 'answer'> &
  Readonly<{
    /** The answers "not created" of all its chunks. */
    answers: readonly NonNullable<AuthorityFacts['answer']>[];
    /** The number of attempts that are written down. */
    attempts: number;
  }>;

/**
 * Returns what a batch lacks of its time, and of what its policy asks for, in sentences; empty when nothing is missing. Example: somebody who can
 * write to the store answers "not created" for chunk 4, so that it is sent again. No statement names that answer, and this returns
 * it, though the log is whole.
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
