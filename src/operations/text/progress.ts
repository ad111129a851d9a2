import { rowsInWords } from '../../report/outcome-fields.ts';

/** Cells of the bar. */
const WIDTH = 24;

/** One line of progress: `Reading x [###### ] 50 %, 1,000 rows`. */
export function progressLine(
  what: string,
  { rows, done, all }: Readonly<{ rows: number; done: number; all: number }>,
): string {
  const share = all <= 0 ? 0 : Math.min(1, done / all);
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${what} [${bar}] ${percent} %, ${rowsInWords(rows)}`;
}
