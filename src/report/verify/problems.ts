import {
  BursarError,
  type ErrorNote,
  isBursarError,
  noteOf,
} from '../../domain/errors/bursar-error.ts';
import type { ErrorCode, ErrorFacts } from '../../domain/errors/catalogue.ts';

/** Problems in the list. All are counted. */
const PROBLEMS_MAX = 100;

/** The problems that a verification has found so far. */
export type Problems = Readonly<{
  add<Code extends ErrorCode>(code: Code, facts: ErrorFacts<Code>): void;
  /**
   * Runs one part of a verification. An error on tampered data becomes a problem, and the other
   * parts still run.
   */
  during(what: string, work: () => Promise<void>): Promise<void>;
  /** Returns the number of problems, or of those with `code`. */
  count(code?: ErrorCode): number;
  listed(): readonly ErrorNote[];
}>;

export function createProblems(): Problems {
  const notes: ErrorNote[] = [];
  const counts = new Map<ErrorCode, number>();
  let count = 0;
  const note = (one: ErrorNote): void => {
    count += 1;
    counts.set(one.code, (counts.get(one.code) ?? 0) + 1);
    if (notes.length < PROBLEMS_MAX) notes.push(one);
  };
  return {
    add: (code, facts) => note(noteOf(code, facts)),
    async during(what, work) {
      try {
        await work();
      } catch (error) {
        if (isBursarError(error) && error.code !== 'INTERNAL') note(error.note);
        else note(unreadable(what, error));
      }
    },
    count: (code) => (code === undefined ? count : (counts.get(code) ?? 0)),
    listed: () => notes,
  };
}

const unreadable = (what: string, error: unknown): ErrorNote =>
  new BursarError('RECORD_UNREADABLE', {
    what,
    reason: error instanceof Error ? error.message : String(error),
  }).note;
