import {
  FINDING_EXAMPLES_MAX,
  FINDINGS,
  type Finding,
  type FindingCode,
} from '../domain/plan/finding.ts';
import { detached } from './detached.ts';

type Example = Finding['examples'][number];

/** Counts findings and keeps the first rows of each. */
export type FindingCollector = Readonly<{
  /** Adds a finding for a row. `count`: the number of rows that the example stands for. */
  add(code: FindingCode, example: Example, count?: number): void;
  /** Adds the findings of later rows. */
  merge(findings: readonly Finding[]): void;
  findings(): Finding[];
}>;

export function createFindingCollector(): FindingCollector {
  const collected = new Map<FindingCode, { count: number; examples: Example[] }>();
  const entryOf = (code: FindingCode) => {
    const entry = collected.get(code) ?? { count: 0, examples: [] };
    collected.set(code, entry);
    return entry;
  };
  return {
    add(code, example, count = 1) {
      const entry = entryOf(code);
      entry.count += count;
      keepFirst(entry.examples, example);
    },

    merge(findings) {
      for (const { code, count, examples } of findings) {
        const entry = entryOf(code);
        entry.count += count;
        for (const example of examples) keepFirst(entry.examples, example);
      }
    },

    /**
     * The findings are in the order of their declaration, so that equal files have equal summaries.
     */
    findings: () =>
      (Object.keys(FINDINGS) as FindingCode[]).flatMap((code) => {
        const entry = collected.get(code);
        return entry === undefined ? [] : [{ code, ...entry }];
      }),
  };
}

/** Inserts an example in row order, and keeps at most `FINDING_EXAMPLES_MAX`. */
function keepFirst(examples: Example[], { row, detail, ...more }: Example): void {
  let at = examples.length;
  while (at > 0 && row < (examples[at - 1]?.row ?? 0)) at -= 1;
  if (at === FINDING_EXAMPLES_MAX) return;
  examples.splice(at, 0, { row, detail: detached(detail), ...more });
  if (examples.length > FINDING_EXAMPLES_MAX) examples.pop();
}
