import { LAWS, type Law } from './laws.ts';
import { type RunOptions, runSeed } from './run.ts';
import { type Fault, FAULTS, type Sight, SIGHTS } from './world.ts';

/** Seeds `from`, `from + 1` ... */
export type Seeds = Readonly<{ from: number; count: number }>;

/** What came of many seeds. `broken` keeps the first seed of each law that was broken. */
export type Tally = Readonly<{
  seeds: number;
  counts: Readonly<Record<string, number>>;
  broken: Readonly<Partial<Record<Law, Readonly<{ seed: number; why: string; times: number }>>>>;
}>;

export const NOTHING: Tally = { seeds: 0, counts: {}, broken: {} };

export function tallyOf({ from, count }: Seeds, options: RunOptions = {}): Tally {
  let tally = NOTHING;
  for (let seed = from; seed < from + count; seed += 1) {
    const { counts, broken } = runSeed(seed, options);
    const laws = Object.fromEntries(
      broken.toReversed().map(({ law, why }) => [law, { seed, why, times: broken.length }]),
    );
    tally = sumOf(tally, { seeds: 1, counts: Object.fromEntries(counts), broken: laws });
  }
  return tally;
}

export function sumOf(a: Tally, b: Tally): Tally {
  const counts: Record<string, number> = { ...a.counts };
  for (const [what, times] of Object.entries(b.counts)) counts[what] = (counts[what] ?? 0) + times;
  const broken = { ...a.broken };
  for (const law of Object.keys(b.broken) as Law[]) {
    const [ours, theirs] = [a.broken[law], b.broken[law]];
    if (theirs === undefined) continue;
    const first = ours !== undefined && ours.seed < theirs.seed ? ours : theirs;
    broken[law] = { ...first, times: (ours?.times ?? 0) + theirs.times };
  }
  return { seeds: a.seeds + b.seeds, counts, broken };
}

/** What never happened, of faults and of what the engine came to: a run without some of it proves nothing of that (I10). */
export const unseen = ({ counts }: Tally): (Fault | Sight)[] =>
  [...FAULTS, ...SIGHTS].filter((what) => counts[what] === undefined);

/** The tally for people. */
export function tallyText(tally: Tally): string {
  const line = (what: Fault | Sight): string =>
    `  ${what.padEnd(40)} ${String(tally.counts[what] ?? 0).padStart(12)}`;
  const laws = (Object.keys(LAWS) as Law[]).map((law) => {
    const broken = tally.broken[law];
    const said = broken === undefined ? 'held' : `BROKEN by seed ${broken.seed}: ${broken.why}`;
    return `  ${law}  ${LAWS[law]}: ${said}`;
  });
  return [
    ...['Faults', ...FAULTS.map(line), '', 'What the engine came to', ...SIGHTS.map(line), ''],
    ...[`Laws, over ${tally.seeds} seeds`, ...laws],
    `  I9  ambiguous creates were found again and adopted: ${tally.counts['recovered'] ?? 0}`,
    `  I10 what never happened: ${unseen(tally).join(', ') || 'none'}`,
  ].join('\n');
}
