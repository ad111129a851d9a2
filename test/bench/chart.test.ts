import { expect, it } from '@jest/globals';
import { chartSvg } from '../../bench/peers/chart.ts';
import type { Figure } from '../../bench/support/figure.ts';

const bar = (group: string, name: string, value: number): Figure => ({
  name: `${group}: ${name}`,
  unit: 'times',
  value,
  note: `what ${name} <guarantees>`,
  bar: { group, name },
});

const FIGURES = [
  { name: 'left out', unit: 's', value: 99 } as const,
  bar('at once', 'bare loop', 1),
  bar('at once', 'Bursar', 4),
  bar('in 300 ms', 'bare loop', 1),
];

const widthsOf = (svg: string): number[] =>
  [...svg.matchAll(/<rect class="bar[^"]*" [^>]*width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );

it('bars are as long as their ratios, and no figure without a bar is drawn', () => {
  const svg = chartSvg(FIGURES, '1,000 rows');
  const [loop = 0, ours = 0, again] = widthsOf(svg);
  expect(widthsOf(svg)).toHaveLength(3);
  expect(ours / loop).toBeCloseTo(4, 1);
  expect(again).toBe(loop);
  expect(svg).not.toContain('left out');
});

it('each group has one head, and each bar its guarantees, with markup escaped', () => {
  const svg = chartSvg(FIGURES, '1,000 rows');
  expect(svg.match(/>at once</g)).toHaveLength(1);
  expect(svg).toContain('what Bursar &lt;guarantees&gt;');
  expect(svg).toContain('>1,000 rows<');
});

it('every bar and text lies inside of the picture', () => {
  const svg = chartSvg(FIGURES, '');
  const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
  const ends = [...svg.matchAll(/x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  expect(ends.length).toBeGreaterThan(10);
  expect(ends.filter(([x = 0, y = 0]) => x > width || y > height)).toEqual([]);
});
