import type { Figure } from '../support/figure.ts';

/** Sizes in pixels. */
const WIDTH = 880;
const MARGIN = 24;
const LABEL_WIDTH = 190;
const BAR_HEIGHT = 18;
const ROW_HEIGHT = 46;
const GROUP_HEIGHT = 44;
const HEAD_HEIGHT = 66;
/** Room for the ratio behind the longest bar. */
const VALUE_WIDTH = 64;

/** Both schemes have a background of their own, for a page may be light where the system is dark. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .paper { fill: #ffffff }
  .title { font-size: 16px; font-weight: 600 }
  .group { font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .bar { fill: #8c959f }
  .own { fill: #0969da }
  .line { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .paper { fill: #0d1117 }
    .small { fill: #9198a1 }
    .bar { fill: #656c76 }
    .own { fill: #4493f8 }
    .line { stroke: #3d444d }
  }`;

/** Draws the figures that have a bar, group by group, with their notes under them. `subtitle`: the basis of the figures. */
export function chartSvg(figures: readonly Figure[], subtitle: string): string {
  const bars = figures.flatMap(({ bar, value, note = '' }) =>
    bar === undefined ? [] : [{ ...bar, value, note }],
  );
  const scale = (WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH) / Math.max(...bars.map(valueOf));
  let y = HEAD_HEIGHT;
  const rows = [...new Set(bars.map(({ group }) => group))].flatMap((group) => {
    y += GROUP_HEIGHT;
    const head = textAt(MARGIN, y - 14, { className: 'group', text: group });
    const drawn = bars
      .filter((bar) => bar.group === group)
      .map((bar) => {
        y += ROW_HEIGHT;
        return barAt(y - ROW_HEIGHT, bar, scale);
      });
    return [head, ...drawn];
  });
  const height = y + MARGIN / 2;
  const left = MARGIN + LABEL_WIDTH;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(TITLE)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    textAt(MARGIN, MARGIN + 10, { className: 'title', text: TITLE }),
    textAt(MARGIN, MARGIN + 30, { className: 'small', text: subtitle }),
    `<line class="line" x1="${left}" x2="${left}" y1="${HEAD_HEIGHT}" y2="${y}"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const TITLE = 'Time to pay the same chunks, as a multiple of the time of a bare loop';

type Bar = Readonly<{ name: string; value: number; note: string }>;

const valueOf = ({ value }: Readonly<{ value: number }>): number => value;

function barAt(y: number, { name, value, note }: Bar, scale: number): string {
  const left = MARGIN + LABEL_WIDTH;
  const width = Math.max(1, value * scale);
  const baseline = y + BAR_HEIGHT - 5;
  const className = name.startsWith('Bursar') ? 'bar own' : 'bar';
  return [
    textAt(MARGIN, baseline, { text: name }),
    `<rect class="${className}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`,
    textAt(left + width + 6, baseline, { text: value.toFixed(2) }),
    textAt(left + 4, y + BAR_HEIGHT + 13, { className: 'small', text: note }),
  ].join('\n');
}

function textAt(
  x: number,
  y: number,
  { text, className }: Readonly<{ text: string; className?: string }>,
): string {
  const named = className === undefined ? '' : ` class="${className}"`;
  return `<text${named} x="${x.toFixed(1)}" y="${y}">${escaped(text)}</text>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
