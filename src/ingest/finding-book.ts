import {
  FINDING_EXAMPLES_MAX,
  FINDINGS,
  type Finding,
  type FindingCode,
} from '../domain/plan/finding.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { detached } from './detached.ts';

type Example = Finding['examples'][number];

/** Counts findings and keeps the first rows of each. */
export type FindingBook = Readonly<{
  note(code: FindingCode, row: RowNumber, detail: string): void;
  findings(): Finding[];
}>;

export function createFindingBook(): FindingBook {
  const noted = new Map<FindingCode, { count: number; examples: Example[] }>();
  return {
    note(code, row, detail) {
      const entry = noted.get(code) ?? { count: 0, examples: [] };
      noted.set(code, entry);
      entry.count += 1;
      if (entry.examples.length < FINDING_EXAMPLES_MAX) {
        entry.examples.push({ row, detail: detached(detail) });
      }
    },

    /** In the order in which the findings are declared, so that equal files have equal summaries. */
    findings: () =>
      (Object.keys(FINDINGS) as FindingCode[]).flatMap((code) => {
        const entry = noted.get(code);
        return entry === undefined ? [] : [{ code, ...entry }];
      }),
  };
}
