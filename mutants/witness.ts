/** What a failing test of jest, and a broken law of the simulation or of chaos, look like in what their layer says. */
const NOTICED = [/^\s*● (.+)$/gm, /^(.*\bBROKEN\b.*)$/gm];

/** What jest says in the same way of files that failed without any test of theirs, and of what they print. */
const NO_TEST = /^(Test suite failed to run|Console|Cannot log after|process\.exit called)/;

const LENGTH_MAX = 160;

/** The test or the law that noticed a mutant; undefined where a layer names none: then it failed for another reason. */
export function witnessOf(talk: string): string | undefined {
  const said = NOTICED.flatMap((pattern) => [...talk.matchAll(pattern)])
    .map(([, line = '']) => line.trim())
    .find((line) => !NO_TEST.test(line));
  return said?.replaceAll(/\s+/g, ' ').replaceAll('|', '/').slice(0, LENGTH_MAX);
}

/** How a run of a layer ended, and what it said. */
export type Ending = Readonly<{ isGood: boolean; isTimeOut: boolean; talk: string }>;

export type Verdict = Readonly<{ isCaught: boolean; says: string }>;

/** Whether a layer noticed a mutant. Whoever is killed for its time, or fails and names no test and no law, noticed nothing. */
export function verdictOf({ isGood, isTimeOut, talk }: Ending): Verdict {
  if (isGood) return { isCaught: false, says: 'not caught' };
  if (isTimeOut) return { isCaught: false, says: 'not caught: it did not end in time' };
  const witness = witnessOf(talk);
  return witness === undefined
    ? { isCaught: false, says: 'not caught: it failed, but names no test and no law' }
    : { isCaught: true, says: `caught: ${witness}` };
}
