import {
  FINDING_EXAMPLES_MAX,
  FINDINGS,
  type Finding,
  type FindingCode,
} from '../domain/plan/finding.ts';
import { detached } from './detached.ts';

type Example = Finding['examples'][number];

/** Counts findings and keeps the first rows of each. */
export type FindingBook = Readonly<{
  /** `count`: for how many rows the example stands. */
  note(code: FindingCode, example: Example, count?: number): void;
  findings(): Finding[];
}>;

export function createFindingBook(): FindingBook {
  const noted = new Map<FindingCode, { count: number; examples: Example[] }>();
  return {
    note(code, example, count = 1) {
      const entry = noted.get(code) ?? { count: 0, examples: [] };
      noted.set(code, entry);
      entry.count += count;
      keepFirst(entry.examples, example);
    },

    /** In the order in which the findings are declared, so that equal files have equal summaries. */
    findings: () =>
      (Object.keys(FINDINGS) as FindingCode[]).flatMap((code) => {
        const entry = noted.get(code);
        return entry === undefined ? [] : [{ code, ...entry }];
      }),
  };
}

/** Keeps the examples in the order of their rows, and no more of them than a finding names. */
function keepFirst(examples: Example[], { row, detail }: Example): void {
  let at = examples.length;
  while (at > 0 && row < (examples[at - 1]?.row ?? 0)) at -= 1;
  if (at === FINDING_EXAMPLES_MAX) return;
  examples.splice(at, 0, { row, detail: detached(detail) });
  if (examples.length > FINDING_EXAMPLES_MAX) examples.pop();
}
