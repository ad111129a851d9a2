import { rowsInWords } from '../../report/outcome-fields.ts';

/** Cells of the bar. */
const WIDTH = 24;

/** A bar of `cells` characters between brackets, as far as `share` of it, from 0 to 1: `[####    ]`. */
export function barText(share: number, cells: number): string {
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * cells);
  return `[${'#'.repeat(filled).padEnd(cells)}]`;
}

/** One line of progress, with numbers first: `1,000 rows,  50 % [######      ] Reading x`. */
export function progressLine(
  what: string,
  { rows, done, all }: Readonly<{ rows: number; done: number; all: number }>,
): string {
  const share = all <= 0 ? 0 : Math.min(1, done / all);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${rowsInWords(rows)}, ${percent} % ${barText(share, WIDTH)} ${what}`;
}
