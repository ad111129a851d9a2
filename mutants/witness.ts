/** What a failing test of jest, and a broken law of the simulation or of chaos, look like in what their layer says. */
const NOTICED = [/^\s*● (.+)$/m, /^(.*\bBROKEN\b.*)$/m];

const LENGTH_MAX = 160;

/** The test or the law that noticed a mutant, so that nobody takes a layer that failed for another reason for one that noticed. */
export function witnessOf(talk: string): string {
  const said = NOTICED.map((pattern) => pattern.exec(talk)?.[1]).find((line) => line !== undefined);
  return said === undefined
    ? 'without naming a test or a law'
    : said.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '/').slice(0, LENGTH_MAX);
}
